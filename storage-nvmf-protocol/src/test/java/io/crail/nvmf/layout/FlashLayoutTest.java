// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class FlashLayoutTest {
    private static final long MIB = 1 << 20;

    @Property
    void nothingOverlapsAndAllIsAligned(@ForAll @IntRange(min = 1, max = 1 << 20) int slabs) {
        FlashLayout layout = FlashLayout.ofData(slabs * MIB);
        assertThat(FlashLayout.counterOffset(layout.slots()))
                .isLessThanOrEqualTo(layout.recordsOffset());
        assertThat(layout.recordsOffset() + (long) layout.slots() * FlashLayout.UNIT)
                .isLessThanOrEqualTo(layout.dataOffset());
        assertThat(layout.dataOffset() % MIB).isZero();
        assertThat(layout.recordsOffset() % FlashLayout.UNIT).isZero();
        assertThat(layout.bytes()).isEqualTo(layout.dataOffset() + slabs * MIB);
    }

    @Property
    void theLargestLayoutThatFitsIsFound(
            @ForAll @LongRange(min = 4 * (1 << 20), max = 3L << 40) long bytes) {
        FlashLayout layout = FlashLayout.within(bytes);
        assertThat(layout.bytes()).isLessThanOrEqualTo(bytes);
        long more = layout.dataBytes() + MIB;
        if (more <= FlashLayout.MAX_DATA) {
            assertThat(FlashLayout.ofData(more).bytes()).isGreaterThan(bytes);
        }
    }

    @Test
    void aNamespaceWithoutRoomIsRefused() {
        assertThatThrownBy(() -> FlashLayout.within(MIB))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no room");
        assertThatThrownBy(() -> FlashLayout.ofData(MIB + 1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FlashLayout.ofData(FlashLayout.MAX_DATA + MIB))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void blocksBeginWhereTheirSizeLetsThem() {
        FlashLayout layout = FlashLayout.ofData(4 * MIB);
        assertThat(layout.isBlock(0, 1 << 20)).isTrue();
        assertThat(layout.isBlock(16, 64 << 10)).isTrue();
        assertThat(layout.isBlock(1008, 64 << 10)).isTrue();
        assertThat(layout.isBlock(1, 64 << 10)).isFalse();
        assertThat(layout.isBlock(16, 128 << 10)).isFalse();
        assertThat(layout.isBlock(0, 4096)).isFalse();
        assertThat(layout.isBlock(1024, 64 << 10)).isFalse();
        assertThat(layout.isBlock(-16, 64 << 10)).isFalse();
        assertThat(layout.isBlock(0, 2 << 20)).isFalse();
        assertThat(layout.isBlock(Integer.MAX_VALUE - 15, 64 << 10)).isFalse();
    }

    @Test
    void eachBlockHasARecordUnitOfItsOwn() {
        FlashLayout layout = FlashLayout.ofData(4 * MIB);
        assertThat(layout.recordOffset(16) - layout.recordOffset(0)).isEqualTo(FlashLayout.UNIT);
        assertThat(layout.dataOffset(16) - layout.dataOffset(0)).isEqualTo(FlashLayout.SLOT);
    }
}
