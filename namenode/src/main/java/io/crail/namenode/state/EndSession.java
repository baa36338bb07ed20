// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * A session ends: its leases, handles and grants are released, and what is bound to it goes.
 *
 * @param session its id
 * @param time milliseconds since 1970
 */
public record EndSession(long session, long time) implements Mutation {
    static EndSession decode(WireReader reader) throws ProtocolException {
        return new EndSession(reader.i64(), reader.remaining() > 0 ? reader.i64() : 0);
    }

    @Override
    public int code() {
        return RecordType.SESSION_END.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(session);
        writer.i64(time);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.endSession(session, time);
    }
}
