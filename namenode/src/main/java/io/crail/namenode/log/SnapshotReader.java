// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.CorruptDataException;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.log.SnapshotLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Reads a snapshot, verifying header, every chunk before a record of it is handed out, and the
 * footer. Not thread-safe.
 */
public final class SnapshotReader {
    private final MetadataFiles files;
    private final FileName name;
    private final UUID cluster;
    private final CRC32C crc = new CRC32C();
    private ByteBuffer buffer = newBuffer(SnapshotWriter.CHUNK * 2);
    private long chunks;
    private long records;

    SnapshotReader(MetadataFiles files, FileName name, UUID cluster) {
        this.files = files;
        this.name = name;
        this.cluster = cluster;
    }

    /** The last log record whose effect is in the snapshot. */
    public long sequence() {
        return name.sequence();
    }

    /**
     * Reads the whole file without handing anything out.
     *
     * @throws CorruptDataException if it is damaged, naming file and offset
     */
    void verify() throws IOException {
        read((type, body) -> {});
    }

    /**
     * Hands all records to {@code visitor}; returns how many there were.
     *
     * @throws CorruptDataException if the file is damaged, naming file and offset
     */
    public long read(SnapshotVisitor visitor) throws IOException {
        chunks = 0;
        records = 0;
        try (MetadataFile file = files.open(name.path())) {
            switch (FileHeader.SNAPSHOT.read(file, cluster, name.sequence())) {
                case BROKEN -> throw damaged(0, "broken file header");
                case FOREIGN -> throw damaged(0, "it belongs to another cluster");
                case MISNAMED -> throw damaged(0, "it was renamed");
                case GOOD -> {}
            }
            long at = SnapshotLayout.HEADER_SIZE;
            int length = load(file, at);
            while (length > 0) {
                readChunk(at, length, visitor);
                at += length;
                length = load(file, at);
            }
            checkFooter(at, file.size());
        }
        return records;
    }

    /** Loads and verifies the chunk at {@code at}; returns its length, 0 for the footer. */
    private int load(MetadataFile file, long at) throws IOException {
        fill(file, at, 0, 4);
        int length = buffer.getInt(SnapshotLayout.LENGTH);
        boolean footer = length == 0;
        if (!footer && (length < SnapshotLayout.CHUNK_BODY || length > SnapshotLayout.MAX_CHUNK)) {
            throw damaged(at, "chunk of " + (length & 0xFFFFFFFFL) + " bytes");
        }
        int bytes = footer ? SnapshotLayout.FOOTER_SIZE : length;
        if (buffer.capacity() < bytes) {
            ByteBuffer larger = newBuffer(bytes);
            buffer = larger.putInt(0, length);
        }
        fill(file, at, 4, bytes);
        crc.reset();
        crc.update(buffer.slice(SnapshotLayout.CHECKED_FROM, bytes - SnapshotLayout.CHECKED_FROM));
        if ((int) crc.getValue() != buffer.getInt(SnapshotLayout.CRC)) {
            throw damaged(at, "wrong checksum");
        }
        return length;
    }

    private void fill(MetadataFile file, long at, int from, int to) throws IOException {
        buffer.clear().limit(to).position(from);
        while (buffer.hasRemaining()) {
            if (file.read(buffer, at + buffer.position()) <= 0) {
                throw damaged(at, "the file ends early");
            }
        }
        buffer.clear();
    }

    private void readChunk(long at, int length, SnapshotVisitor visitor) throws IOException {
        if (buffer.getLong(SnapshotLayout.CHUNK_NUMBER) != chunks) {
            throw damaged(at, "chunk " + chunks + " is missing");
        }
        chunks++;
        int record = SnapshotLayout.CHUNK_BODY;
        while (record < length) {
            int left = length - record;
            int size = left < SnapshotLayout.RECORD_BODY ? -1 : buffer.getInt(record);
            if (size < SnapshotLayout.RECORD_BODY || size > left) {
                throw damaged(at + record, "broken record");
            }
            int type = buffer.getShort(record + SnapshotLayout.RECORD_TYPE) & 0xFFFF;
            records++;
            visit(visitor, type, record, size);
            record += size;
        }
    }

    private void visit(SnapshotVisitor visitor, int type, int record, int size) throws IOException {
        buffer.limit(record + size).position(record + SnapshotLayout.RECORD_BODY);
        WireReader body = new WireReader(buffer);
        buffer.clear();
        try {
            visitor.record(type, body);
        } catch (ProtocolException e) {
            throw new CorruptDataException(
                    name.path() + ": record " + records + " of type " + type + " is not readable",
                    e);
        }
    }

    private void checkFooter(long at, long fileSize) throws CorruptDataException {
        if (buffer.getLong(SnapshotLayout.FOOTER_CHUNKS) != chunks
                || buffer.getLong(SnapshotLayout.FOOTER_RECORDS) != records
                || buffer.getLong(SnapshotLayout.FOOTER_BYTES) != at) {
            throw damaged(at, "the counts in the footer do not match");
        }
        if (fileSize != at + SnapshotLayout.FOOTER_SIZE) {
            throw damaged(at, "bytes behind the footer");
        }
    }

    private CorruptDataException damaged(long at, String reason) {
        return new CorruptDataException(
                "snapshot " + name.path() + " is damaged at offset " + at + ": " + reason);
    }

    private static ByteBuffer newBuffer(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
