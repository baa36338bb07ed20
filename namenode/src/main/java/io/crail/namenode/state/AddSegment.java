// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/**
 * A storage server offers a segment, or one under a new incarnation in place of an old one.
 *
 * @param server server id
 * @param segment segment number
 * @param incarnation its incarnation
 * @param dataBytes its size
 */
public record AddSegment(int server, int segment, int incarnation, long dataBytes)
        implements Mutation {
    static AddSegment decode(WireReader reader) throws ProtocolException {
        return new AddSegment(reader.i32(), reader.i32(), reader.i32(), reader.i64());
    }

    @Override
    public int code() {
        return RecordType.SEGMENT.code();
    }

    @Override
    public void encode(WireWriter writer) {
        writer.i32(server);
        writer.i32(segment);
        writer.i32(incarnation);
        writer.i64(dataBytes);
    }

    @Override
    public void apply(State state, Origin origin) {
        try {
            if (state.blocks().hasSegment(server, segment)) {
                state.blocks().replaceSegment(server, segment, incarnation, dataBytes);
            } else {
                state.blocks().addSegment(server, segment, incarnation, dataBytes);
            }
        } catch (InvalidArgumentException e) {
            throw new IllegalStateException("a segment that was checked does not fit", e);
        }
    }
}
