// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LostOutputsTest {
    @Test
    void whatIsSentArrives() {
        LostOutputs lost =
                new LostOutputs(
                        7,
                        List.of(
                                new LostOutputs.Output(0, 1L << 40),
                                new LostOutputs.Output(99_999, 3)));
        assertThat(LostOutputs.of(lost.toMessage())).isEqualTo(lost);
    }

    @Test
    void thereMayBeNone() {
        LostOutputs none = new LostOutputs(7, List.of());
        assertThat(LostOutputs.of(none.toMessage())).isEqualTo(none);
    }

    @Test
    void otherNumbersAreRefused() {
        assertThatThrownBy(() -> LostOutputs.of(new long[] {1, 2}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> LostOutputs.of(new long[] {1, 1L << 40, 2}))
                .isInstanceOf(ArithmeticException.class);
    }
}
