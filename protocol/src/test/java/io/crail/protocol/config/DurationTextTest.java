// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
    @Property
    void whatIsWrittenIsReadAgain(@ForAll @LongRange(min = 0) long nanos) {
        Duration duration = Duration.ofNanos(nanos);
        assertThat(DurationText.parse(DurationText.format(duration))).isEqualTo(duration);
    }

    @ParameterizedTest
    @CsvSource({
        "200 ms, PT0.2S",
        "30s, PT30S",
        "10 min, PT10M",
        "10m, PT10M",
        "2 h, PT2H",
        "1 d, PT24H",
        "5 us, PT0.000005S",
        "0, PT0S"
    })
    void usualFormsAreUnderstood(String text, Duration duration) {
        assertThat(DurationText.parse(text)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "x", "30", "1.5 s", "-1 s", "30 sec", "999999999999 d"})
    void whatIsNoDurationIsRefused(String text) {
        assertThatThrownBy(() -> DurationText.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }
}
