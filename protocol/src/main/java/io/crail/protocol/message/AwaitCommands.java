// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.List;

/** Waits for work: answered at once when there are commands, else empty within a second or so. */
public final class AwaitCommands {
    private AwaitCommands() {}

    /**
     * A block that no node refers to any more.
     *
     * @param segment segment
     * @param record index of its record
     * @param length its size in bytes
     * @param generation generation under which it was granted
     */
    public record Revoke(int segment, int record, int length, long generation) {
        public void encode(WireWriter writer) {
            writer.i32(segment);
            writer.i32(record);
            writer.i32(length);
            writer.i64(generation);
        }

        public static Revoke decode(WireReader reader) throws ProtocolException {
            return new Revoke(
                    reader.length32(), reader.length32(), reader.length32(), reader.i64());
        }
    }

    /**
     * Request 99.
     *
     * @param server server id
     * @param maxWaitMillis how long to wait
     */
    public record Request(int server, int maxWaitMillis) implements Message {
        @Override
        public MessageType type() {
            return MessageType.AWAIT_COMMANDS;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i32(server);
            writer.i32(maxWaitMillis);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.i32(), reader.length32());
        }
    }

    /**
     * Reply 99.
     *
     * @param revokes blocks to fence and free: steps 2 to 5 of docs/adr/0001-consistency.md
     */
    public record Reply(List<Revoke> revokes) implements Message {
        @Override
        public MessageType type() {
            return MessageType.AWAIT_COMMANDS;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.records(writer, revokes, Revoke::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Fields.records(reader, Revoke::decode));
        }
    }
}
