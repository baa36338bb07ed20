// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.message;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.node.Names;
import java.util.List;

/**
 * What lies at and below a node; kept up to date by the namenode, so that asking costs one lookup.
 */
public final class Summary {
    private Summary() {}

    /**
     * Blocks in one storage class.
     *
     * <pre>
     *  0 u16 storage class     2 6 bytes zero     8 n64 bytes     16 i64 limit
     * </pre>
     *
     * @param storageClass 0..255, or {@link SetQuota#ALL_CLASSES}
     * @param allocated bytes of blocks
     * @param limit at most so many, or {@link SetQuota#NO_LIMIT}
     */
    public record ClassUse(int storageClass, long allocated, long limit) {
        public static final int WIRE_SIZE = 24;

        public void encode(WireWriter writer) {
            writer.u16(storageClass).u16(0).i32(0).i64(allocated).i64(limit);
        }

        public static ClassUse decode(WireReader reader) throws ProtocolException {
            int storageClass = reader.u16();
            reader.u16();
            reader.i32();
            return new ClassUse(storageClass, reader.length64(), reader.i64());
        }
    }

    /**
     * Request 38.
     *
     * @param path absolute path
     */
    public record Request(byte[] path) implements Message {
        @Override
        public MessageType type() {
            return MessageType.SUMMARY;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.bytes(path);
        }

        public static Request decode(WireReader reader) throws ProtocolException {
            return new Request(reader.bytes(Names.MAX_PATH));
        }
    }

    /**
     * Reply 38.
     *
     * @param directories number of DIRECTORY nodes, the node itself included
     * @param files number of FILE nodes
     * @param tables number of TABLE nodes
     * @param keyValues number of KEYVALUE nodes
     * @param length sum of committed lengths in bytes
     * @param allocated sum of the bytes of blocks held
     * @param nodeLimit nodes that may lie below it, or {@link SetQuota#NO_LIMIT}
     * @param classes storage classes in which blocks are held, or limited
     */
    public record Reply(
            long directories,
            long files,
            long tables,
            long keyValues,
            long length,
            long allocated,
            long nodeLimit,
            List<ClassUse> classes)
            implements Message {
        /** Nodes of all types, the node itself included. */
        public long nodes() {
            return directories + files + tables + keyValues;
        }

        @Override
        public MessageType type() {
            return MessageType.SUMMARY;
        }

        @Override
        public void encode(WireWriter writer) {
            writer.i64(directories);
            writer.i64(files);
            writer.i64(tables);
            writer.i64(keyValues);
            writer.i64(length);
            writer.i64(allocated);
            writer.i64(nodeLimit);
            Fields.list(writer, classes, ClassUse.WIRE_SIZE, ClassUse::encode);
        }

        public static Reply decode(WireReader reader) throws ProtocolException {
            return new Reply(
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.length64(),
                    reader.remaining() > 0 ? reader.i64() : SetQuota.NO_LIMIT,
                    reader.remaining() > 0
                            ? Fields.list(reader, ClassUse.WIRE_SIZE, ClassUse::decode)
                            : List.of());
        }
    }
}
