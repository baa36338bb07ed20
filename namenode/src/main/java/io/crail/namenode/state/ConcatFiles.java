// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;
import java.util.List;

/**
 * The extents of FILEs become part of another one, and their names go. Leases of any of them, which
 * have expired, are broken first.
 *
 * @param target FILE that grows
 * @param sources FILEs, in order
 * @param time milliseconds since 1970
 * @param version version of the target from now on
 */
public record ConcatFiles(long target, List<Long> sources, long time, long version)
        implements Mutation {
    static ConcatFiles decode(WireReader reader) throws ProtocolException {
        return new ConcatFiles(
                reader.i64(), Lists.decode(reader, 8, WireReader::i64), reader.i64(), reader.i64());
    }

    @Override
    public int code() {
        return RecordType.CONCAT.code();
    }

    @Override
    public int replyType() {
        return MessageType.CONCAT.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(target);
        Lists.encode(writer, sources, (id, w) -> w.i64(id));
        writer.i64(time).i64(version);
    }

    @Override
    public void apply(State state, Origin origin) {
        new Splices(state).concat(this);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        state.node(target).encodeStatus(writer);
    }
}
