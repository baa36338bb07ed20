// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonLineTest {
    @Test
    void flatObjectsAreRead() {
        assertThat(JsonLine.parse(" {\"a\" : \"x\", \"b\":-12,\"c\":true , \"d\":false} "))
                .isEqualTo(Map.of("a", "x", "b", -12L, "c", true, "d", false));
        assertThat(JsonLine.parse("{}")).isEmpty();
    }

    @Test
    void whatJsonWritesIsReadBack() {
        String odd = "tab\t quote\" slash\\ line\n \u0001 \u00e9 \ud83d\ude00";
        assertThat(JsonLine.parse(Json.write(Json.object("k", odd)))).isEqualTo(Map.of("k", odd));
        assertThat(JsonLine.parse("{\"k\":\"\\u0041\\/\"}")).isEqualTo(Map.of("k", "A/"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{\"a\"",
                "{\"a\":}",
                "{\"a\":1",
                "{\"a\":\"x}",
                "{\"a\":1}x",
                "[1]",
                "{\"a\":{}}",
                "{\"a\":null}",
                "{\"a\":1.5}",
                "{\"a\":\"\\x\"}",
                "{\"a\":\"\\u12\"}",
                "{\"a\":1,}",
                "{a:1}"
            })
    void anythingElseIsRefusedWithItsPlace(String line) {
        assertThatThrownBy(() -> JsonLine.parse(line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("column ");
    }
}
