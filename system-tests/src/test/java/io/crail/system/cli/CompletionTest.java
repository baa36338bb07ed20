// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bash offers when the key is pressed, with the script of 'crail completion bash'. */
@Tag("system")
@Timeout(180)
class CompletionTest {
    @TempDir private static Path directory;

    @BeforeAll
    static void start() throws IOException {
        Command start = Command.run(directory, "cluster", "start", "--capacity", "32MiB");
        assertThat(start.status()).as(start.err()).isZero();
        Command prepare =
                Command.script(
                        directory,
                        "set -e; crail fs mkdir -p /data/deep '/data/with blank' /other;"
                                + " crail fs touch /data/file-1 /data/file-2; crail kv create /table");
        assertThat(prepare.status()).as(prepare.err()).isZero();
        Files.writeString(
                directory.resolve("script"), Command.run(directory, "completion", "bash").out());
        Files.createDirectory(directory.resolve("local"));
    }

    @AfterAll
    static void stop() {
        new State(directory).removeAll();
    }

    /** Words are separated by {@code |}; the last one is being typed. */
    private static String complete(String words) {
        String quoted = "'" + words.replace("|", "' '") + "'";
        Command bash =
                Command.script(
                        directory,
                        "cd "
                                + directory
                                + "; . ./script; COMP_WORDS=("
                                + quoted
                                + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1));"
                                + " COMP_LINE=\"${COMP_WORDS[*]}\"; COMP_POINT=${#COMP_LINE};"
                                + " _crail_complete; printf '%s;' \"${COMPREPLY[@]}\"");
        assertThat(bash.err().replaceAll(".*compopt: not currently executing.*\n", "")).isEmpty();
        return bash.out();
    }

    /** On a busy machine the command may give up, as it should; then the key is pressed again. */
    private static void awaitOffered(String words, String offered) {
        Awaitility.await().untilAsserted(() -> assertThat(complete(words)).isEqualTo(offered));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '>',
            textBlock =
                    """
                    crail|fs|ls|/da               > /data/;
                    crail|fs|ls|/                 > /data/;/other/;/table;
                    crail|fs|rm|-r|/data/f        > /data/file-1;/data/file-2;
                    crail|fs|cat|/data/with\\ b   > /data/with\\ blank/;
                    crail|--json|fs|stat|/ot      > /other/;
                    crail|fs|cp|/other|/data/d    > /data/deep/;
                    crail|kv|ls|/ta               > /table;
                    crail|fs|put|loc              > local;
                    crail|fs|put|local|/oth       > /other/;
                    crail|fs|che                  > checksum;
                    crail|fs|ls|/none/x           > ;
                    crail|cluster|start|/da       > ;
                    """)
    void pathsOfCrailAreOffered(String words, String offered) {
        awaitOffered(words, offered);
    }

    @Test
    void aClusterThatIsNotThereHasNoPathsAndSaysNothing() {
        assertThat(complete("crail|fs|--namenode=127.0.0.1:1|ls|/da")).isEqualTo(";");
        assertThat(complete("crail|fs|--namenode|127.0.0.1:1|ls|/da")).isEqualTo(";");
    }

    @Test
    void aClusterThatHangsIsNotWaitedFor() throws Exception {
        long namenode = new State(directory).process("namenode").orElseThrow().pid();
        signal("STOP", namenode);
        try {
            assertThat(complete("crail|fs|ls|/da")).isEqualTo(";");
        } finally {
            signal("CONT", namenode);
        }
        awaitOffered("crail|fs|ls|/da", "/data/;");
    }

    private static void signal(String name, long pid) throws Exception {
        Process kill = new ProcessBuilder("sh", "-c", "kill -" + name + " " + pid).start();
        assertThat(kill.waitFor()).isZero();
    }
}
