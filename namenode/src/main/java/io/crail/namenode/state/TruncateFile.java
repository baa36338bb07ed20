// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.MessageType;

/**
 * A FILE becomes shorter. A lease that has expired is broken first.
 *
 * @param node FILE
 * @param rest id of the unlinked file that takes what is cut off, and the readers
 * @param length new length, less than the present one
 * @param tailCrc tail checksum of the new last extent if that is cut, else 0
 * @param time milliseconds since 1970
 * @param version version of the file from now on
 */
public record TruncateFile(long node, long rest, long length, int tailCrc, long time, long version)
        implements Mutation {
    static TruncateFile decode(WireReader reader) throws ProtocolException {
        return new TruncateFile(
                reader.i64(),
                reader.i64(),
                reader.length64(),
                reader.i32(),
                reader.i64(),
                reader.i64());
    }

    @Override
    public int code() {
        return RecordType.TRUNCATE.code();
    }

    @Override
    public int replyType() {
        return MessageType.TRUNCATE.wire();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i64(node).i64(rest).i64(length).i32(tailCrc).i64(time).i64(version);
    }

    @Override
    public void apply(State state, Origin origin) {
        new Splices(state).truncate(this);
    }

    @Override
    public void reply(State state, Origin origin, WireWriter writer) {
        state.node(node).encodeStatus(writer);
    }
}
