// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamenodeAddressTest {
    @ParameterizedTest
    @ValueSource(strings = {"localhost:9060", "10.0.0.1:1", "[::1]:65535"})
    void parsesWhatItPrints(String text) throws InvalidArgumentException {
        assertThat(NamenodeAddress.parse(text)).hasToString(text);
    }

    @Test
    void takesTheBracketsOff() throws InvalidArgumentException {
        assertThat(NamenodeAddress.parse("[::1]:9")).isEqualTo(new NamenodeAddress("::1", 9));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "localhost", ":9060", "localhost:", "localhost:x", "a:0", "a:65536"})
    void namesWhatIsNoAddress(String text) {
        assertThatThrownBy(() -> NamenodeAddress.parse(text))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("host:port");
    }
}
