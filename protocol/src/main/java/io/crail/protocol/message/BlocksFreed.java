// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/**
 * Reports blocks that nobody can touch any more, with their new generation. Repeating it is
 * harmless.
 */
public final class BlocksFreed {
    private BlocksFreed() {}

    /**
     * A block that may be granted again.
     *
     * @param segment segment
     * @param record index of its record
     * @param length its size in bytes
     * @param generation new generation; counter {@link
     *     io.crail.protocol.block.Generation#MAX_COUNTER} = retired
     */
    public record Freed(int segment, int record, int length, long generation) {
        public void encode(WireWriter writer) {
            writer.i32(segment);
            writer.i32(record);
            writer.i32(length);
            writer.i64(generation);
        }

        public static Freed decode(WireReader reader) throws ProtocolException {
            return new Freed(reader.length32(), reader.length32(), reader.length32(), reader.i64());
        }
    }

    /**
     * Request 100.
     *
     * @param server server id
     * @param blocks the blocks
     * @param held blocks that processes on the server's host still pin, with the generation they
     *     are held under: quarantined, until they are among {@code blocks}
     */
    public record Request(int server, List<Freed> blocks, List<Freed> held) implements Message {
        @Override
        public MessageType type() {
            return MessageType.BLOCKS_FREED;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            Fields.records(writer, blocks, Freed::encode);
            Fields.records(writer, held, Freed::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.i32(),
                    Fields.records(reader, Freed::decode),
                    Fields.records(reader, Freed::decode));
        }
    }

    /** Reply 100. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.BLOCKS_FREED;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
