// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @Property
    void listsThatAreWrittenAreReadAgain(
            @ForAll @Size(max = 5) List<@AlphaChars @StringLength(min = 1, max = 20) String> hosts,
            @ForAll @IntRange(max = 65535) int port) {
        List<Endpoint> endpoints = hosts.stream().map(host -> new Endpoint(host, port)).toList();
        ValueType<List<Endpoint>> type = ValueType.endpoints();
        assertThat(type.parse(type.format(endpoints))).isEqualTo(endpoints);
    }

    @Test
    void anAddressOfVersionSixStandsInBrackets() {
        assertThat(Endpoint.parse("[::1]:9060")).isEqualTo(new Endpoint("::1", 9060));
        assertThat(new Endpoint("::1", 9060)).hasToString("[::1]:9060");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "host", ":1", "host:", "host:x", "host:65536", "::1:80", "a/b:1"})
    void whatIsNoEndpointIsRefused(String text) {
        assertThatThrownBy(() -> Endpoint.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(text);
    }
}
