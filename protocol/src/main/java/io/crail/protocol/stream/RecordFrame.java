// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.stream;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * A record in a STREAM: u32 length, u32 CRC32C of these four bytes of length and of the bytes, then
 * the bytes; little-endian, without padding. Since the length is part of the sum, zeros are no
 * frame. Frames follow each other without gaps and may cross the blocks of their run.
 *
 * <p>Stateless and thread-safe. Buffers are used by absolute position, whatever their order.
 */
public final class RecordFrame {
    /** Bytes in front of those of the record. */
    public static final int HEADER = 8;

    /** Longest record: 64 MiB. */
    public static final int MAX_RECORD = 64 << 20;

    /** Longest run: a frame of the longest record. */
    public static final int MAX_RUN = HEADER + MAX_RECORD;

    private static final ThreadLocal<CRC32C> CRC = ThreadLocal.withInitial(CRC32C::new);

    private RecordFrame() {}

    /** The checksum of a record, from position to limit; the position stays. */
    public static int crc(ByteBuffer record) {
        CRC32C crc = CRC.get();
        crc.reset();
        int length = record.remaining();
        crc.update(length);
        crc.update(length >>> 8);
        crc.update(length >>> 16);
        crc.update(length >>> 24);
        crc.update(record.duplicate());
        return (int) crc.getValue();
    }

    /** Puts the header of a record's frame at the position of {@code target}. */
    public static void putHeader(ByteBuffer target, int length, int crc) {
        ByteOrder order = target.order();
        target.order(ByteOrder.LITTLE_ENDIAN).putInt(length).putInt(crc).order(order);
    }

    /** Length in the header at an absolute position; negative or too large in no valid frame. */
    public static int length(ByteBuffer frames, int at) {
        return littleEndian(frames, at);
    }

    /** Checksum in the header at an absolute position. */
    public static int crc(ByteBuffer frames, int at) {
        return littleEndian(frames, at + 4);
    }

    private static int littleEndian(ByteBuffer buffer, int at) {
        int value = buffer.getInt(at);
        return buffer.order() == ByteOrder.LITTLE_ENDIAN ? value : Integer.reverseBytes(value);
    }

    /**
     * Position behind {@code records} frames that begin at {@code at}; -1 if they do not end by
     * {@code end}, or a length is invalid.
     */
    public static int skip(ByteBuffer frames, int at, int end, int records) {
        int position = at;
        for (int i = 0; i < records; i++) {
            if (end - position < HEADER) {
                return -1;
            }
            int length = length(frames, position);
            if (length < 0 || length > end - position - HEADER) {
                return -1;
            }
            position += HEADER + length;
        }
        return position;
    }
}
