// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.VersionMismatchException;
import io.crail.protocol.log.LogLayout;
import io.crail.protocol.log.SnapshotLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/** The 64-byte header that log and snapshot files share, but for magic and version. */
enum FileHeader {
    LOG(LogLayout.MAGIC, LogLayout.VERSION),
    SNAPSHOT(SnapshotLayout.MAGIC, SnapshotLayout.VERSION);

    static final int SIZE = LogLayout.HEADER_SIZE;

    /** What a header turned out to be. */
    enum State {
        GOOD,
        /** Shorter than a header, or not intact. */
        BROKEN,
        /** Intact, but of another cluster. */
        FOREIGN,
        /** Intact, but it names another sequence than the file does. */
        MISNAMED
    }

    private final long magic;
    private final int version;

    FileHeader(long magic, int version) {
        this.magic = magic;
        this.version = version;
    }

    ByteBuffer encode(UUID cluster, long sequence) {
        ByteBuffer header = ByteBuffer.allocateDirect(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        header.putLong(LogLayout.MAGIC_OFFSET, magic);
        header.putInt(LogLayout.VERSION_OFFSET, version);
        header.putLong(LogLayout.CLUSTER_OFFSET, cluster.getMostSignificantBits());
        header.putLong(LogLayout.CLUSTER_OFFSET + 8, cluster.getLeastSignificantBits());
        header.putLong(LogLayout.FIRST_SEQUENCE_OFFSET, sequence);
        header.putInt(LogLayout.HEADER_CRC_OFFSET, crc(header));
        return header;
    }

    /**
     * Judges the header of {@code file}.
     *
     * @throws VersionMismatchException if it was written by a newer version
     */
    State read(MetadataFile file, UUID cluster, long sequence) throws IOException {
        ByteBuffer header = ByteBuffer.allocateDirect(SIZE).order(ByteOrder.LITTLE_ENDIAN);
        while (header.hasRemaining()) {
            if (file.read(header, header.position()) <= 0) {
                return State.BROKEN;
            }
        }
        header.clear();
        if (header.getLong(LogLayout.MAGIC_OFFSET) != magic
                || header.getInt(LogLayout.HEADER_CRC_OFFSET) != crc(header)) {
            return State.BROKEN;
        }
        int found = header.getInt(LogLayout.VERSION_OFFSET);
        if (found != version) {
            throw new VersionMismatchException(
                    file.path()
                            + " has layout version "
                            + found
                            + ", this version of crail knows "
                            + version
                            + "; start the version of crail that wrote it");
        }
        if (header.getLong(LogLayout.CLUSTER_OFFSET) != cluster.getMostSignificantBits()
                || header.getLong(LogLayout.CLUSTER_OFFSET + 8)
                        != cluster.getLeastSignificantBits()) {
            return State.FOREIGN;
        }
        return header.getLong(LogLayout.FIRST_SEQUENCE_OFFSET) == sequence
                ? State.GOOD
                : State.MISNAMED;
    }

    private static int crc(ByteBuffer header) {
        CRC32C crc = new CRC32C();
        crc.update(header.slice(0, LogLayout.HEADER_CRC_OFFSET));
        return (int) crc.getValue();
    }
}
