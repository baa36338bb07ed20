// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.StreamNode;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * A STREAM loses its oldest records.
 *
 * @param node STREAM
 * @param first offset of the first record to be kept, if later than before
 * @param runs how many of the first runs go now; their records are all before {@code first}
 */
public record TrimStream(long node, long first, int runs) implements Mutation {
    static TrimStream decode(WireReader reader) throws ProtocolException {
        return new TrimStream(reader.i64(), reader.i64(), reader.i32());
    }

    @Override
    public int code() {
        return RecordType.STREAM_TRIM.code();
    }

    @Override
    public int replyType() {
        return MessageType.STREAM_TRIM.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node).i64(first).i32(runs);
    }

    @Override
    public void apply(State state, Origin origin) {
        state.removal().trim((StreamNode) state.node(node), first, runs);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        StreamNode stream = (StreamNode) state.node(node);
        writer.i64(stream.first()).i64(stream.next());
    }
}
