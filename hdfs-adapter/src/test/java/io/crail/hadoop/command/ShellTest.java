// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.command;

import static io.crail.hadoop.command.Shell.output;
import static io.crail.hadoop.command.Shell.run;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.hadoop.CrailFileSystem;
import io.crail.hadoop.TestCluster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Commands of the shell that need more of a file system than names and bytes. */
@Tag("hadoop")
@Timeout(120)
class ShellTest {
    private static final org.apache.hadoop.fs.Path ROOT =
            new org.apache.hadoop.fs.Path("/shelltest");

    @TempDir private Path local;

    private CrailFileSystem fs = new CrailFileSystem();

    @BeforeEach
    void open() throws IOException {
        fs = TestCluster.open(TestCluster.configuration());
        fs.mkdirs(ROOT);
    }

    @AfterEach
    void close() throws IOException {
        fs.delete(ROOT, true);
        fs.delete(fs.getTrashRoot(ROOT), true);
        fs.close();
    }

    private static org.apache.hadoop.fs.Path path(String name) {
        return new org.apache.hadoop.fs.Path(ROOT, name);
    }

    private void put(String name, String content) throws IOException {
        try (FSDataOutputStream out = fs.create(path(name))) {
            out.write(content.getBytes(UTF_8));
        }
    }

    private String content(String name) throws IOException {
        try (var in = fs.open(path(name))) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static List<String> columns(String line) {
        return Arrays.asList(line.strip().split(" +", -1));
    }

    @Test
    void whatIsRemovedGoesToTheTrashAndIsExpunged() throws IOException {
        put("d/file", "x");
        String trash = fs.getTrashRoot(ROOT).toUri().getPath();
        assertThat(run("fs", "-D", "fs.trash.interval=10", "-rm", "-r", "/shelltest/d")).isZero();
        assertThat(fs.exists(path("d"))).isFalse();
        assertThat(output("fs", "-cat", trash + "/Current/shelltest/d/file")).isEqualTo("x");
        assertThat(run("fs", "-D", "fs.trash.interval=10", "-expunge")).isZero();
        assertThat(output("fs", "-ls", "-C", trash)).doesNotContain("Current").isNotBlank();
        put("file", "y");
        assertThat(run("fs", "-D", "fs.trash.interval=10", "-rm", "/shelltest/file")).isZero();
        assertThat(run("fs", "-D", "fs.trash.interval=10", "-expunge", "-immediate")).isZero();
        assertThat(output("fs", "-ls", "-C", trash)).isBlank();
        put("file", "z");
        assertThat(run("fs", "-D", "fs.trash.interval=0", "-rm", "/shelltest/file")).isZero();
        assertThat(output("fs", "-ls", "-C", trash)).isBlank();
    }

    @Test
    void spaceIsThatOfTheCluster() throws IOException {
        put("file", "0123456789");
        List<String> columns =
                columns(output("fs", "-df", "/").lines().skip(1).findFirst().orElse(""));
        assertThat(columns.get(0)).isEqualTo(TestCluster.uri().toString());
        assertThat(Long.parseLong(columns.get(1))).isEqualTo(1L << 30);
        assertThat(Long.parseLong(columns.get(2))).isPositive();
        assertThat(Long.parseLong(columns.get(2)) + Long.parseLong(columns.get(3)))
                .isEqualTo(1L << 30);
        assertThat(columns(output("fs", "-du", "/shelltest"))).startsWith("10");
    }

    @Test
    void quotasAreShown() throws IOException {
        put("file", "0123456789");
        assertThat(columns(output("fs", "-count", "-q", "/shelltest")))
                .containsExactly("none", "inf", "none", "inf", "1", "1", "10", "/shelltest");
        fs.setQuota(ROOT, 5, 64 << 20);
        assertThat(output("fs", "-count", "-q", "-v", "/shelltest"))
                .contains("QUOTA", "SPACE_QUOTA", "REM_SPACE_QUOTA");
        List<String> columns = columns(output("fs", "-count", "-q", "/shelltest"));
        assertThat(columns).startsWith("5", "3", String.valueOf(64 << 20));
        assertThat(Long.parseLong(columns.get(3))).isBetween(1L, (64L << 20) - 10);
    }

    @Test
    void attributesAreShownChangedAndTested() throws IOException {
        put("file", "0123456789");
        for (String holds : new String[] {"-e", "-f", "-s", "-r", "-w"}) {
            assertThat(run("fs", "-test", holds, "/shelltest/file")).as(holds).isZero();
        }
        assertThat(run("fs", "-chmod", "640", "/shelltest/file")).isZero();
        assertThat(run("fs", "-chown", "ann:users", "/shelltest/file")).isZero();
        assertThat(output("fs", "-stat", "%n %F %b %a %A %u %g %r %o", "/shelltest/file"))
                .isEqualTo("file regular file 10 640 rw-r----- ann users 1 134217728\n");
        assertThat(output("fs", "-stat", "%F", "/shelltest")).isEqualTo("directory\n");
        assertThat(run("fs", "-touch", "-m", "-t", "20200102:030405", "/shelltest/file")).isZero();
        assertThat(fs.getFileStatus(path("file")).getModificationTime())
                .isBetween(1_577_800_000_000L, 1_578_100_000_000L);
        assertThat(run("fs", "-touchz", "/shelltest/empty")).isZero();
        assertThat(run("fs", "-touch", "/shelltest/new")).isZero();
        assertThat(run("fs", "-test", "-z", "/shelltest/empty")).isZero();
        assertThat(run("fs", "-test", "-s", "/shelltest/new")).isEqualTo(1);
        assertThat(run("fs", "-test", "-d", "/shelltest/file")).isEqualTo(1);
        assertThat(run("fs", "-setfattr", "-n", "user.k", "-v", "v", "/shelltest/file")).isZero();
        assertThat(output("fs", "-getfattr", "-d", "/shelltest/file")).contains("user.k=\"v\"");
    }

    @Test
    void partsOfFilesAreShownJoinedAndCut() throws IOException {
        put("d/1", "one\n");
        put("d/2", "two\n");
        assertThat(output("fs", "-head", "/shelltest/d/1")).isEqualTo("one\n");
        assertThat(output("fs", "-text", "/shelltest/d/2")).isEqualTo("two\n");
        String more = Files.writeString(local.resolve("more"), "more\n").toString();
        assertThat(run("fs", "-appendToFile", more, "/shelltest/d/1")).isZero();
        assertThat(content("d/1")).isEqualTo("one\nmore\n");
        Path merged = local.resolve("merged");
        assertThat(run("fs", "-getmerge", "-nl", "/shelltest/d", merged.toString())).isZero();
        assertThat(merged).hasContent("one\nmore\n\ntwo\n\n");
        put("d/3", "three\n");
        String[] all = {"fs", "-concat", "/shelltest/d/1", "/shelltest/d/2", "/shelltest/d/3"};
        assertThat(run(all)).isZero();
        assertThat(content("d/1")).isEqualTo("one\nmore\ntwo\nthree\n");
        assertThat(run("fs", "-truncate", "-w", "3", "/shelltest/d/1")).isZero();
        assertThat(content("d/1")).isEqualTo("one");
        assertThat(run("fs", "-cp", "/shelltest/d/1", "/shelltest/copy")).isZero();
        assertThat(run("fs", "-mv", "/shelltest/copy", "/shelltest/moved")).isZero();
        assertThat(content("moved")).isEqualTo("one");
        assertThat(output("fs", "-checksum", "/shelltest/moved"))
                .startsWith("/shelltest/moved\tCOMPOSITE-CRC32C\t")
                .isNotEqualTo(output("fs", "-checksum", "/shelltest/d/1"));
    }

    @Test
    void accessListsAreRefused() throws IOException {
        put("file", "x");
        Shell set = Shell.of("fs", "-setfacl", "-m", "user:ann:r--", "/shelltest/file");
        assertThat(set.status()).isNotZero();
        assertThat(set.err()).contains("CrailFileSystem doesn't support modifyAclEntries");
        assertThat(output("fs", "-ls", "/shelltest/file")).startsWith("-rw-r--r-- ");
    }

    @Test
    void aGrowingFileIsFollowedUntilItIsGone()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.out;
        System.setOut(new PrintStream(printed, true, UTF_8));
        try (FSDataOutputStream out = fs.create(path("log"))) {
            out.write("first\n".getBytes(UTF_8));
            out.hflush();
            CompletableFuture<Integer> tail =
                    CompletableFuture.supplyAsync(
                            () -> run("fs", "-tail", "-f", "-s", "20", "/shelltest/log"));
            awaitPrinted(printed, "first\n");
            out.write("second\n".getBytes(UTF_8));
            out.hflush();
            awaitPrinted(printed, "first\nsecond\n");
            fs.delete(path("log"), false);
            assertThat(tail.get(60, TimeUnit.SECONDS)).isEqualTo(1);
            out.abort();
        } finally {
            System.setOut(before);
        }
    }

    private static void awaitPrinted(ByteArrayOutputStream printed, String text) {
        Awaitility.await().until(() -> printed.toString(UTF_8).equals(text));
    }
}
