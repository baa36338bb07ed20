// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.checksum.ChunkChecksum;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReadCheckTest {
    private static final int CHUNK = BlockGeometry.CHUNK_SIZE;

    /** Where in the memory the extent lies: at no boundary, so that a mistaken base shows. */
    private static final int AT = 3 * CHUNK + 8;

    /** Three steps, the last of which is short, and a partial chunk. */
    private static final int LENGTH = 37 * CHUNK + 100;

    private static final int CHUNKS = 38;
    private static final BlockReference BLOCK =
            new BlockReference(7, 0, 0, 1 << 20, 512, 0xC0FFEE01_00000005L, 0, BlockReference.READ);

    private final ByteBuffer memory = memory(LENGTH);
    private final Extent extent = extent(LENGTH);
    private final int[] stored = stored(0, CHUNKS);

    private static ByteBuffer memory(int length) {
        byte[] bytes = new byte[AT + length];
        new Random(length).nextBytes(bytes);
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    private int crc(int chunk) {
        int at = chunk * CHUNK;
        return ChunkChecksum.crc(memory, AT + at, Math.min(CHUNK, LENGTH - at));
    }

    private Extent extent(int length) {
        int last = length / CHUNK;
        int tail =
                length % CHUNK == 0
                        ? 0
                        : ChunkChecksum.crc(memory, AT + last * CHUNK, length % CHUNK);
        return new Extent(0, length, tail, BLOCK);
    }

    private int[] stored(int first, int end) {
        int[] salted = new int[end - first];
        for (int i = first; i < end; i++) {
            salted[i - first] =
                    ChunkChecksum.salted(crc(i), BLOCK.record() + i, BLOCK.generation());
        }
        return salted;
    }

    private static ByteBuffer target(int length) {
        return ByteBuffer.allocateDirect(length + 2 * 64).position(64).limit(length + 64);
    }

    /** Flips a bit of the memory while something is done. */
    private void damaged(int at, int bit, Runnable action) {
        byte good = memory.get(AT + at);
        memory.put(AT + at, (byte) (good ^ (1 << bit)));
        try {
            action.run();
        } finally {
            memory.put(AT + at, good);
        }
    }

    @Property
    void anyRangeOfGoodChunksIsGood(
            @ForAll @IntRange(max = CHUNKS - 1) int from,
            @ForAll @IntRange(min = 1, max = CHUNKS) int count) {
        int end = Math.min(CHUNKS, from + count);
        int length = Math.min(LENGTH, end * CHUNK) - from * CHUNK;
        ByteBuffer target = target(length);
        int[] seen = ReadCheck.copy(memory, AT + from * CHUNK, target);
        assertThat(target).isEqualTo(memory.slice(AT + from * CHUNK, length));
        int[] sums = stored(from, end);
        assertThat(ReadCheck.firstBad(extent, from * CHUNK, target, sums, seen)).isEqualTo(-1);
        assertThat(ReadCheck.firstBad(extent, from * CHUNK, target, sums, null)).isEqualTo(-1);
    }

    @Property
    void oneChangedBitIsFoundInItsChunk(
            @ForAll @IntRange(max = LENGTH - 1) int at, @ForAll @IntRange(max = 7) int bit) {
        damaged(
                at,
                bit,
                () -> {
                    ByteBuffer target = target(LENGTH);
                    int[] seen = ReadCheck.copy(memory, AT, target);
                    assertFirstBad(at / CHUNK, target, seen);
                });
    }

    private void assertFirstBad(int chunk, ByteBuffer target, int[] seen) {
        assertThat(ReadCheck.firstBad(extent, 0, target, stored, seen)).isEqualTo(chunk);
        assertThat(ReadCheck.firstBad(extent, 0, target, stored, null)).isEqualTo(chunk);
    }

    @Test
    void theFirstOfSeveralDamagedChunksIsNamed() {
        for (int i = 0; i < CHUNKS - 1; i++) {
            int chunk = i;
            damaged(
                    LENGTH - 1,
                    0,
                    () ->
                            damaged(
                                    chunk * CHUNK + CHUNK - 1,
                                    7,
                                    () -> {
                                        ByteBuffer target = target(LENGTH);
                                        int[] seen = ReadCheck.copy(memory, AT, target);
                                        assertFirstBad(chunk, target, seen);
                                    }));
        }
    }

    @Test
    void chunksThatChangedPlacesAreBad() {
        ByteBuffer target = target(LENGTH);
        for (int i = 0; i + 1 < CHUNKS - 1; i++) {
            int first = i * CHUNK;
            ReadCheck.copy(memory, AT, target);
            target.put(64 + first, memory, AT + first + CHUNK, CHUNK);
            target.put(64 + first + CHUNK, memory, AT + first, CHUNK);
            assertThat(ReadCheck.firstBad(extent, 0, target, stored, null)).isEqualTo(i);
        }
    }

    @Test
    void checksumsOfAnotherGenerationAreBad() {
        BlockReference other =
                new BlockReference(7, 0, 0, 1 << 20, 512, BLOCK.generation() + 1, 0, 1);
        ByteBuffer target = target(CHUNK * 16);
        int[] seen = ReadCheck.copy(memory, AT, target);
        int[] sums = stored(0, 16);
        Extent stale = new Extent(0, CHUNK * 16, 0, other);
        assertThat(ReadCheck.firstBad(stale, 0, target, sums, seen)).isZero();
        assertThat(ReadCheck.firstBad(stale, 0, target, sums, null)).isZero();
    }

    @Test
    void aMissingChecksumIsBad() {
        ByteBuffer target = target(LENGTH);
        int[] seen = ReadCheck.copy(memory, AT, target);
        int[] few = Arrays.copyOf(stored, CHUNKS - 1);
        assertThat(ReadCheck.firstBad(extent, 0, target, few, seen)).isZero();
        assertThat(ReadCheck.firstBad(extent, 0, target, new int[0], seen)).isZero();
    }

    /** A writer goes on in the partial chunk while its committed part is read. */
    @Test
    void whatIsStoredBehindTheExtentDoesNotCount() {
        int length = 5 * CHUNK + 100;
        Extent shorter = extent(length);
        ByteBuffer target = target(length);
        int[] seen = ReadCheck.copy(memory, AT, target);
        int[] sums = stored(0, 6);
        assertThat(ReadCheck.firstBad(shorter, 0, target, sums, seen)).isEqualTo(-1);
        sums[5] ^= 1;
        assertThat(ReadCheck.firstBad(shorter, 0, target, sums, seen)).isEqualTo(-1);
        damaged(
                5 * CHUNK + 99,
                3,
                () -> {
                    int[] again = ReadCheck.copy(memory, AT, target);
                    assertThat(ReadCheck.firstBad(shorter, 0, target, sums, again)).isEqualTo(5);
                });
    }

    /** Good bytes that arrived though others were seen first: nothing is wrong with them. */
    @Test
    void whatArrivedDecidesIfItIsRight() {
        ByteBuffer target = target(LENGTH);
        int[] seen = ReadCheck.copy(memory, AT, target);
        seen[1] ^= 0x100;
        assertThat(ReadCheck.firstBad(extent, 0, target, stored, seen)).isEqualTo(-1);
    }
}
