// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.polling.SpinPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One thread plays all: what others do happens when the one that waits looks at the clock. */
@Timeout(60)
class CompanyTest {
    private static final long LOOK = Company.PATIENCE_NANOS / 4;

    private long now = -7; // of a clock that may be negative
    private long step = LOOK;
    private int looks;
    private Runnable meanwhile = () -> {};
    private final Company company = new Company(this::look);

    private long look() {
        if (looks++ > 0) {
            meanwhile.run();
        }
        now += step;
        return now;
    }

    /** Asks, as one of so many that were answered; whether it waited. */
    private boolean asksAmong(int answered) {
        company.answered(answered);
        company.asks();
        looks = 0;
        company.await(() -> false);
        return looks > 0;
    }

    @Test
    void whoIsAnsweredAloneNeverWaits() {
        for (int i = 0; i < 100; i++) {
            assertThat(company.isAlone()).isTrue();
            assertThat(asksAmong(1)).isFalse();
        }
    }

    @Test
    void whoAsksFirstWaitsUntilAllHaveAsked() {
        step = 0;
        meanwhile =
                () -> {
                    if (looks == 5 || looks == 9) {
                        assertThat(company.isAlone()).isFalse();
                        company.asks();
                    }
                };

        assertThat(asksAmong(3)).isTrue();

        assertThat(looks).isBetween(9, 10);
        assertThat(company.isAlone()).isTrue();
    }

    @Test
    void theLastOneIsWaitedForAndDoesNotWait() {
        company.answered(2);
        company.asks();
        step = 0;
        meanwhile =
                () -> {
                    meanwhile = () -> {};
                    assertThat(company.isAlone()).isFalse();
                    company.asks();
                    int before = looks;
                    company.await(() -> false);
                    assertThat(looks).isEqualTo(before);
                };

        company.await(() -> false);

        assertThat(company.isAlone()).isTrue();
    }

    @Test
    void nobodyIsWaitedForLongerThanPatience() {
        assertThat(asksAmong(2)).isTrue();

        assertThat((looks - 1) * LOOK).isEqualTo(Company.PATIENCE_NANOS);
        assertThat(company.isAlone()).isTrue();
    }

    @Test
    void aWaitEndsWhenSomebodySentTheFrame() {
        company.answered(2);
        company.asks();
        step = 0;

        company.await(() -> looks == 3);

        assertThat(looks).isBetween(3, 4);
    }

    @Test
    void waitsInVainBecomeRare() {
        int waits = 0;
        for (int i = 0; i < 6400; i++) {
            waits += asksAmong(2) ? 1 : 0;
        }

        assertThat(waits).isBetween(100, 6400 / (Company.MOST_LEFT_OUT + 1) + 7);
    }

    @Test
    void waitsThatPayAreNotLeftOut() {
        for (int i = 0; i < 100; i++) {
            asksAmong(2);
            company.asks();
        }
        meanwhile = company::asks;
        while (!asksAmong(2)) {
            company.asks();
        }

        for (int i = 0; i < 100; i++) {
            assertThat(asksAmong(2)).isTrue();
        }
    }

    @Test
    void whoLosesItsCoreWhileItWaitsWaitsLessOften() {
        step = SpinPolicy.BUDGET_NANOS;
        meanwhile = company::asks;
        int waits = 0;
        for (int i = 0; i < 640; i++) {
            waits += asksAmong(2) ? 1 : 0;
            company.asks();
        }

        assertThat(waits).isLessThan(20);
    }
}
