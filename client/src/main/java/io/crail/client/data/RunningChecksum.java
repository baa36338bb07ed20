// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.checksum.ChunkChecksum;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The checksums of a block while it is written from its start to its end: one CRC32C per chunk, the
 * last one running. Not thread-safe.
 */
public final class RunningChecksum {
    private final CRC32C chunk = new CRC32C();

    /** Bytes of the running chunk so far. */
    private int filled;

    /** Starts at a chunk boundary. */
    public void reset() {
        chunk.reset();
        filled = 0;
    }

    /** Goes on behind the bytes of a partial chunk. */
    public void resume(ByteBuffer partialChunk) {
        reset();
        filled = partialChunk.remaining();
        chunk.update(partialChunk.duplicate());
    }

    /** CRC of the partial chunk so far, 0 at a chunk boundary: what a commit states. */
    public int tail() {
        return filled == 0 ? 0 : (int) chunk.getValue();
    }

    /**
     * Takes the next bytes of the block; returns the salted checksums of all chunks they touch.
     *
     * @param offset where in the block they go; right behind the bytes taken before
     */
    public int[] update(BlockReference block, int offset, ByteBuffer data) {
        assert (offset & (BlockGeometry.CHUNK_SIZE - 1)) == filled;
        int length = data.remaining();
        int first = offset >> BlockGeometry.SLOT_SHIFT;
        int last = (offset + length - 1) >> BlockGeometry.SLOT_SHIFT;
        int[] salted = new int[last - first + 1];
        ByteBuffer rest = data.duplicate();
        for (int i = 0; i < salted.length; i++) {
            int piece = Math.min(BlockGeometry.CHUNK_SIZE - filled, rest.remaining());
            chunk.update(rest.limit(rest.position() + piece));
            rest.limit(data.limit());
            filled += piece;
            salted[i] =
                    ChunkChecksum.salted(
                            (int) chunk.getValue(), block.record() + first + i, block.generation());
            if (filled == BlockGeometry.CHUNK_SIZE) {
                reset();
            }
        }
        return salted;
    }
}
