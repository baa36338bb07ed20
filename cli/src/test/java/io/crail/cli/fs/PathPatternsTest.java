// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.client.CrailClient;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Patterns in the arguments of commands. */
class PathPatternsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    @TempDir private Path local;
    private String home = "";

    @BeforeEach
    void makeFiles() throws CrailException {
        home = CLUSTER.directory();
        for (String directory : new String[] {"/in", "/in/deep", "/out"}) {
            assertThat(fs("mkdir", home + directory).err()).isEmpty();
        }
        for (String file : new String[] {"/a1", "/a2", "/b1", "/in/a1", "/in/deep/a9", "/out/a2"}) {
            Run put = put(home + file, file + "\n");
            assertThat(put.err()).isEmpty();
        }
    }

    private static Run put(String path, String content) {
        return CLUSTER.runWithInput(
                content.getBytes(StandardCharsets.UTF_8), "fs", "put", "-", path);
    }

    private static Run fs(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "fs";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return CLUSTER.run(all);
    }

    @Test
    void everyMatchIsTakenInOrder() {
        assertThat(fs("cat", home + "/a?").out()).isEqualTo("/a1\n/a2\n");
        assertThat(fs("cat", home + "/{b,a}[0-9]").out()).isEqualTo("/a1\n/a2\n/b1\n");
        assertThat(fs("cat", home + "/*/a*").out()).isEqualTo("/in/a1\n/out/a2\n");
        assertThat(fs("cat", home + "/{out/a*,in/deep/a9}").out())
                .isEqualTo("/out/a2\n/in/deep/a9\n");
        assertThat(fs("cat", home + "/in/*/a9").out()).isEqualTo("/in/deep/a9\n");
    }

    @Test
    void aPatternIsListedWithHeadings() {
        assertThat(fs("ls", home + "/{in,out}").out())
                .isEqualTo(home + "/in:\na1\ndeep\n\n" + home + "/out:\na2\n");
        assertThat(fs("ls", "-d", home + "/*1").out()).isEqualTo(home + "/a1\n" + home + "/b1\n");
    }

    @Test
    void everyCommandForPathsTakesPatterns() throws IOException {
        assertThat(fs("stat", home + "/a*").out()).contains(home + "/a1", home + "/a2");
        assertThat(fs("stat", "--json", home + "/a*").out()).contains(home + "/a1", home + "/a2");
        assertThat(fs("du", "-s", home + "/*").out().lines()).hasSize(1 + 5);
        assertThat(fs("get", home + "/a*", local.toString()).err()).isEmpty();
        assertThat(local.resolve("a1")).hasContent("/a1");
        assertThat(local.resolve("a2")).hasContent("/a2");
        assertThat(fs("get", home + "/a*", "-").out()).isEqualTo("/a1\n/a2\n");
        assertThat(fs("cp", home + "/a*", home + "/in/deep").err()).isEmpty();
        assertThat(fs("ls", home + "/in/deep").out()).isEqualTo("a1\na2\na9\n");
        assertThat(fs("mv", home + "/in/deep/a[12]", home + "/b1", home + "/out").status())
                .isEqualTo(4); // a2 is there already, and stays
        assertThat(fs("ls", home + "/out").out()).isEqualTo("a1\na2\nb1\n");
        assertThat(fs("rm", "-r", home + "/{in,out}").err()).isEmpty();
        assertThat(fs("ls", home).out()).isEqualTo("a1\na2\n");
    }

    @Test
    void severalMatchesNeedADirectoryToGoTo() {
        for (String command : new String[] {"cp", "mv"}) {
            Run run = fs(command, home + "/a*", home + "/new");
            assertThat(run.status()).as(command).isEqualTo(3);
            assertThat(run.err()).contains(home + "/new");
        }
        assertThat(fs("get", home + "/a*", local.resolve("new").toString()).status()).isNotZero();
        assertThat(local).isEmptyDirectory();
        assertThat(fs("mv", home + "/b*", home + "/new").err()).isEmpty();
        assertThat(fs("cat", home + "/new").out()).isEqualTo("/b1\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ls", "rm", "cat", "du", "stat"})
    void noMatchIsAnErrorThatNamesThePattern(String command) {
        Run run = fs(command, home + "/none*", home + "/*/none");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err())
                .contains("nothing matches the pattern " + home + "/none*")
                .contains("nothing matches the pattern " + home + "/*/none")
                .hasLineCount(2);
    }

    @Test
    void aForcedRemovalNeedsNoMatch() {
        assertThat(fs("rm", "-f", home + "/none*").err()).isEmpty();
    }

    @Test
    void aMalformedPatternIsWrongUse() {
        Run run = fs("ls", home + "/[a");
        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(home + "/[a").contains("--no-glob").hasLineCount(1);
    }

    @Test
    void aPathThatExistsIsItselfAndEscapesMakeNamesOfPatterns() {
        assertThat(put(home + "/a*", "star\n").err()).isEmpty();
        assertThat(put(home + "/in/x\\y", "backslash\n").err()).isEmpty();
        assertThat(fs("cat", home + "/a*").out()).isEqualTo("star\n");
        assertThat(fs("cat", home + "/in/x\\y").out()).isEqualTo("backslash\n");
        assertThat(fs("cat", home + "/in/x\\\\y").out()).isEqualTo("backslash\n");
        assertThat(fs("cat", home + "/in/\\a1").out()).isEqualTo("/in/a1\n");
        assertThat(fs("rm", home + "/a\\*").err()).isEmpty();
        assertThat(fs("ls", home).out()).isEqualTo("a1\na2\nb1\nin\nout\n");
    }

    @Test
    void patternsCanBeSwitchedOff() {
        Run run = fs("rm", "--no-glob", home + "/a*");
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).contains(home + "/a* does not exist");
        assertThat(fs("ls", home).out()).contains("a1\na2\n");
    }

    @Test
    void everyMatchIsRemovedFromADirectoryOfManyPages() throws CrailException {
        String many = home + "/many";
        try (CrailClient client = CLUSTER.client()) {
            client.mkdir(many);
            for (int i = 0; i < 2500; i++) {
                client.mkdir(many + "/d" + i + (i % 2 == 0 ? "-even" : "-odd"));
            }
            assertThat(fs("rm", many + "/*-even").err()).isEmpty();
            assertThat(client.status(many).children()).isEqualTo(1250);
        }
        assertThat(fs("ls", "-d", many + "/*-odd").out().lines()).hasSize(1250);
    }

    @Test
    void membersOfAMultifileMatch() {
        assertThat(fs("mkmulti", home + "/m").err()).isEmpty();
        assertThat(put(home + "/m/x1", "1\n").err()).isEmpty();
        assertThat(put(home + "/m/y2", "2\n").err()).isEmpty();
        assertThat(fs("cat", home + "/m/x*").out()).isEqualTo("1\n");
    }
}
