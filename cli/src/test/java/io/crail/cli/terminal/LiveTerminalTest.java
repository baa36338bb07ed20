// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LiveTerminalTest {
    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();
    private final List<String> commands = new ArrayList<>();
    private String size = "24 80";

    private LiveTerminal open(String keys, boolean hasStty) {
        PrintStream out = new PrintStream(shown, false, StandardCharsets.UTF_8);
        byte[] typed = keys.getBytes(StandardCharsets.US_ASCII);
        Console console = new Console(new ByteArrayInputStream(typed), out, out, true, true, true);
        return LiveTerminal.open(
                console,
                arguments -> {
                    commands.add(String.join(" ", arguments));
                    return !hasStty
                            ? Optional.empty()
                            : Optional.of(
                                    arguments[0].equals("-g")
                                            ? "500:5:saved"
                                            : arguments[0].equals("size") ? size : "");
                });
    }

    private String text() {
        return shown.toString(StandardCharsets.UTF_8);
    }

    @Test
    void theTerminalIsGivenBackAsItWasOnce() {
        LiveTerminal terminal = open("", true);
        terminal.close();
        terminal.close();
        assertThat(commands).containsExactly("-g", "-icanon -echo min 0 time 0", "500:5:saved");
        assertThat(text())
                .isEqualTo("\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?7h\u001b[?25h\u001b[?1049l");
    }

    @Test
    void nothingIsDrawnOnceItIsClosed() {
        LiveTerminal terminal = open("", true);
        terminal.close();
        terminal.show(List.of("late"));
        assertThat(text()).doesNotContain("late").endsWith("\u001b[?1049l");
    }

    @Test
    void picturesReplaceEachOtherLineByLine() {
        try (LiveTerminal terminal = open("", true)) {
            terminal.show(List.of("one", "two"));
            assertThat(text()).endsWith("\u001b[Hone\u001b[K\r\ntwo\u001b[K\r\n\u001b[J");
        }
    }

    @Test
    void whatDoesNotFitIsCounted() {
        size = "10 80";
        try (LiveTerminal terminal = open("", true)) {
            terminal.show(IntStream.range(0, 20).mapToObj(i -> "line" + i).toList());
            assertThat(text()).contains("line7").doesNotContain("line8").contains("... 12 more");
            terminal.show(IntStream.range(0, 9).mapToObj(i -> "row" + i).toList());
            assertThat(text()).contains("row8");
        }
    }

    @Test
    void aKeyIsHeardOnce() {
        try (LiveTerminal terminal = open("xqz", true)) {
            assertThat(terminal.pressed('q')).isTrue();
            assertThat(terminal.pressed('q')).isFalse();
        }
    }

    @Test
    void withoutSttyPicturesAreShownAndNoKeysAreRead() {
        try (LiveTerminal terminal = open("q", false)) {
            terminal.show(List.of("picture"));
            assertThat(terminal.pressed('q')).isFalse();
        }
        assertThat(text()).contains("picture").endsWith("\u001b[?1049l");
        assertThat(commands).containsExactly("-g", "size");
    }
}
