// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.command.GlobalOptions;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ResultLinesTest {
    @TempDir private Path directory;

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private Invocation invocation;

    @BeforeEach
    void start() {
        PrintStream out = new PrintStream(output, true, StandardCharsets.UTF_8);
        invocation =
                new Invocation(
                        new Console(
                                new ByteArrayInputStream(new byte[0]),
                                out,
                                out,
                                false,
                                false,
                                false),
                        Map.of());
    }

    @AfterEach
    void stop() {
        invocation.close();
    }

    private static Map<String, Object> row(String name) {
        return Map.of("row", name);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @Test
    void theFileHasEachResultAsSoonAsItIsThere() throws IOException {
        Path file = directory.resolve("results.json");
        Files.writeString(file, "of the run before\n");
        ResultLines lines = new ResultLines(invocation, file);
        assertThat(file).hasContent("of the run before\n");
        lines.add(row("a"));
        assertThat(Files.readAllLines(file)).containsExactly("{\"row\": \"a\"}");
        lines.add(row("b"));
        assertThat(Files.readAllLines(file))
                .containsExactly("{\"row\": \"a\"}", "{\"row\": \"b\"}");
        assertThat(files()).containsExactly(file);
        assertThat(output.size()).isZero();
    }

    @Test
    void aFileIsReplacedAndNotWrittenTo() throws IOException {
        Path file = directory.resolve("results.json");
        Path before = directory.resolve("before");
        ResultLines lines = new ResultLines(invocation, file);
        lines.add(row("a"));
        Files.createLink(before, file);
        lines.add(row("b"));
        assertThat(Files.readAllLines(before)).containsExactly("{\"row\": \"a\"}");
        assertThat(Files.readAllLines(file)).hasSize(2);
    }

    @Test
    void whatIsNoPlainFileRemains() throws IOException {
        Path target = Files.writeString(directory.resolve("target"), "of the run before\n");
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);
        ResultLines lines = new ResultLines(invocation, link);
        lines.add(row("a"));
        lines.add(row("b"));
        assertThat(link).isSymbolicLink();
        assertThat(Files.readAllLines(target))
                .containsExactly("{\"row\": \"a\"}", "{\"row\": \"b\"}");
    }

    @Test
    void withoutAFileAProgramReadsThemFromStandardOutput() throws IOException {
        GlobalOptions options = new GlobalOptions() {};
        CommandLine.populateCommand(options, "--json");
        invocation.use(options);
        ResultLines lines = new ResultLines(invocation, null);
        assertThat(lines.areOutput()).isTrue();
        lines.add(row("a"));
        assertThat(output.toString(StandardCharsets.UTF_8)).isEqualTo("{\"row\": \"a\"}\n");
        assertThat(new ResultLines(invocation, directory.resolve("file")).areOutput()).isFalse();
    }

    @Test
    void withoutAFileAPersonSeesTheTableAlone() throws IOException {
        ResultLines lines = new ResultLines(invocation, null);
        assertThat(lines.areOutput()).isFalse();
        lines.add(row("a"));
        assertThat(output.size()).isZero();
    }
}
