// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AloneTest {
    private final Alone alone = new Alone();

    private boolean lastOf(int commands) {
        boolean decision = false;
        for (int command = 0; command < commands; command++) {
            decision = alone.decide(1, 0);
        }
        return decision;
    }

    @Test
    void takesSixteenCommandsToBelieveIt() {
        assertThat(lastOf(16)).isFalse();
        assertThat(lastOf(1)).isTrue();
    }

    @Test
    void oneWithCompanyIsEnoughToStop() {
        lastOf(20);
        assertThat(alone.decide(2, 0)).as("two in a turn").isFalse();
        assertThat(lastOf(16)).isFalse();
        assertThat(lastOf(1)).isTrue();
        assertThat(alone.decide(1, 1)).as("another one is away").isFalse();
        lastOf(17);
        alone.hadCompany();
        assertThat(lastOf(1)).isFalse();
    }
}
