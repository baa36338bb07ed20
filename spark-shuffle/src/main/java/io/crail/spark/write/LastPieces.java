// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import io.crail.protocol.block.BlockGeometry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The order of what a map output ends with: what is left of its partitions when the last record was
 * written.
 *
 * <p>Until then pieces are as large as blocks of the store, and each has one. Those at the end are
 * as large as chance has it, and if one followed another, most would lie across two blocks: two
 * commands to write one, two to read it, and two records of checksums for each. So a piece that is
 * nearly as large as a block gets one by itself, with zeros behind it up to its end. Where a stream
 * has only a little left, that goes into such a gap: its reader gets it by itself wherever it is.
 *
 * <p>All others keep the order of partitions, because readers fetch neighbours together.
 */
final class LastPieces {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    /** Bytes of a block. */
    static final int BLOCK = BlockGeometry.MAX_BLOCK;

    /** From here on a piece may get a block. */
    static final int LARGE = BLOCK / 4 * 3;

    /** Zeros that a block may have at its end. */
    static final int WASTE = BLOCK / 8;

    /**
     * Pieces that share a block.
     *
     * @param large the first one, by its number
     * @param small those behind it, each from the next chunk on, in this order
     */
    record Shared(int large, List<Integer> small) {}

    /** A block while it is filled. */
    private static final class Filling {
        private final Shared pieces;
        private int room;

        Filling(int large, int bytes) {
            this.pieces = new Shared(large, new ArrayList<>());
            this.room = BLOCK - chunks(bytes);
        }

        void add(int piece, int bytes) {
            pieces.small.add(piece);
            room -= chunks(bytes);
        }
    }

    private LastPieces() {}

    /**
     * Which pieces get blocks of their own.
     *
     * @param bytes of each piece, at most a block; 0 if there is none
     * @param continued whether it continues a stream that has pieces elsewhere
     */
    static List<Shared> inBlocks(int[] bytes, boolean[] continued) {
        List<Filling> blocks = new ArrayList<>();
        List<Integer> gaps = new ArrayList<>();
        for (int piece = 0; piece < bytes.length; piece++) {
            if (bytes[piece] >= LARGE) {
                blocks.add(new Filling(piece, bytes[piece]));
            } else if (continued[piece] && bytes[piece] > 0) {
                gaps.add(piece);
            }
        }
        // The largest first, each where it leaves the least room.
        gaps.sort((one, other) -> Integer.compare(bytes[other], bytes[one]));
        for (int piece : gaps) {
            Filling tightest = null;
            for (Filling each : blocks) {
                if (chunks(bytes[piece]) <= each.room
                        && (tightest == null || each.room < tightest.room)) {
                    tightest = each;
                }
            }
            if (tightest != null) {
                tightest.add(piece, bytes[piece]);
            }
        }
        return blocks.stream().filter(each -> each.room <= WASTE).map(each -> each.pieces).toList();
    }

    /** Bytes of whole chunks. */
    private static int chunks(int bytes) {
        return (bytes + CHUNK - 1) & -CHUNK;
    }

    /** Whether there is any piece but those of the blocks. */
    static boolean isMore(int[] bytes, List<Shared> blocks) {
        long all = Arrays.stream(bytes).filter(each -> each > 0).count();
        return all > blocks.stream().mapToInt(each -> 1 + each.small.size()).sum();
    }
}
