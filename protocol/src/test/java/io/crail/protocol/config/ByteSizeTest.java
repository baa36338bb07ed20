// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @Property
    void whatIsWrittenIsReadAgain(@ForAll @LongRange(min = 0) long bytes) {
        ByteSize size = new ByteSize(bytes);
        assertThat(ByteSize.parse(size.toString())).isEqualTo(size);
    }

    @Property
    void everyPowerOfTwoHasAWholeNumberOfItsUnit(
            @ForAll @net.jqwik.api.constraints.IntRange(max = 62) int power) {
        assertThat(new ByteSize(1L << power).toString()).matches("\\d{1,3} [KMGTPE]?i?B");
    }

    @Property
    void theRoundedFormIsShort(@ForAll @LongRange(min = 0) long bytes) {
        assertThat(new ByteSize(bytes).rounded()).matches("\\d+(\\.\\d)? ([KMGTPE]i)?B");
        assertThat(new ByteSize(bytes).rounded().length()).isLessThanOrEqualTo(7);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "4096, 4096",
        "64 KiB, 65536",
        "64KiB, 65536",
        "1 GiB, 1073741824",
        "1g, 1073741824",
        "1.5 MiB, 1572864",
        "0.5k, 512",
        "7 EiB, 8070450532247928832"
    })
    void usualFormsAreUnderstood(String text, long bytes) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "x",
                "-1",
                "1 kB",
                "1 MB",
                "GiB",
                "1.2.3 MiB",
                "0.3 B",
                "8 EiB",
                "99999999999999999999999999999999999",
                "1 GiB 2"
            })
    void whatIsNoSizeIsRefused(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }

    @Test
    void aNegativeSizeIsRefused() {
        assertThatThrownBy(() -> new ByteSize(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
