// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.hugepages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.segment.SegmentLayout;
import java.nio.file.Path;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HugePageMountTest {
    private static final long MIB = 1L << 20;
    private static final long MUCH = 1L << 40;

    private static HugePageMount mount(long pageMib) {
        return new HugePageMount(Path.of("/huge"), pageMib * MIB, Path.of("/"));
    }

    @Property
    void filesOfSegmentsFillPagesOf2MibAndLittleIsLost(
            @ForAll @LongRange(min = 2, max = 1024) long wantedMib) throws Exception {
        long size = mount(2).segmentSize(wantedMib * MIB, MUCH);
        assertThat(size).isBetween((wantedMib - 1) * MIB, wantedMib * MIB);
        assertThat(SegmentLayout.fileSize(size) % (2 * MIB)).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "1024, 256, 1020", // larger than asked for: none smaller fills a page
        "1024, 1024, 1020",
        "512, 1024, 1020",
        "512, 600, 510",
        "32, 256, 254",
        "2, 1, 2"
    })
    void filesOfSegmentsFillPagesOfOtherSizes(long pageMib, long wantedMib, long expectedMib)
            throws Exception {
        long size = mount(pageMib).segmentSize(wantedMib * MIB, MUCH);
        assertThat(size).isEqualTo(expectedMib * MIB);
        assertThat(SegmentLayout.fileSize(size) % (pageMib * MIB)).isZero();
    }

    @Test
    void pagesThatNoSegmentFillsAreRefused() {
        assertThatThrownBy(() -> mount(16 << 10).segmentSize(256 * MIB, MUCH))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("pages of 16 GiB")
                .hasMessageContaining("smaller pagesize");
        assertThatThrownBy(() -> mount(1024).segmentSize(256 * MIB, 512 * MIB))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("storage.capacity = 512 MiB")
                .hasMessageContaining("1020 MiB");
    }

    @Test
    void theNumberOfPagesCountsWholeSegmentsWithTheirControlAreas() {
        assertThat(mount(2).pagesFor(1024 * MIB, 256 * MIB)).isEqualTo(4 * 129);
        assertThat(mount(1024).pagesFor(5 * 1024 * MIB, 1020 * MIB)).isEqualTo(5);
    }

    @Test
    void aShortageNamesPagesAndRemedy() {
        HugePageRoom room = new HugePageRoom(2 * MIB, 10, 3, HugePageRoom.Limit.POOL, true);
        assertThat(mount(2).shortage(516, room))
                .isEqualTo(
                        "516 pages of 2 MiB (1.0 GiB) are needed in /huge, and 3 are free; as root:"
                                + " sysctl -w vm.nr_hugepages=523, or lower storage.capacity");
    }
}
