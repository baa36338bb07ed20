// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.protocol.frame.WireReader;
import io.crail.protocol.log.LogLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Reads the records of one log file through a window that moves over it. Believes nothing: a length
 * is checked against the file before it is used, and a record counts only if its CRC is right.
 * Zeros up to the end of the file are no records and no damage: the writer prepares space ahead of
 * itself ({@link LogAhead}), and a crash leaves it. Not thread-safe.
 */
final class LogFileReader implements Closeable {
    private static final int WINDOW = 1 << 20;

    /** A sequence farther ahead than this is no plausible successor but chance. */
    private static final long MAX_GAP = 1L << 40;

    /** What {@link #next} found. */
    enum Found {
        RECORD,
        END,
        BROKEN
    }

    private final MetadataFile file;
    private final long size;
    private final CRC32C crc = new CRC32C();

    private ByteBuffer window;
    private long windowStart;
    private int windowLength;

    private long offset = LogLayout.HEADER_SIZE;
    private long recordOffset = LogLayout.HEADER_SIZE;
    private int recordLength;

    LogFileReader(MetadataFile file) throws IOException {
        this.file = file;
        this.size = file.size();
        this.window = newWindow((int) Math.min(WINDOW, Math.max(size, LogLayout.BODY)));
    }

    long size() {
        return size;
    }

    /** Offset of the record {@link #next} looked at. */
    long recordOffset() {
        return recordOffset;
    }

    /** Goes on at {@code offset}. */
    void seek(long newOffset) {
        offset = newOffset;
    }

    /** Looks at the record at the current offset, and moves behind it if it is intact. */
    Found next() throws IOException {
        recordOffset = offset;
        if (offset >= size) {
            return Found.END;
        }
        int length = intactLength(offset);
        if (length < 0) {
            return isZeroFrom(offset) ? Found.END : Found.BROKEN;
        }
        recordLength = length;
        offset += length;
        return Found.RECORD;
    }

    /**
     * Moves to the first intact record at or behind {@code from}, at any byte offset, whose
     * sequence is at least {@code minSequence}. Returns its offset, or -1 if there is none.
     */
    long find(long from, long minSequence) throws IOException {
        for (long at = from; at + LogLayout.BODY <= size; at++) {
            int index = load(at, LogLayout.BODY);
            long sequence = window.getLong(index + LogLayout.SEQUENCE);
            // Cheap tests first: they refuse all but one of 2^50 offsets into random bytes.
            if (sequence >= minSequence
                    && sequence - minSequence < MAX_GAP
                    && window.getShort(index + LogLayout.FLAGS) == 0
                    && intactLength(at) > 0) {
                offset = at;
                return at;
            }
        }
        return -1;
    }

    long sequence() throws IOException {
        return window.getLong(load(recordOffset, LogLayout.BODY) + LogLayout.SEQUENCE);
    }

    int type() throws IOException {
        return window.getShort(load(recordOffset, LogLayout.BODY) + LogLayout.TYPE) & 0xFFFF;
    }

    long session() throws IOException {
        return window.getLong(load(recordOffset, LogLayout.BODY) + LogLayout.SESSION);
    }

    long requestId() throws IOException {
        return window.getLong(load(recordOffset, LogLayout.BODY) + LogLayout.REQUEST_ID);
    }

    /** The body of the last record; valid until the next call of {@link #next}. */
    WireReader body() throws IOException {
        int index = load(recordOffset, recordLength);
        return new WireReader(window.slice(index + LogLayout.BODY, recordLength - LogLayout.BODY));
    }

    @Override
    public void close() throws IOException {
        file.close();
    }

    private boolean isZeroFrom(long from) throws IOException {
        long at = from;
        while (at < size) {
            int length = (int) Math.min(window.capacity(), size - at);
            int index = load(at, length);
            int end = index + length;
            for (; index + Long.BYTES <= end; index += Long.BYTES) {
                if (window.getLong(index) != 0) {
                    return false;
                }
            }
            for (; index < end; index++) {
                if (window.get(index) != 0) {
                    return false;
                }
            }
            at += length;
        }
        return true;
    }

    /** Length of the record at {@code at}, or -1 if there is no intact one. */
    private int intactLength(long at) throws IOException {
        if (size - at < LogLayout.BODY) {
            return -1;
        }
        int length = window.getInt(load(at, LogLayout.BODY) + LogLayout.LENGTH);
        if (length < LogLayout.BODY || length > LogLayout.MAX_RECORD || length > size - at) {
            return -1;
        }
        int index = load(at, length);
        int expected = window.getInt(index + LogLayout.CRC);
        window.limit(index + length).position(index + LogLayout.CHECKED_FROM);
        crc.reset();
        crc.update(window);
        window.clear();
        return (int) crc.getValue() == expected ? length : -1;
    }

    /**
     * Index in the window of the byte at {@code at}, with {@code bytes} bytes loaded from there.
     */
    private int load(long at, int bytes) throws IOException {
        if (at >= windowStart && at + bytes <= windowStart + windowLength) {
            return (int) (at - windowStart);
        }
        if (window.capacity() < bytes) {
            window = newWindow(bytes);
        }
        window.clear();
        windowStart = at;
        windowLength = 0;
        while (window.hasRemaining()) {
            int read = file.read(window, at + window.position());
            if (read <= 0) {
                break;
            }
        }
        windowLength = window.position();
        window.clear();
        if (windowLength < bytes) {
            throw new IOException(
                    file.path() + ": shrank while it was read, at offset " + (at + windowLength));
        }
        return 0;
    }

    private static ByteBuffer newWindow(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
