// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Console;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class MainTest {
    private static final String UNREACHABLE = "--namenode=127.0.0.1:1";

    static CommandLine tree() {
        Console console =
                Console.captured(new ByteArrayInputStream(new byte[0]), System.out, System.err);
        return CommandTree.whole(new Invocation(console, Map.of()));
    }

    static Stream<String> commands() {
        List<String> names = new ArrayList<>();
        collect(tree(), names);
        return names.stream();
    }

    /** What people can find; other processes of a command play hidden parts. */
    private static void collect(CommandLine command, List<String> names) {
        if (command.getCommandSpec().usageMessage().hidden()) {
            return;
        }
        names.add(command.getCommandSpec().qualifiedName());
        command.getSubcommands().values().forEach(below -> collect(below, names));
    }

    @ParameterizedTest
    @MethodSource("commands")
    void theHelpOfEveryCommandHasAnExample(String qualified) {
        Run run = Run.of((qualified + " --help").substring("crail ".length()).split(" ", -1));
        assertThat(run.status()).isZero();
        assertThat(run.out()).startsWith("Usage: " + qualified).contains("Example");
    }

    @ParameterizedTest
    @MethodSource("commands")
    void helpLinesFitATerminal(String qualified) {
        Run run = Run.of((qualified + " --help").substring("crail ".length()).split(" ", -1));
        assertThat(run.out().lines()).allMatch(line -> line.length() <= 100);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "nonsense",
                "fs",
                "fs nonsense",
                "fs ls --nonsense",
                "fs mkdir",
                "kv put /t",
                "config --config",
                "completion fish",
                "fs ls --timeout 5 " + UNREACHABLE,
                "fs ls -D nonsense",
                "fs ls -D storage.capacty=1",
                "fs put --parallel 0 a /b " + UNREACHABLE
            })
    void wrongUseIsExitCodeTwoAndOneLine(String arguments) {
        Run run = Run.of(arguments.isEmpty() ? new String[0] : arguments.split(" ", -1));
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).startsWith("crail: ").hasLineCount(1);
    }

    @Test
    void aMistypedCommandIsCorrected() {
        assertThat(Run.of("fs", "sl").err()).contains("'ls'");
    }

    @Test
    void anUnreachableNamenodeIsExitCodeSeven() {
        Run run = Run.of("fs", "ls", "/", UNREACHABLE, "--timeout", "300ms");
        assertThat(run.status()).isEqualTo(7);
        assertThat(run.err()).contains("127.0.0.1:1").hasLineCount(1);
    }

    @Test
    void verboseShowsTheStack() {
        Run run = Run.of("-v", "fs", "ls", "/", UNREACHABLE, "--timeout", "300ms");
        assertThat(run.err()).contains("\tat io.crail");
    }

    @Test
    void globalOptionsStandInFrontOrBehind() {
        for (String[] arguments :
                new String[][] {
                    {"-D", "storage.class=7", "config", "storage.class"},
                    {"config", "-D", "storage.class=7", "storage.class"},
                    {"config", "storage.class", "--set", "storage.class=7"}
                }) {
            Run run = Run.of(arguments);
            assertThat(run.status()).as(Arrays.toString(arguments)).isZero();
            assertThat(run.out()).contains("storage.class  7");
        }
    }

    @Test
    void configShowsEveryKeyWithItsOrigin(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("c.conf"), "storage.class = 9\n");
        Run run =
                Run.inEnvironment(
                        Map.of("CRAIL_NAMENODE_BIND_PORT", "7"),
                        "config",
                        "--config=" + file,
                        "--timeout=5s");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .containsPattern("storage.class +9 +number +" + file + ":1")
                .containsPattern("namenode.bind.port +7 +number +[$]CRAIL_NAMENODE_BIND_PORT")
                .containsPattern("client.deadline +5 s +duration +--timeout")
                .containsPattern("namenode.durability +process +word +default");
    }

    @Test
    void configIsReadableByPrograms() {
        Run run = Run.of("config", "storage.class", "--json");
        assertThat(run.out()).contains("\"key\": \"storage.class\", \"value\": \"0\"");
    }

    @Test
    void configCanShowOnlyWhatIsChanged() {
        assertThat(Run.of("config", "--changed", "-D", "storage.class=9").out()).hasLineCount(2);
    }

    @Test
    void versionTellsProtocolAndJava() {
        assertThat(Run.of("version").out()).startsWith("crail ").contains("protocol 1");
        assertThat(Run.of("version", "--json").out()).contains("\"protocol\": 1");
        assertThat(Run.of("--version").out()).isEqualTo(Run.of("version").out());
    }

    @Test
    void helpIsACommandToo() {
        assertThat(Run.of("help", "fs", "put").out()).startsWith("Usage: crail fs put");
        assertThat(Run.of("help", "nonsense").status()).isEqualTo(2);
    }

    @Test
    void theCompletionScriptIsValidBash(@TempDir Path directory) throws Exception {
        Run run = Run.of("completion", "bash");
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("locations").contains("quickstart");
        Path script = Files.writeString(directory.resolve("completion"), run.out());
        Process bash = new ProcessBuilder("bash", "-n", script.toString()).inheritIO().start();
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(bash.exitValue()).isZero();
    }

    @Test
    void completionCompletesCommands(@TempDir Path directory) throws Exception {
        Path script =
                Files.writeString(
                        directory.resolve("completion"), Run.of("completion", "bash").out());
        String program =
                "source "
                        + script
                        + "; COMP_WORDS=(crail fs che); COMP_CWORD=2; _crail_complete;"
                        + " echo \"${COMPREPLY[*]}\"";
        Process bash =
                new ProcessBuilder("bash", "-c", program)
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String output = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(bash.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(output.strip()).isEqualTo("checksum");
    }

    @Test
    void completionForZshLoadsTheCompletionSystem() {
        assertThat(Run.of("completion", "zsh").out()).startsWith("autoload").contains("compinit");
    }
}
