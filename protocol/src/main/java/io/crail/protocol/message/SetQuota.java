// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/** Limits what may lie below a container; all limits at once. */
public final class SetQuota {
    /** In place of a storage class: all of them together. */
    public static final int ALL_CLASSES = 0xFFFF;

    /** No limit. */
    public static final long NO_LIMIT = -1;

    private SetQuota() {}

    /**
     * The bytes of blocks in one storage class.
     *
     * <pre>
     *  0 u16 storage class     2 6 bytes zero     8 n64 bytes
     * </pre>
     *
     * @param storageClass 0..255, or ALL_CLASSES
     * @param bytes at most so many
     */
    public record ClassLimit(int storageClass, long bytes) {
        public static final int WIRE_SIZE = 16;

        public void encode(WireWriter writer) {
            writer.u16(storageClass).u16(0).i32(0).i64(bytes);
        }

        public static ClassLimit decode(WireReader reader) throws ProtocolException {
            int storageClass = reader.u16();
            reader.u16();
            reader.i32();
            return new ClassLimit(storageClass, reader.length64());
        }
    }

    /**
     * Request 47.
     *
     * @param path of a DIRECTORY or TABLE
     * @param nodes nodes below it, itself not counted; NO_LIMIT = any number
     * @param classes limits of bytes, each class once; none for classes that are not limited
     */
    public record Request(byte[] path, long nodes, List<ClassLimit> classes) implements Message {
        @Override
        public MessageType type() {
            return MessageType.SET_QUOTA;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
            writer.i64(nodes);
            Fields.list(writer, classes, ClassLimit.WIRE_SIZE, ClassLimit::encode);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(
                    reader.bytes(Names.MAX_PATH),
                    reader.i64(),
                    Fields.list(reader, ClassLimit.WIRE_SIZE, ClassLimit::decode));
        }
    }

    /** Reply 47. */
    public record Reply() implements Message {
        @Override
        public MessageType type() {
            return MessageType.SET_QUOTA;
        }

        @Override
        public void encode(WireWriter writer) {}

        public static Reply decode(WireReader reader) {
            return new Reply();
        }
    }
}
