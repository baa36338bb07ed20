// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What is how cold. */
class ColdAgesTest {
    @Property
    void whatIsOlderIsNotWarmer(
            @ForAll @IntRange(min = 0) int one, @ForAll @IntRange(min = 0) int other) {
        assertThat(Integer.compare(ColdAges.step(one), ColdAges.step(other)))
                .isIn(0, Integer.compare(one, other));
    }

    /** Told apart is what differs by a fourth. */
    @Property
    void agesOfOneStepAreClose(@ForAll @IntRange(min = 8, max = 1 << 29) int age) {
        assertThat(ColdAges.step(age + age / 4 + 1)).isGreaterThan(ColdAges.step(age));
    }

    @Test
    void theOldestAgeIsWarmerThanWhatIsMisplaced() {
        assertThat(ColdAges.step(Integer.MAX_VALUE)).isLessThan(ColdAges.MISPLACED);
        assertThat(ColdAges.step(0)).isZero();
    }

    @Property
    void theStepFoundHoldsEnoughAndTheNextOneDoesNot(
            @ForAll @Size(min = 1, max = 30) List<@IntRange(min = 0, max = 100_000) Integer> ages,
            @ForAll @IntRange(min = 1, max = 40) int wanted) {
        ColdAges all = new ColdAges();
        ages.forEach(age -> all.add(ColdAges.step(age), 1));
        int step = all.coldest(wanted);
        long atAndAbove = ages.stream().filter(age -> ColdAges.step(age) >= step).count();
        assertThat(atAndAbove).isGreaterThanOrEqualTo(Math.min(wanted, ages.size()));
        assertThat(all.above(step)).isLessThan(wanted);
        assertThat(all.total()).isEqualTo(ages.size());
    }
}
