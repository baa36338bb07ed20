// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Multifiles as users of {@code crail fs} meet them. */
class MultiFileCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    @TempDir private Path local;
    private String multi = "";

    @BeforeEach
    void make() throws CrailException {
        multi = CLUSTER.directory() + "/m";
        assertThat(CLUSTER.run("fs", "mkmulti", multi).err()).isEmpty();
    }

    private void add(String name, String content) throws IOException {
        Path file = Files.writeString(local.resolve(name), content);
        assertThat(CLUSTER.run("fs", "put", file.toString(), multi).err()).isEmpty();
    }

    @Test
    void putAddsMembersAndCatPrintsThemInOrderOfTheirNames() throws IOException {
        add("b", "two\n");
        add("a", "one\n");
        assertThat(CLUSTER.run("fs", "ls", multi).out()).isEqualTo("a\nb\n");
        assertThat(CLUSTER.run("fs", "cat", multi).out()).isEqualTo("one\ntwo\n");
        assertThat(CLUSTER.run("fs", "cat", multi + "/b").out()).isEqualTo("two\n");
        assertThat(CLUSTER.run("fs", "ls", "-l", "-d", multi).out()).startsWith("mrwxr-xr-x");
        assertThat(CLUSTER.run("fs", "stat", multi).out()).contains("multifile");
    }

    @Test
    void standardInputGetsANameOfItsOwn() {
        for (String line : new String[] {"first\n", "second\n"}) {
            Run put =
                    CLUSTER.runWithInput(
                            line.getBytes(StandardCharsets.UTF_8), "fs", "put", "-", multi);
            assertThat(put.err()).isEmpty();
            assertThat(put.out()).startsWith(multi + "/part-");
        }
        assertThat(CLUSTER.run("fs", "cat", multi).out()).isEqualTo("first\nsecond\n");
    }

    @Test
    void nothingHalfWrittenIsEverAMember() throws IOException {
        add("a", "one\n");
        Path missing = local.resolve("missing");
        assertThat(CLUSTER.run("fs", "put", missing.toString(), multi).status())
                .isEqualTo(ExitCode.NOT_FOUND.number());
        add("b", "");
        assertThat(CLUSTER.run("fs", "ls", multi).out()).isEqualTo("a\nb\n");
        assertThat(CLUSTER.run("fs", "ls", multi + "/..").status())
                .isEqualTo(ExitCode.USAGE.number());
        String parent = multi.substring(0, multi.lastIndexOf('/'));
        assertThat(CLUSTER.run("fs", "ls", parent).out()).isEqualTo("m\n");
    }

    @Test
    void getMergesAndWithTheRecursiveOptionKeepsMembersApart() throws IOException {
        add("a", "one\n");
        add("b", "two\n");
        Path merged = local.resolve("merged");
        assertThat(CLUSTER.run("fs", "get", multi, merged.toString()).err()).isEmpty();
        assertThat(merged).hasContent("one\ntwo\n");
        Path apart = local.resolve("apart");
        assertThat(CLUSTER.run("fs", "get", "-r", multi, apart.toString()).err()).isEmpty();
        assertThat(apart.resolve("b")).hasContent("two\n");
    }

    @Test
    void aCopyIsAFileOrAMultifile() throws IOException {
        add("a", "one\n");
        add("b", "two\n");
        assertThat(CLUSTER.run("fs", "cp", multi, multi + "-file").err()).isEmpty();
        assertThat(CLUSTER.run("fs", "cat", multi + "-file").out()).isEqualTo("one\ntwo\n");
        assertThat(CLUSTER.run("fs", "cp", "-r", multi, multi + "-copy").err()).isEmpty();
        assertThat(CLUSTER.run("fs", "ls", multi + "-copy").out()).isEqualTo("a\nb\n");
        assertThat(CLUSTER.run("fs", "cat", multi + "-copy").out()).isEqualTo("one\ntwo\n");
    }

    @Test
    void aMultifileTakesFilesOnlyAndGoesAsAWhole() throws IOException {
        add("a", "one\n");
        Run mkdir = CLUSTER.run("fs", "mkdir", multi + "/d");
        assertThat(mkdir.status()).isEqualTo(ExitCode.FAILURE.number());
        assertThat(mkdir.err()).contains("holds files only");
        assertThat(CLUSTER.run("fs", "rm", multi).status()).isEqualTo(ExitCode.EXISTS.number());
        assertThat(CLUSTER.run("fs", "rm", "-r", multi).err()).isEmpty();
        assertThat(CLUSTER.run("fs", "cat", multi).status()).isEqualTo(ExitCode.NOT_FOUND.number());
    }

    @Test
    void mkmultiMakesParentsWhenAsked() {
        String deep = multi + "s/x/y";
        assertThat(CLUSTER.run("fs", "mkmulti", deep).status())
                .isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(CLUSTER.run("fs", "mkmulti", "-p", "--location", "rack7", deep).err()).isEmpty();
        assertThat(CLUSTER.run("fs", "mkmulti", "-p", deep).err()).isEmpty();
        assertThat(CLUSTER.run("fs", "stat", "--json", deep).out())
                .contains("\"locationClass\": \"rack7\"");
    }
}
