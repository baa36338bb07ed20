// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import io.crail.error.CorruptDataException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.io.CompressionCodec;
import org.apache.spark.serializer.SerializerManager;
import org.jspecify.annotations.Nullable;

/**
 * Compresses and encrypts chunks as the application says ({@code spark.broadcast.compress}, {@code
 * spark.io.encryption.enabled}), each by itself, so that several threads do it at a time.
 * Thread-safe.
 *
 * <p>A chunk that does not shrink is stored as it is. After one of that kind a small piece of the
 * next is tried first, so that values which cannot be compressed cost hardly more than without.
 */
final class ChunkCodec {
    private static final int SAMPLE = 32 << 10;

    /** A chunk has shrunk if at least one part of so many is gone. */
    private static final int WORTHWHILE = 8;

    private final SerializerManager manager;
    private final @Nullable CompressionCodec compression;
    private volatile boolean stubborn;

    /** Bytes as they are stored: from 0 to a length. */
    static final class Stored extends ByteArrayOutputStream {
        private int flags;

        Stored(int capacity) {
            super(capacity);
        }

        byte[] bytes() {
            return buf;
        }

        int flags() {
            return flags;
        }
    }

    ChunkCodec(SerializerManager manager, @Nullable CompressionCodec compression) {
        this.manager = manager;
        this.compression = compression;
    }

    /** As the application of a JVM says. */
    static ChunkCodec of(SparkEnv env) {
        SparkConf conf = env.conf();
        return new ChunkCodec(
                env.serializerManager(),
                conf.getBoolean("spark.broadcast.compress", true)
                        ? CompressionCodec.createCodec(conf)
                        : null);
    }

    /** Whether it does anything. */
    boolean transforms() {
        return compression != null || manager.encryptionEnabled();
    }

    /** Makes of bytes what is stored; null if they are stored as they are. */
    @Nullable Stored encode(byte[] bytes, int offset, int length) throws IOException {
        Stored packed = compress(bytes, offset, length);
        if (!manager.encryptionEnabled()) {
            return packed;
        }
        Stored secret = new Stored(length + SAMPLE);
        try (OutputStream out = manager.wrapForEncryption((OutputStream) secret)) {
            if (packed == null) {
                out.write(bytes, offset, length);
            } else {
                out.write(packed.bytes(), 0, packed.size());
            }
        }
        secret.flags = Chunk.ENCRYPTED | (packed == null ? 0 : packed.flags);
        return secret;
    }

    private @Nullable Stored compress(byte[] bytes, int offset, int length) throws IOException {
        CompressionCodec codec = compression;
        if (codec == null) {
            return null;
        }
        if (stubborn
                && length > 2 * SAMPLE
                && pack(codec, bytes, offset + length / 2, SAMPLE) == null) {
            return null;
        }
        Stored packed = pack(codec, bytes, offset, length);
        stubborn = packed == null;
        return packed;
    }

    /** The bytes compressed, null if that makes no difference. */
    private static @Nullable Stored pack(
            CompressionCodec codec, byte[] bytes, int offset, int length) throws IOException {
        Stored packed = new Stored(length / 2 + SAMPLE);
        try (OutputStream out = codec.compressedOutputStream(packed)) {
            out.write(bytes, offset, length);
        }
        packed.flags = Chunk.COMPRESSED;
        return packed.size() <= length - length / WORTHWHILE ? packed : null;
    }

    /**
     * Undoes {@link #encode}.
     *
     * @param target gets the bytes of the chunk, from {@code offset}
     */
    void decode(Chunk chunk, InputStream stored, byte[] target, int offset) throws IOException {
        InputStream in = stored;
        if (chunk.is(Chunk.ENCRYPTED)) {
            if (!manager.encryptionEnabled()) {
                throw new CorruptDataException(
                        "a broadcast is encrypted, but this executor has no key:"
                                + " spark.io.encryption.enabled is not as it was on the driver");
            }
            in = manager.wrapForEncryption(in);
        }
        if (chunk.is(Chunk.COMPRESSED)) {
            if (compression == null) {
                throw new CorruptDataException(
                        "a broadcast is compressed, but spark.broadcast.compress is not as it was"
                                + " on the driver");
            }
            in = compression.compressedInputStream(in);
        }
        try (InputStream all = in) {
            int read = all.readNBytes(target, offset, chunk.plainLength());
            if (read != chunk.plainLength()) {
                throw new CorruptDataException(
                        "a chunk of a broadcast has "
                                + read
                                + " bytes instead of "
                                + chunk.plainLength());
            }
        }
    }
}
