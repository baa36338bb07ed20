// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * Puts several inline values into one TABLE; the bytes follow each other as payload. Each entry is
 * put, or refused, by itself.
 */
public final class MultiPut {
    /** Most entries of one request. */
    public static final int MAX_ENTRIES = ProtocolLimits.MAX_PAGE;

    private MultiPut() {}

    /**
     * One value to be put.
     *
     * @param key the key
     * @param condition see {@link Conditions}
     * @param expectedVersion for IF_VERSION
     * @param lifetimeMillis time to live, -1 = none
     * @param length its bytes of the payload
     */
    public record Entry(
            byte[] key, int condition, long expectedVersion, long lifetimeMillis, int length) {
        public void encode(WireWriter writer) {
            writer.bytes(key);
            writer.u8(condition);
            writer.i64(expectedVersion);
            writer.i64(lifetimeMillis);
            writer.i32(length);
        }

        public static Entry decode(WireReader reader) throws ProtocolException {
            return new Entry(
                    reader.bytes(Names.MAX_KEY),
                    reader.u8(),
                    reader.i64(),
                    reader.i64(),
                    reader.length32());
        }
    }

    /**
     * Request 69.
     *
     * @param table path of the TABLE
     * @param entries at most 1,024
     */
    public record Request(byte[] table, List<Entry> entries) implements Message {
        @Override
        public MessageType type() {
            return MessageType.MULTI_PUT;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(table);
            Fields.records(writer, entries, Entry::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.bytes(Names.MAX_PATH), Fields.records(reader, Entry::decode));
        }
    }

    /**
     * What became of one entry.
     *
     * @param version the version of the value put; of a refused condition the version found, 0 =
     *     the key has no value
     * @param status 0, or an error code
     */
    public record Result(long version, int status) {
        public static final int WIRE_SIZE = 16;

        public void encode(WireWriter writer) {
            writer.i64(version).u16(status).u16(0).i32(0);
        }

        public static Result decode(WireReader reader) throws ProtocolException {
            Result result = new Result(reader.i64(), reader.u16());
            reader.u16();
            reader.i32();
            return result;
        }
    }

    /**
     * Reply 69.
     *
     * @param results one for each entry, in the order of the request
     */
    public record Reply(List<Result> results) implements Message {
        @Override
        public MessageType type() {
            return MessageType.MULTI_PUT;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.list(writer, results, Result.WIRE_SIZE, Result::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Fields.list(reader, Result.WIRE_SIZE, Result::decode));
        }
    }
}
