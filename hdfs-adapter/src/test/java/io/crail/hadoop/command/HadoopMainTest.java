// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.command;

import static io.crail.hadoop.command.Shell.output;
import static io.crail.hadoop.command.Shell.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shell of Hadoop, whose default file system is the cluster of the environment. */
@Tag("hadoop")
class HadoopMainTest {
    @TempDir private Path local;

    private String file(String name, String content) throws IOException {
        return Files.writeString(local.resolve(name), content).toUri().toString();
    }

    @Test
    void filesArePutShownAndTakenBack() throws IOException {
        run("fs", "-mkdir", "-p", "/shell/d");
        assertThat(run("fs", "-put", file("a", "one\n"), "/shell/d/a")).isZero();
        assertThat(run("fs", "-put", file("b", "two\n"), "/shell/d/b")).isZero();
        assertThat(output("fs", "-cat", "/shell/d/*")).isEqualTo("one\ntwo\n");
        assertThat(output("fs", "-ls", "-R", "/shell")).contains("/shell/d/a", "/shell/d/b");
        assertThat(output("fs", "-count", "/shell")).contains("2", "8", "/shell");
        assertThat(output("fs", "-du", "-s", "/shell")).startsWith("8 ");
        assertThat(output("fs", "-stat", "%F %b", "/shell/d/a")).isEqualTo("regular file 4\n");
        assertThat(output("fs", "-tail", "/shell/d/b")).isEqualTo("two\n");
        assertThat(output("fs", "-checksum", "/shell/d/a")).contains("COMPOSITE-CRC32C");
        assertThat(output("fs", "-df", "/")).contains("crail://");
        Path merged = local.resolve("merged");
        assertThat(run("fs", "-getmerge", "/shell/d", merged.toString())).isZero();
        assertThat(merged).hasContent("one\ntwo\n");
        assertThat(run("fs", "-rm", "-r", "-skipTrash", "/shell")).isZero();
    }

    @Test
    void testsAndMissingFilesHaveTheirStatus() {
        assertThat(run("fs", "-test", "-d", "/")).isZero();
        assertThat(run("fs", "-test", "-e", "/nowhere")).isEqualTo(1);
        assertThat(run("fs", "-cat", "/nowhere")).isEqualTo(1);
    }

    @Test
    void treesAreCopiedByDistcp() throws IOException {
        Files.createDirectories(local.resolve("tree/sub"));
        Files.writeString(local.resolve("tree/sub/f"), "deep");
        String tree = local.resolve("tree").toUri().toString();
        assertThat(run("distcp", tree, "/copied")).isZero();
        assertThat(output("fs", "-cat", "/copied/sub/f")).isEqualTo("deep");
        assertThat(run("distcp", "/copied", local.resolve("back").toUri().toString())).isZero();
        assertThat(local.resolve("back/sub/f")).hasContent("deep");
        assertThat(run("fs", "-rm", "-r", "-skipTrash", "/copied")).isZero();
    }

    @Test
    void whatIsNoCommandIsAnErrorOfUsage() {
        assertThat(run("nonsense")).isEqualTo(64);
        assertThat(run()).isEqualTo(64);
    }
}
