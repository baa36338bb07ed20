// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** One page of a TABLE in order of unsigned key bytes. */
public final class Scan {
    /** Answer inline values too. */
    public static final int VALUES = 1;

    private Scan() {}

    /**
     * One key.
     *
     * @param key the key
     * @param version version of the value
     * @param length bytes of the value
     * @param modifiedMillis when it was put
     * @param inline whether the value stands in the next field
     * @param value inline bytes, if asked and inline; else empty
     * @param remainingMillis time left to live, -1 = without an end
     */
    public record Entry(
            byte[] key,
            long version,
            long length,
            long modifiedMillis,
            boolean inline,
            byte[] value,
            long remainingMillis) {
        public void encode(WireWriter writer) {
            writer.bytes(key);
            writer.i64(version);
            writer.i64(length);
            writer.i64(modifiedMillis);
            writer.bool(inline);
            writer.bytes(value);
            writer.i64(remainingMillis);
        }

        public static Entry decode(WireReader reader) throws ProtocolException {
            return new Entry(
                    reader.bytes(Names.MAX_KEY),
                    reader.i64(),
                    reader.length64(),
                    reader.i64(),
                    reader.bool(),
                    reader.bytes(0xFFFF),
                    reader.remaining() > 0 ? reader.i64() : -1);
        }
    }

    /**
     * Request 67.
     *
     * @param table path of the TABLE
     * @param cursor last key seen; empty = from the start
     * @param limit entries wanted
     * @param flags VALUES or 0
     */
    public record Request(byte[] table, byte[] cursor, int limit, int flags) implements Message {
        @Override
        public MessageType type() {
            return MessageType.SCAN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(table);
            writer.bytes(cursor);
            writer.u16(limit);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.bytes(Names.MAX_KEY),
                    reader.u16(),
                    reader.u8());
        }
    }

    /**
     * Reply 67.
     *
     * @param more whether entries follow the last one
     * @param entries the entries
     */
    public record Reply(boolean more, List<Entry> entries) implements Message {
        @Override
        public MessageType type() {
            return MessageType.SCAN;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bool(more);
            Fields.records(writer, entries, Entry::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(reader.bool(), Fields.records(reader, Entry::decode));
        }
    }
}
