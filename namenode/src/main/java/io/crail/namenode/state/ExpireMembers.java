// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * Members of a MULTIFILE have been kept open for longer than the retention limit after their
 * removal: the group that keeps them lets go of them.
 *
 * @param session who holds the group
 * @param handle of the group
 * @param limit those removed before, in milliseconds since 1970
 */
public record ExpireMembers(long session, long handle, long limit) implements Mutation {
    static ExpireMembers decode(WireReader reader) throws ProtocolException {
        return new ExpireMembers(reader.i64(), reader.i64(), reader.i64());
    }

    @Override
    public int code() {
        return RecordType.EXPIRE_MEMBERS.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(session).i64(handle).i64(limit);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.leases().expireMembers(session, handle, limit);
    }
}
