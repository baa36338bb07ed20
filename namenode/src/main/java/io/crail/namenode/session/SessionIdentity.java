// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.session;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;

/**
 * What a session is for ever.
 *
 * @param id never reused
 * @param token 16 secret bytes with which connections join
 * @param tenant 0 now
 * @param timeoutMillis silence after which it ends
 */
public record SessionIdentity(
        long id,
        byte[] token,
        int tenant,
        String name,
        String user,
        String group,
        String locationClass,
        int timeoutMillis) {
    public static final int TOKEN_BYTES = 16;

    public void encode(WireWriter writer) {
        writer.i64(id).raw(token).i32(tenant);
        writer.string(name).string(user).string(group).string(locationClass).i32(timeoutMillis);
    }

    public static SessionIdentity decode(WireReader reader) throws ProtocolException {
        return new SessionIdentity(
                reader.i64(),
                reader.raw(TOKEN_BYTES),
                reader.i32(),
                reader.string(Names.MAX_NAME),
                reader.string(Names.MAX_NAME),
                reader.string(Names.MAX_NAME),
                reader.string(Names.MAX_NAME),
                reader.length32());
    }
}
