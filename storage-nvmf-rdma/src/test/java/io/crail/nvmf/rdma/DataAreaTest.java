// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DataAreaTest {
    private static final int UNIT = DataArea.UNIT;

    private record Part(int offset, int bytes) {
        boolean overlaps(Part other) {
            return offset < other.offset + other.bytes && other.offset < offset + bytes;
        }
    }

    @Test
    void firstPartThatFitsIsTakenInWholeUnits() {
        DataArea area = new DataArea(8 * UNIT);
        assertThat(area.take(1)).isZero();
        assertThat(area.take(UNIT + 1)).isEqualTo(UNIT);
        assertThat(area.take(4 * UNIT)).isEqualTo(3 * UNIT);
        assertThat(area.take(2 * UNIT)).isEqualTo(-1);

        area.giveBack(UNIT, UNIT + 1);
        assertThat(area.take(3 * UNIT)).isEqualTo(-1);
        assertThat(area.take(2 * UNIT)).isEqualTo(UNIT);
        assertThat(area.take(UNIT)).isEqualTo(7 * UNIT);
        assertThat(area.take(1)).isEqualTo(-1);
    }

    @Test
    void whatIsNotTakenIsNotGivenBack() {
        DataArea area = new DataArea(4 * UNIT);
        assertThat(area.take(UNIT)).isZero();
        assertThatThrownBy(() -> area.giveBack(0, 2 * UNIT))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> area.giveBack(-UNIT, UNIT))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> area.giveBack(4 * UNIT, UNIT))
                .isInstanceOf(IllegalStateException.class);
        area.giveBack(0, UNIT);
        assertThatThrownBy(() -> area.giveBack(0, UNIT)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> area.take(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DataArea(UNIT + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Each number takes so many bytes, or gives back one part if it is 0 or there is no room. */
    @Property(tries = 200)
    void partsNeverOverlapAndAllComesBack(
            @ForAll @Size(max = 60) List<@IntRange(max = 5 * DataArea.UNIT) Integer> steps) {
        DataArea area = new DataArea(16 * UNIT);
        List<Part> taken = new ArrayList<>();
        for (int bytes : steps) {
            int offset = bytes == 0 ? -1 : area.take(bytes);
            if (offset >= 0) {
                Part part = new Part(offset, bytes);
                assertThat(offset + bytes).isLessThanOrEqualTo(area.bytes());
                assertThat(taken).noneMatch(part::overlaps);
                taken.add(part);
            } else if (!taken.isEmpty()) {
                Part part = taken.remove(bytes % taken.size());
                area.giveBack(part.offset, part.bytes);
            }
        }
        taken.forEach(each -> area.giveBack(each.offset, each.bytes));
        assertThat(area.take(area.bytes())).isZero();
    }
}
