// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * Nobody holds a grant of this segment any more that the log has lost.
 *
 * @param server server id
 * @param segment segment number
 */
public record EndFencing(int server, int segment) implements Mutation {
    static EndFencing decode(WireReader reader) throws ProtocolException {
        return new EndFencing(reader.i32(), reader.i32());
    }

    @Override
    public int code() {
        return RecordType.FENCED.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i32(server);
        writer.i32(segment);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.blocks().fencing().setFenced(server, segment);
    }
}
