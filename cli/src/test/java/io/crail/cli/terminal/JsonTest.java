// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class JsonTest {
    @Test
    void valuesAreWrittenInOrder() {
        assertThat(Json.write(Json.object("a", 1, "b", true, "c", null, "d", List.of(1, "x"))))
                .isEqualTo("{\"a\": 1, \"b\": true, \"c\": null, \"d\": [1, \"x\"]}");
    }

    @Test
    void listsTakeALineForEachElement() {
        assertThat(Json.write(List.of(1, 2))).isEqualTo("[\n  1,\n  2\n]");
        assertThat(Json.write(List.of())).isEqualTo("[]");
        assertThat(Json.write(Json.object())).isEqualTo("{}");
    }

    @Test
    void specialCharactersAreEscaped() {
        assertThat(Json.write("\"\\\n\t\u0001é\uD83D\uDE00\uD83D"))
                .isEqualTo("\"\\\"\\\\\\n\\t\\u0001é\uD83D\uDE00\\ud83d\"");
    }

    @Test
    void numbersThatAreNotFiniteAreNull() {
        assertThat(Json.write(List.of(Double.NaN, 1.5))).isEqualTo("[\n  null,\n  1.5\n]");
    }

    @Property(tries = 500)
    void noTextLeavesItsString(@ForAll String text) {
        String json = Json.write(text);
        assertThat(json).startsWith("\"").endsWith("\"").doesNotContain("\n");
        String inside = json.substring(1, json.length() - 1).replaceAll("\\\\.", "");
        assertThat(inside).doesNotContain("\"").doesNotContain("\\");
    }
}
