// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** Close to the overflow, which a clock of nanoseconds may meet. */
    private long now = Long.MAX_VALUE - 2 * MILLI;

    private final Pace pace = new Pace(3 * MILLI, MILLI, now);

    @Test
    void theFirstRoundNeedNotWait() {
        assertThat(pace.isDue(now)).isTrue();
        assertThat(pace.millisLeft(now)).isZero();
    }

    @Test
    void theNextRoundWaitsForTheInterval() {
        pace.begin(now);
        assertThat(pace.isDue(now)).isFalse();
        assertThat(pace.millisLeft(now)).isEqualTo(3);
        now += 3 * MILLI - 1;
        assertThat(pace.isDue(now)).isFalse();
        assertThat(pace.millisLeft(now)).isZero();
        now++;
        assertThat(pace.isDue(now)).isTrue();
    }

    @Test
    void aRoundAfterAPauseNeedNotWaitAndNothingIsSavedUp() {
        pace.begin(now);
        now += 100 * MILLI;
        assertThat(pace.isDue(now)).isTrue();
        pace.begin(now);
        assertThat(pace.isDue(now)).isFalse();
        assertThat(pace.millisLeft(now)).isEqualTo(3);
    }

    @Test
    void aRoundWithMuchToDoIsFollowedSoonerByTheNextOneOnly() {
        pace.hurry();
        assertThat(pace.isDue(now)).isTrue();
        pace.begin(now);
        pace.hurry();
        assertThat(pace.millisLeft(now)).isEqualTo(1);
        now += MILLI;
        assertThat(pace.isDue(now)).isTrue();
        pace.begin(now);
        assertThat(pace.millisLeft(now)).isEqualTo(3);
    }
}
