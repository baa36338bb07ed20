// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * A session ends: its leases, handles and grants are released.
 *
 * @param session its id
 */
public record EndSession(long session) implements Mutation {
    static EndSession decode(WireReader reader) throws ProtocolException {
        return new EndSession(reader.i64());
    }

    @Override
    public int code() {
        return RecordType.SESSION_END.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(session);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.endSession(session);
    }
}
