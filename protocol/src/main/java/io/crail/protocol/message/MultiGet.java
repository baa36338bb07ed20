// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * The values of several keys of one TABLE: inline ones together as payload, references of the
 * others. Each key is looked up by itself.
 */
public final class MultiGet {
    /** Most keys of one request. */
    public static final int MAX_KEYS = ProtocolLimits.MAX_PAGE;

    /** Most extents of one answer, all values together. */
    public static final int MAX_EXTENTS = 512;

    /** Form of a result, besides those of {@link Get}: there was no room; ask again. */
    public static final int LATER = 3;

    private MultiGet() {}

    /** One key. */
    public record Key(byte[] key) {
        public void encode(WireWriter writer) {
            writer.bytes(key);
        }

        public static Key decode(WireReader reader) throws ProtocolException {
            return new Key(reader.bytes(Names.MAX_KEY));
        }
    }

    /**
     * Request 68.
     *
     * @param table path of the TABLE
     * @param keys at most 1,024
     * @param flags reserved, 0
     */
    public record Request(byte[] table, List<Key> keys, int flags) implements Message {
        @Override
        public MessageType type() {
            return MessageType.MULTI_GET;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(table);
            Fields.records(writer, keys, Key::encode);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH), Fields.records(reader, Key::decode), reader.u8());
        }
    }

    /**
     * The value of one key.
     *
     * @param node node id of the value
     * @param version version of the value
     * @param length bytes of the value; if inline, so many bytes of the payload
     * @param modifiedMillis when it was put
     * @param form {@link Get#ABSENT}, {@link Get#INLINE}, {@link Get#EXTENTS} or LATER
     * @param flags {@link Get#CHECKSUMS} or 0
     * @param extents the first extents
     * @param remainingMillis time left to live, -1 = without an end
     */
    public record Result(
            long node,
            long version,
            long length,
            long modifiedMillis,
            int form,
            int flags,
            List<Extent> extents,
            long remainingMillis) {
        public void encode(WireWriter writer) {
            writer.i64(node);
            writer.i64(version);
            writer.i64(length);
            writer.i64(modifiedMillis);
            writer.u8(form);
            writer.u8(flags);
            Fields.list(writer, extents, Extent.WIRE_SIZE, Extent::encode);
            writer.i64(remainingMillis);
        }

        public static Result decode(WireReader reader) throws ProtocolException {
            return new Result(
                    reader.i64(),
                    reader.i64(),
                    reader.length64(),
                    reader.i64(),
                    reader.u8(),
                    reader.u8(),
                    Fields.list(reader, Extent.WIRE_SIZE, Extent::decode),
                    reader.i64());
        }
    }

    /**
     * Reply 68.
     *
     * @param results one for each key, in the order of the request
     */
    public record Reply(List<Result> results) implements Message {
        @Override
        public MessageType type() {
            return MessageType.MULTI_GET;
        }

        @Override
        public void encode(WireWriter writer) {
            Fields.records(writer, results, Result::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(Fields.records(reader, Result::decode));
        }
    }
}
