// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.ExtentReader;
import io.crail.client.data.RunningChecksum;
import io.crail.client.data.WriteChecksums;
import io.crail.client.engine.Operation;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes of a writer into pieces that fit its blocks, with their checksums, and knows the
 * blocks that are not wholly committed. On the writer's strand.
 */
final class BlockCutter {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;
    private static final int[] NO_CHECKSUMS = {};

    /** A piece, and the salted checksums of the chunks it touches. */
    record Cut(Piece piece, WriteChecksums checksums) {}

    private final boolean checksums;
    private final RunningChecksum running = new RunningChecksum();
    private final ArrayDeque<OpenBlock> blocks = new ArrayDeque<>();
    private @Nullable OpenBlock current;

    BlockCutter(boolean checksums) {
        this.checksums = checksums;
    }

    /**
     * Goes on in the last block of the file. The bytes of its partial chunk are read back, because
     * its checksum must be continued; the committed checksum verifies them. If they cannot be read,
     * the next bytes just go into a block of their own.
     */
    CompletableFuture<Void> resume(
            Operation operation, String path, Extent last, ExtentReader reader, long position) {
        BlockReference block = last.block();
        int partial = checksums ? last.length() % CHUNK : 0;
        int needed = BlockReference.WRITE | (partial > 0 ? BlockReference.READ : 0);
        if (last.length() >= block.length()
                || last.end() != position
                || (block.rights() & needed) != needed) {
            return CompletableFuture.completedFuture(null);
        }
        OpenBlock open = new OpenBlock(block, position, last.length());
        if (partial == 0) {
            begin(open);
            return CompletableFuture.completedFuture(null);
        }
        ByteBuffer chunk = ByteBuffer.allocate(partial);
        return reader.read(operation, path, last, last.length() - partial, chunk, true)
                .handle(
                        (done, unreadable) -> {
                            if (unreadable == null) {
                                begin(open);
                                running.resume(chunk);
                            }
                            return null;
                        });
    }

    /** Begins a granted block. */
    void begin(BlockReference grant, long position) {
        begin(new OpenBlock(grant, position, 0));
    }

    private void begin(OpenBlock block) {
        running.reset();
        blocks.add(block);
        current = block;
    }

    boolean hasRoom() {
        OpenBlock block = current;
        return block != null && block.room() > 0;
    }

    /** Bytes that the current block has room for. */
    int room() {
        OpenBlock block = current;
        return block == null ? 0 : block.room();
    }

    /** The block that was begun last, or null. */
    @Nullable BlockReference reference() {
        OpenBlock block = current;
        return block == null ? null : block.reference();
    }

    /** Bytes in front of the next ones in their block. */
    int filled() {
        OpenBlock block = current;
        return block == null || block.room() == 0 ? 0 : block.assigned();
    }

    /** Whether the next piece would begin in a chunk whose beginning is still under way. */
    boolean mustWait(PieceQueue pieces) {
        OpenBlock block = current;
        return block != null && block.assigned() % CHUNK != 0 && pieces.isLastUnderWay(block);
    }

    /** Cuts as much of the fragment as fits into the current block, which has room. */
    Cut cut(Fragment fragment) {
        OpenBlock block = current;
        if (block == null) {
            throw new IllegalStateException("no block to cut for");
        }
        ByteBuffer rest = fragment.data();
        int length = Math.min(rest.remaining(), block.room());
        ByteBuffer data = rest.slice(rest.position(), length);
        rest.position(rest.position() + length);
        int offset = block.assigned();
        WriteChecksums sums = sums(block.reference(), offset, data);
        block.assign(length);
        int tail = checksums ? running.tail() : 0;
        return new Cut(new Piece(block, offset, data, fragment.owner(), tail), sums);
    }

    /** Whole chunks continue nothing and are not continued: their checksums can be made later. */
    private WriteChecksums sums(BlockReference block, int offset, ByteBuffer data) {
        if (!checksums) {
            return WriteChecksums.known(data, NO_CHECKSUMS);
        }
        return (offset | data.remaining()) % CHUNK == 0
                ? WriteChecksums.toBeMade(block, offset, data)
                : WriteChecksums.known(data, running.update(block, offset, data));
    }

    /** Blocks that are not wholly committed, in order. */
    Iterable<OpenBlock> blocks() {
        return blocks;
    }

    int uncommittedBlocks() {
        return blocks.size();
    }

    void forgetCommitted() {
        while (!blocks.isEmpty() && blocks.element().isDone()) {
            blocks.remove();
        }
    }

    /**
     * Ends a block at what is committed of it, and forgets those behind; returns the blocks of
     * which nothing is needed.
     */
    List<BlockId> abandonFrom(OpenBlock lost) {
        List<BlockId> useless = new ArrayList<>();
        while (!blocks.isEmpty() && blocks.getLast() != lost) {
            useless.add(blocks.removeLast().reference().id());
        }
        if (lost.committed() > 0) {
            lost.seal();
        } else {
            blocks.removeLast();
            useless.add(lost.reference().id());
        }
        current = null;
        return useless;
    }
}
