// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** put and get. */
class CopyCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    @TempDir private Path local;
    private String home = "";

    @BeforeEach
    void makeDirectory() throws CrailException {
        home = CLUSTER.directory();
    }

    private Path file(String name, byte[] content) throws IOException {
        Path file = local.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.write(file, content);
    }

    private static byte[] random(int bytes) {
        byte[] content = new byte[bytes];
        new Random(bytes).nextBytes(content);
        return content;
    }

    @Test
    void whatIsPutIsGotAgain() throws IOException {
        for (int size : new int[] {0, 1, 4095, 4096, 4097, 1 << 20, (5 << 20) + 13}) {
            Path source = file("source-" + size, random(size));
            Path copy = local.resolve("copy-" + size);
            Run put = CLUSTER.run("fs", "put", source.toString(), home);
            assertThat(put.err()).isEmpty();
            Run get = CLUSTER.run("fs", "get", home + "/source-" + size, copy.toString());
            assertThat(get.err()).isEmpty();
            assertThat(copy).hasBinaryContent(random(size));
        }
    }

    @Test
    void putGoesToANewNameOrIntoADirectory() throws IOException {
        Path source = file("a", random(10));
        assertThat(CLUSTER.run("fs", "put", source.toString(), home + "/b").status()).isZero();
        assertThat(CLUSTER.run("fs", "put", source.toString(), home + "/").status()).isZero();
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEqualTo("a\nb\n");
    }

    @Test
    void putReplacesOnlyOnRequest() throws IOException {
        CLUSTER.run("fs", "put", file("a", random(5)).toString(), home);
        Path other = file("a", random(9));
        Run refused = CLUSTER.run("fs", "put", other.toString(), home);
        assertThat(refused.status()).isEqualTo(4);
        assertThat(refused.err()).contains("-f").hasLineCount(1);
        assertThat(CLUSTER.run("fs", "cat", home + "/a").bytes()).isEqualTo(random(5));
        assertThat(CLUSTER.run("fs", "put", "-f", other.toString(), home).status()).isZero();
        assertThat(CLUSTER.run("fs", "cat", home + "/a").bytes()).isEqualTo(random(9));
    }

    @Test
    void eachSmallFileFailsForItself() throws IOException {
        for (int i = 0; i < 40; i++) {
            file("many/f" + i, random(100 + i));
        }
        Path gone = Files.createSymbolicLink(local.resolve("many/gone"), Path.of("nowhere"));
        file("taken/f7", random(9));
        CLUSTER.run("fs", "mkdir", home + "/many");
        CLUSTER.run("fs", "put", local.resolve("taken/f7").toString(), home + "/many/f7");
        Run put = CLUSTER.run("fs", "put", "-r", local.resolve("many").toString(), home);
        assertThat(put.status()).isNotZero();
        assertThat(put.err()).contains("/many/f7 exists", gone.toString()).hasLineCount(2);
        for (int i = 0; i < 40; i++) {
            assertThat(CLUSTER.run("fs", "cat", home + "/many/f" + i).bytes())
                    .isEqualTo(random(i == 7 ? 9 : 100 + i));
        }
        assertThat(CLUSTER.run("fs", "ls", home + "/many").out())
                .hasLineCount(40)
                .doesNotContain(".crail-");
    }

    @Test
    void putReadsStandardInput() {
        byte[] input = random(3 << 20);
        Run put = CLUSTER.runWithInput(input, "fs", "put", "-", home + "/stdin");
        assertThat(put.err()).isEmpty();
        assertThat(CLUSTER.run("fs", "get", home + "/stdin", "-").bytes()).isEqualTo(input);
    }

    @Test
    void standardInputNeedsAName() {
        assertThat(CLUSTER.run("fs", "put", "-", home).status()).isEqualTo(2);
    }

    @Test
    void treesAreCopiedBothWays() throws IOException {
        for (int i = 0; i < 40; i++) {
            file("tree/d" + i % 7 + "/e" + i % 3 + "/f" + i, random(i * 1000));
        }
        Files.createDirectories(local.resolve("tree/empty"));
        String tree = local.resolve("tree").toString();
        assertThat(CLUSTER.run("fs", "put", tree, home).status()).isEqualTo(2);
        Run put = CLUSTER.run("fs", "put", "-r", "--parallel", "3", tree, home);
        assertThat(put.err()).isEmpty();
        assertThat(CLUSTER.run("fs", "get", home + "/tree", local + "/x").status()).isEqualTo(2);
        Run get = CLUSTER.run("fs", "get", "-r", home + "/tree", local + "/copy");
        assertThat(get.err()).isEmpty();
        assertThat(local.resolve("copy/empty")).isDirectory();
        for (int i = 0; i < 40; i++) {
            Path copy = local.resolve("copy/d" + i % 7 + "/e" + i % 3 + "/f" + i);
            assertThat(copy).hasBinaryContent(random(i * 1000));
        }
        assertThat(CLUSTER.run("fs", "ls", "-R", home).out()).doesNotContain(".crail-");
    }

    @Test
    void aTreeIsPutAgainOnlyOnRequest() throws IOException {
        file("tree/f", random(5));
        String tree = local.resolve("tree").toString();
        assertThat(CLUSTER.run("fs", "put", "-r", tree, home).status()).isZero();
        assertThat(CLUSTER.run("fs", "put", "-r", tree, home).status()).isEqualTo(4);
        assertThat(CLUSTER.run("fs", "put", "-r", "-f", tree, home).status()).isZero();
    }

    @Test
    void getReplacesOnlyOnRequest() throws IOException {
        CLUSTER.run("fs", "put", file("a", random(5)).toString(), home);
        Path existing = file("b", random(9));
        Run refused = CLUSTER.run("fs", "get", home + "/a", existing.toString());
        assertThat(refused.status()).isEqualTo(4);
        assertThat(existing).hasBinaryContent(random(9));
        assertThat(CLUSTER.run("fs", "get", "-f", home + "/a", existing.toString()).status())
                .isZero();
        assertThat(existing).hasBinaryContent(random(5));
    }

    @Test
    void missingSourcesAreExitCodeThreeAndLeaveNothing() throws IOException {
        assertThat(CLUSTER.run("fs", "put", local + "/none", home).status()).isEqualTo(3);
        assertThat(CLUSTER.run("fs", "get", home + "/none", local + "/x").status()).isEqualTo(3);
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEmpty();
        assertThat(local).isEmptyDirectory();
    }

    @Test
    void aMissingTargetDirectoryIsExitCodeThree() throws IOException {
        Path source = file("a", random(5));
        assertThat(CLUSTER.run("fs", "put", source.toString(), home + "/x/y").status())
                .isEqualTo(3);
        assertThat(CLUSTER.run("fs", "put", source.toString(), home + "/x/").status()).isEqualTo(3);
        assertThat(CLUSTER.run("fs", "get", home, local + "/x/y", "-r").status()).isEqualTo(3);
    }

    @Test
    void whatDoesNotFitLeavesNothingBehind() throws IOException {
        // The cluster has 64 MiB.
        Path source = local.resolve("large");
        Files.write(source, new byte[80 << 20]);
        Run run = CLUSTER.run("fs", "put", source.toString(), home, "--timeout", "20s");
        assertThat(run.status()).isEqualTo(5);
        assertThat(run.err()).startsWith("crail: put ").contains("df").hasLineCount(1);
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEmpty();
        Run small =
                CLUSTER.runWithInput(
                        "x".getBytes(StandardCharsets.UTF_8), "fs", "put", "-", home + "/small");
        assertThat(small.err()).isEmpty();
    }

    @Test
    void overwritingWhenFullKeepsTheOldFile() throws IOException {
        CLUSTER.run("fs", "put", file("f", random(7)).toString(), home);
        Path large = local.resolve("large/f");
        Files.createDirectories(large.getParent());
        Files.write(large, new byte[80 << 20]);
        assertThat(CLUSTER.run("fs", "put", "-f", large.toString(), home).status()).isEqualTo(5);
        assertThat(CLUSTER.run("fs", "cat", home + "/f").bytes()).isEqualTo(random(7));
    }

    @Test
    void anErrorNamesTheDestinationAndNoTemporaryName() throws IOException {
        Path small = file("small", random(10));
        Path large = file("large", random(SmallFiles.LARGEST + 1));
        assertThat(CLUSTER.run("fs", "touch", home + "/taken").err()).isEmpty();
        for (String target : new String[] {home + "/none/file", home + "/taken/file"}) {
            for (String source : new String[] {small.toString(), large.toString(), "-"}) {
                Run put = CLUSTER.runWithInput(random(10), "fs", "put", source, target);
                assertThat(put.status()).as(source).isNotZero();
                assertThat(put.err()).contains(target).doesNotContain(".crail-").hasLineCount(1);
            }
        }
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEqualTo("taken\n");
    }
}
