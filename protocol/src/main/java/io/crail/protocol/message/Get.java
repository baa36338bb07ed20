// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** The value of a key: the bytes as payload when inline, else references. */
public final class Get {
    /** Form of a reply: the table has no such key. The other fields are 0. */
    public static final int ABSENT = 0;

    public static final int INLINE = 1;
    public static final int EXTENTS = 2;

    /** Reply flag: chunk checksums are kept for this value. */
    public static final int CHECKSUMS = 1;

    private Get() {}

    /**
     * Request 64.
     *
     * @param table path of the TABLE
     * @param key the key
     * @param flags reserved, 0
     */
    public record Request(byte[] table, byte[] key, int flags) implements Message {
        @Override
        public MessageType type() {
            return MessageType.GET;
        }

        @Override
        public int sizeHint() {
            return 2 + table.length + 2 + key.length + 1;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(table);
            writer.bytes(key);
            writer.u8(flags);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH), reader.bytes(Names.MAX_KEY), reader.u8());
        }
    }

    /**
     * Reply 64.
     *
     * @param node node id of the value
     * @param version version of the value
     * @param length bytes of the value
     * @param modifiedMillis when it was put
     * @param form INLINE, EXTENTS or ABSENT
     * @param flags CHECKSUMS or 0
     * @param extents the first 64 extents
     * @param remainingMillis time left to live, -1 = without an end
     */
    public record Reply(
            long node,
            long version,
            long length,
            long modifiedMillis,
            int form,
            int flags,
            List<Extent> extents,
            long remainingMillis)
            implements Message {
        @Override
        public MessageType type() {
            return MessageType.GET;
        }

        @Override
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

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.i64(),
                    reader.i64(),
                    reader.length64(),
                    reader.i64(),
                    reader.u8(),
                    reader.u8(),
                    Fields.list(reader, Extent.WIRE_SIZE, Extent::decode),
                    reader.remaining() > 0 ? reader.i64() : -1);
        }
    }
}
