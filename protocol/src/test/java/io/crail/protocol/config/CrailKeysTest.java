// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CrailKeysTest {
    static Stream<ConfigKey<?>> keys() {
        return CrailKeys.all().stream();
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyIsNamedByRoleInLowerCase(ConfigKey<?> key) {
        assertThat(key.name()).matches("(client|namenode|storage|security)(\\.[a-z]+(-[a-z]+)*)+");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyDefaultCanBeWrittenIntoAFile(ConfigKey<?> key) {
        assertDefaultRoundTrip(key);
    }

    private static <T> void assertDefaultRoundTrip(ConfigKey<T> key) {
        assertThat(key.type().parse(key.defaultText())).isEqualTo(key.defaultValue());
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyHasAMeaningInOneSentence(ConfigKey<?> key) {
        assertThat(key.meaning()).matches("[A-Z][^.]*([.][^ ][^.]*)*[.]");
    }

    @ParameterizedTest
    @MethodSource("keys")
    void everyKeyIsFoundByItsName(ConfigKey<?> key) {
        assertThat(CrailKeys.find(key.name())).isSameAs(key);
    }
}
