// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** References, extents and generations: what their decoders refuse. */
class BlocksTest {
    private static final BlockReference GOOD =
            new BlockReference(3, 1, 1 << 20, 64 << 10, 256, 5, 6, BlockReference.READ);

    private static WireReader reader(WireWriter writer) {
        return new WireReader(writer.buffer().flip());
    }

    private static WireReader encoded(BlockReference reference) {
        WireWriter writer = new WireWriter(64, 64);
        reference.encode(writer);
        return reader(writer);
    }

    private static WireReader encoded(Extent extent) {
        WireWriter writer = new WireWriter(128, 128);
        extent.encode(writer);
        return reader(writer);
    }

    private static BlockReference block(long offset, int length) {
        return new BlockReference(3, 1, offset, length, 256, 5, 6, BlockReference.READ);
    }

    @Test
    void sizesOnTheWireAreWhatTheyClaim() throws ProtocolException {
        assertThat(encoded(GOOD).remaining()).isEqualTo(BlockReference.WIRE_SIZE);
        Extent extent = new Extent(0, 1, 0, GOOD);
        assertThat(encoded(extent).remaining()).isEqualTo(Extent.WIRE_SIZE);
        assertThat(Extent.decode(encoded(extent))).isEqualTo(extent);
        assertThat(GOOD.id()).isEqualTo(new BlockId(3, 1, 256));
    }

    @Test
    void blocksOfALongFileSpreadOverTheBucketsOfAMap() {
        int buckets = 1024;
        Set<Integer> used = new HashSet<>();
        for (int i = 0; i < buckets; i++) {
            int hash = new BlockId(3, i / 512, i % 512 * 256).hashCode();
            used.add((hash ^ hash >>> 16) & (buckets - 1));
        }
        // Chance would use 647.
        assertThat(used).hasSizeGreaterThan(buckets / 2);
    }

    @Test
    void blockSizesArePowersOfTwoFrom4KiBTo1MiB() throws ProtocolException {
        for (int size = BlockGeometry.MIN_BLOCK; size <= BlockGeometry.MAX_BLOCK; size *= 2) {
            assertThat(BlockGeometry.isBlockSize(size)).isTrue();
            assertThat(BlockReference.decode(encoded(block(0, size))).length()).isEqualTo(size);
        }
        for (int size : new int[] {0, 1, 2048, 4095, 4097, 12288, 2 << 20, Integer.MIN_VALUE}) {
            assertThat(BlockGeometry.isBlockSize(size)).isFalse();
            assertThatThrownBy(() -> BlockReference.decode(encoded(block(0, size))))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void blocksBeginAtSlots() {
        for (long offset : new long[] {1, 2048, 4095, 4097, -4096, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> BlockReference.decode(encoded(block(offset, 4096))))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void reservedBytesBehindTheRightsAreIgnored() throws ProtocolException {
        WireWriter writer = new WireWriter(64, 64);
        GOOD.encode(writer);
        writer.setI32(44, -1);
        writer.setU16(42, 0xFFFF);
        assertThat(BlockReference.decode(reader(writer))).isEqualTo(GOOD);
    }

    @Test
    void extentIsNoLongerThanItsBlock() throws ProtocolException {
        assertThat(Extent.decode(encoded(new Extent(0, 64 << 10, 0, GOOD))).end())
                .isEqualTo(64 << 10);
        assertThatThrownBy(() -> Extent.decode(encoded(new Extent(0, (64 << 10) + 1, 0, GOOD))))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void extentHasAnEnd() throws ProtocolException {
        long last = Long.MAX_VALUE - 100;
        assertThat(Extent.decode(encoded(new Extent(last, 100, 0, GOOD))).end())
                .isEqualTo(Long.MAX_VALUE);
        assertThatThrownBy(() -> Extent.decode(encoded(new Extent(last, 101, 0, GOOD))))
                .isInstanceOf(ProtocolException.class);
    }

    @Test
    void unknownLayoutOfAnExtentIsRefused() {
        for (int layoutAndCount : new int[] {0x0102, 0x0100, 0x0201, 0x0001}) {
            WireWriter writer = new WireWriter(128, 128);
            new Extent(0, 1, 0, GOOD).encode(writer);
            writer.setU16(16, layoutAndCount);
            assertThatThrownBy(() -> Extent.decode(reader(writer)))
                    .isInstanceOf(ProtocolException.class)
                    .hasMessageContaining("layout");
        }
    }

    @Test
    void committedLengthIsOfOneBlock() throws ProtocolException {
        for (int length : new int[] {1, BlockGeometry.MAX_BLOCK}) {
            WireWriter writer = new WireWriter(32, 32);
            new CommittedExtent(GOOD, length, 9).encode(writer);
            assertThat(writer.position()).isEqualTo(CommittedExtent.WIRE_SIZE);
            assertThat(CommittedExtent.decode(reader(writer)).length()).isEqualTo(length);
        }
        for (int length : new int[] {0, -1, BlockGeometry.MAX_BLOCK + 1}) {
            WireWriter writer = new WireWriter(32, 32);
            new CommittedExtent(GOOD, length, 9).encode(writer);
            assertThatThrownBy(() -> CommittedExtent.decode(reader(writer)))
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void generationIsIncarnationAndCounter() {
        for (int incarnation : new int[] {1, -1, Integer.MIN_VALUE}) {
            for (int counter : new int[] {Generation.FIRST_COUNTER, -1, Integer.MIN_VALUE}) {
                long generation = Generation.of(incarnation, counter);
                assertThat(Generation.incarnation(generation)).isEqualTo(incarnation);
                assertThat(Generation.counter(generation)).isEqualTo(counter);
            }
        }
        assertThat(Generation.of(0xC0FFEE01, 5)).isEqualTo(0xC0FFEE01_00000005L);
    }
}
