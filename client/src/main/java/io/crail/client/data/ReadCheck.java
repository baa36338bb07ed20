// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.Extent;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.checksum.CrcCombine;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Compares what was read with the stored checksums of its chunks.
 *
 * <p><b>In steps.</b> One CRC is taken of 64 KiB and compared with the one that follows from the
 * checksums of the 16 chunks ({@link CrcCombine}). A chunk that differs changes it, whichever it
 * is; only then are single chunks compared, to find out which. A CRC of 64 KiB is taken in three
 * streams far apart, so that memory which is in no cache comes twice as fast as by chunks.
 *
 * <p><b>Before the copy.</b> What is copied out of mapped memory is summed there, step by step, and
 * copied out of the cache then. That checks the copy as well, since the bytes of an extent do not
 * change while its block has the generation, which the data path makes sure of afterwards (ADR 1,
 * ADR 7: writers pin the block that they copy into, and write behind what is committed). The one
 * chunk that may be written meanwhile, the partial last one, is checked in the copy.
 */
final class ReadCheck {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;
    private static final int STEP = 64 << 10;
    private static final CrcCombine CHUNKS = CrcCombine.ofParts(CHUNK);

    private ReadCheck() {}

    /**
     * Fills the target from mapped memory; position and limit of both stay where they are.
     *
     * @return the CRC of each step, taken of the memory, for {@link #firstBad}
     */
    static int[] copy(ByteBuffer memory, int from, ByteBuffer target) {
        int whole = target.remaining() & -CHUNK;
        int to = target.position();
        int[] seen = new int[(whole + STEP - 1) / STEP];
        for (int i = 0; i < seen.length; i++) {
            int at = i * STEP;
            int length = Math.min(STEP, whole - at);
            seen[i] = ChunkChecksum.crc(memory, from + at, length);
            target.put(to + at, memory, from + at, length);
        }
        target.put(to + whole, memory, from + whole, target.remaining() - whole);
        return seen;
    }

    /**
     * Index, within the block, of the first chunk whose checksum does not match, or -1.
     *
     * @param start where in the extent the data begin: at a chunk, and they end with one or with
     *     the extent
     * @param stored checksums of the chunks
     * @param seen what {@link #copy} returned; null: look at the data
     */
    static int firstBad(
            Extent extent, int start, ByteBuffer data, int[] stored, int @Nullable [] seen) {
        int first = start / CHUNK;
        if (stored.length != chunks(data.remaining())) {
            return first;
        }
        int whole = data.remaining() / CHUNK;
        int perStep = STEP / CHUNK;
        for (int from = 0; from < whole; from += perStep) {
            int to = Math.min(from + perStep, whole);
            int crc =
                    seen != null
                            ? seen[from / perStep]
                            : ChunkChecksum.crc(
                                    data, data.position() + from * CHUNK, (to - from) * CHUNK);
            if (crc != expected(extent, first, stored, from, to)) {
                int bad = firstBadChunk(extent, first, data, stored, from, to);
                if (bad >= 0) {
                    return bad;
                }
            }
        }
        return whole == stored.length
                ? -1
                : firstBadChunk(extent, first, data, stored, whole, stored.length);
    }

    static int chunks(int bytes) {
        return (bytes + CHUNK - 1) / CHUNK;
    }

    /** What the CRC of these chunks must be, all of which are full. */
    private static int expected(Extent extent, int first, int[] stored, int from, int to) {
        int crc = 0;
        for (int i = from; i < to; i++) {
            crc = CHUNKS.combine(crc, expected(extent, first + i, stored[i]));
        }
        return crc;
    }

    private static int firstBadChunk(
            Extent extent, int first, ByteBuffer data, int[] stored, int from, int to) {
        for (int i = from; i < to; i++) {
            int at = i * CHUNK;
            int size = Math.min(CHUNK, data.remaining() - at);
            int crc = ChunkChecksum.crc(data, data.position() + at, size);
            if (crc != expected(extent, first + i, stored[i])) {
                return first + i;
            }
        }
        return -1;
    }

    /**
     * The tail of an extent is checked against what was committed with its length: a writer may
     * have gone on in that chunk.
     */
    private static int expected(Extent extent, int chunk, int stored) {
        boolean tail = extent.length() % CHUNK != 0 && chunk == extent.length() / CHUNK;
        return tail
                ? extent.tailCrc()
                : ChunkChecksum.salted(
                        stored, extent.block().record() + chunk, extent.block().generation());
    }
}
