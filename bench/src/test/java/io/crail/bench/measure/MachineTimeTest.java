// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class MachineTimeTest {
    @Test
    void whatGuestsHadIsNotCountedTwice() {
        MachineTime time = MachineTime.parse("cpu  10 20 30 40 50 60 70 80 10 20");
        assertThat(time).isEqualTo(new MachineTime(360, 80));
    }

    @Test
    void anOldKernelKnowsNoTheft() {
        assertThat(MachineTime.parse("cpu  10 20 30 40")).isEqualTo(new MachineTime(100, 0));
    }

    @Test
    void theftIsAPartOfTheTimeSinceThen() {
        MachineTime before = new MachineTime(1000, 100);
        assertThat(new MachineTime(1200, 150).stolenSince(before)).isCloseTo(0.25, within(1e-9));
        assertThat(before.stolenSince(before)).isZero();
    }

    @Test
    void thisMachineTells() throws IOException {
        assertThat(MachineTime.now().all()).isPositive();
    }
}
