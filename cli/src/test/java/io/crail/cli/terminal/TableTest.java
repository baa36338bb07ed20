// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class TableTest {
    @Test
    void columnsLineUp() {
        Table table = Table.titled("NAME", "SIZE>", "X").row("a", "1", "p").row("long", "1000", "");
        assertThat(print(table)).isEqualTo("NAME  SIZE  X\na        1  p\nlong  1000\n");
    }

    @Test
    void coloursTakeNoRoom() {
        Table table = Table.untitled("a", "b").row(Colour.BAD.paint("x"), "1").row("yy", "2");
        assertThat(print(table)).isEqualTo(Colour.BAD.paint("x") + "   1\nyy  2\n");
    }

    @Test
    void anEmptyTableKnowsIt() {
        assertThat(Table.titled("A").isEmpty()).isTrue();
        assertThat(Table.untitled("A").isEmpty()).isTrue();
        assertThat(Table.titled("A").row("x").isEmpty()).isFalse();
    }

    @Test
    void aRowOfAnotherWidthIsRefused() {
        assertThatThrownBy(() -> Table.titled("A").row("x", "y"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String print(Table table) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        table.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
