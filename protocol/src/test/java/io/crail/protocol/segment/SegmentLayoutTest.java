// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.checksum.ChunkChecksum;
import io.crail.protocol.golden.GoldenVector;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class SegmentLayoutTest {
    private static final GoldenVector HEADER = GoldenVector.load("segment/header.txt");

    @Test
    void offsetsAreThoseOfTheGoldenHeader() {
        Map<String, Integer> offsets =
                Map.ofEntries(
                        Map.entry("magic", SegmentLayout.MAGIC_OFFSET),
                        Map.entry("version", SegmentLayout.VERSION_OFFSET),
                        Map.entry("crc", SegmentLayout.CRC_OFFSET),
                        Map.entry("cookie", SegmentLayout.COOKIE_OFFSET),
                        Map.entry("cluster", SegmentLayout.CLUSTER_OFFSET),
                        Map.entry("server", SegmentLayout.SERVER_OFFSET),
                        Map.entry("segment", SegmentLayout.SEGMENT_OFFSET),
                        Map.entry("incarnation", SegmentLayout.INCARNATION_OFFSET),
                        Map.entry("slots", SegmentLayout.SLOTS_OFFSET),
                        Map.entry("flags", SegmentLayout.FLAGS_OFFSET),
                        Map.entry("generationsOffset", SegmentLayout.GENERATIONS_OFFSET),
                        Map.entry("checksumsOffset", SegmentLayout.CHECKSUMS_OFFSET),
                        Map.entry("dataOffset", SegmentLayout.DATA_OFFSET),
                        Map.entry("dataBytes", SegmentLayout.DATA_BYTES_OFFSET),
                        Map.entry("zero", 112));
        int at = 0;
        for (var field : HEADER.fields()) {
            assertThat(offsets.get(field.name())).as(field.name()).isEqualTo(at);
            at += field.bytes().length;
        }
        assertThat(at).isEqualTo(SegmentLayout.CHECKED_TO);
    }

    @Test
    void constantsAreThoseOfTheGoldenHeader() {
        assertThat(SegmentLayout.MAGIC).isEqualTo(HEADER.number("magic"));
        assertThat(SegmentLayout.VERSION).isEqualTo((int) HEADER.number("version"));
        long data = HEADER.number("dataBytes");
        assertThat(SegmentLayout.slots(data)).isEqualTo((int) HEADER.number("slots"));
        assertThat(SegmentLayout.generationsOffset()).isEqualTo(HEADER.number("generationsOffset"));
        assertThat(SegmentLayout.checksumsOffset(data)).isEqualTo(HEADER.number("checksumsOffset"));
        assertThat(SegmentLayout.dataOffset(data)).isEqualTo(HEADER.number("dataOffset"));
    }

    @Test
    void goldenHeaderHasItsChecksum() {
        ByteBuffer bytes = ByteBuffer.wrap(HEADER.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        int checked = SegmentLayout.CHECKED_TO - SegmentLayout.CHECKED_FROM;
        assertThat(ChunkChecksum.crc(bytes, SegmentLayout.CHECKED_FROM, checked))
                .isEqualTo(bytes.getInt(SegmentLayout.CRC_OFFSET));
    }

    @Property
    void partsFollowEachOtherAndAreAligned(@ForAll @IntRange(min = 1, max = 1024) int slabs) {
        long data = (long) slabs * BlockGeometry.SLAB_SIZE;
        int slots = SegmentLayout.slots(data);
        assertThat(slots).isEqualTo(slabs * BlockGeometry.SLOTS_PER_SLAB);
        assertThat(SegmentLayout.generationsOffset()).isEqualTo(SegmentLayout.HEADER_SIZE);
        assertThat(SegmentLayout.checksumsOffset(data))
                .isEqualTo(SegmentLayout.generationsOffset() + 8L * slots);
        long endOfControl = SegmentLayout.checksumsOffset(data) + 4L * slots;
        assertThat(SegmentLayout.dataOffset(data))
                .isBetween(endOfControl, endOfControl + (2 << 20));
        assertThat(SegmentLayout.dataOffset(data) % (2 << 20)).isZero();
        assertThat(SegmentLayout.fileSize(data)).isEqualTo(SegmentLayout.dataOffset(data) + data);
    }

    @Test
    void largestSegmentIsMappedInOnePiece() {
        assertThat(SegmentLayout.fileSize(SegmentLayout.MAX_DATA)).isLessThan(Integer.MAX_VALUE);
    }
}
