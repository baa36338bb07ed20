// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Commands that do not touch local files. */
class FsCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private String home = "";

    @BeforeEach
    void makeDirectory() throws CrailException {
        home = CLUSTER.directory();
    }

    private void file(String name, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        Run run = CLUSTER.runWithInput(bytes, "fs", "put", "-", home + "/" + name);
        assertThat(run.err()).isEmpty();
    }

    @Test
    void lsListsNamesInOrder() {
        file("b", "x");
        file("a", "xy");
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEqualTo("a\nb\n");
    }

    @Test
    void lsShowsAttributesInAlignedColumns() {
        file("a", "x");
        file("bb", "0123456789");
        Run run = CLUSTER.run("fs", "ls", "-l", home);
        assertThat(run.out().lines().toList()).hasSize(2);
        assertThat(run.out()).containsPattern("-rw-r--r--  \\S+  \\S+   1  [-0-9]+ [:0-9]+  a\n");
        assertThat(run.out()).containsPattern("-rw-r--r--  \\S+  \\S+  10  [-0-9]+ [:0-9]+  bb\n");
        assertThat(CLUSTER.run("fs", "ls", "-l", "-h", home).out()).contains("10 B");
    }

    @Test
    void lsDescends() {
        CLUSTER.run("fs", "mkdir", "-p", home + "/d/e");
        file("d/e/f", "x");
        assertThat(CLUSTER.run("fs", "ls", "-R", home).out())
                .isEqualTo(home + ":\nd\n\n" + home + "/d:\ne\n\n" + home + "/d/e:\nf\n");
    }

    @Test
    void lsShowsDirectoriesThemselves() {
        assertThat(CLUSTER.run("fs", "ls", "-d", home).out()).isEqualTo(home + "\n");
    }

    @Test
    void lsIsReadableByPrograms() {
        assertThat(CLUSTER.run("fs", "ls", "--json", home).out()).isEqualTo("[]\n");
        file("a", "x");
        assertThat(CLUSTER.run("fs", "ls", "--json", home).out())
                .startsWith("[\n  {\"path\": \"" + home + "/a\", \"type\": \"file\"")
                .contains("\"length\": 1,")
                .endsWith("}\n]\n");
    }

    @Test
    void lsOfTheRootNeedsNoPath() {
        assertThat(CLUSTER.run("fs", "ls").out()).contains(home.substring(1) + "\n");
    }

    @Test
    void aMissingPathIsExitCodeThreeAndTheOthersAreStillListed() {
        file("a", "x");
        Run run = CLUSTER.run("fs", "ls", home + "/missing", home);
        assertThat(run.status()).isEqualTo(3);
        assertThat(run.err()).startsWith("crail: ls " + home + "/missing: ").hasLineCount(1);
        assertThat(run.out()).contains("a\n");
    }

    @Test
    void mkdirMakesParentsOnRequest() {
        assertThat(CLUSTER.run("fs", "mkdir", home + "/a/b").status()).isEqualTo(3);
        assertThat(CLUSTER.run("fs", "mkdir", "-p", home + "/a/b").status()).isZero();
        assertThat(CLUSTER.run("fs", "mkdir", "-p", home + "/a/b").status()).isZero();
        assertThat(CLUSTER.run("fs", "mkdir", home + "/a").status()).isEqualTo(4);
    }

    @Test
    void catPrintsFilesOneAfterAnother() {
        file("a", "one\n");
        file("b", "two\n");
        assertThat(CLUSTER.run("fs", "cat", home + "/a", home + "/b").out())
                .isEqualTo("one\ntwo\n");
        assertThat(CLUSTER.run("fs", "cat", home).status()).isNotZero();
        assertThat(CLUSTER.run("fs", "cat", home + "/c").status()).isEqualTo(3);
    }

    @Test
    void cpCopiesFilesAndTrees() {
        CLUSTER.run("fs", "mkdir", "-p", home + "/d/e");
        file("d/e/f", "content");
        file("g", "");
        assertThat(CLUSTER.run("fs", "cp", home + "/d", home + "/copy").status()).isEqualTo(2);
        Run run = CLUSTER.run("fs", "cp", "-r", home + "/d", home + "/copy");
        assertThat(run.err()).isEmpty();
        assertThat(CLUSTER.run("fs", "cat", home + "/copy/e/f").out()).isEqualTo("content");
        assertThat(CLUSTER.run("fs", "cp", home + "/g", home + "/copy").status()).isZero();
        assertThat(CLUSTER.run("fs", "ls", home + "/copy").out()).isEqualTo("e\ng\n");
    }

    @Test
    void cpReplacesOnlyOnRequest() {
        file("a", "new");
        file("b", "old");
        Run refused = CLUSTER.run("fs", "cp", home + "/a", home + "/b");
        assertThat(refused.status()).isEqualTo(4);
        assertThat(refused.err()).contains("-f");
        assertThat(CLUSTER.run("fs", "cp", "-f", home + "/a", home + "/b").status()).isZero();
        assertThat(CLUSTER.run("fs", "cat", home + "/b").out()).isEqualTo("new");
    }

    @Test
    void cpIntoItselfIsRefused() {
        CLUSTER.run("fs", "mkdir", home + "/d");
        assertThat(CLUSTER.run("fs", "cp", "-r", home + "/d", home + "/d/e").status()).isEqualTo(2);
        file("a", "x");
        assertThat(CLUSTER.run("fs", "cp", "-f", home + "/a", home + "/a").status()).isEqualTo(2);
        assertThat(CLUSTER.run("fs", "cat", home + "/a").out()).isEqualTo("x");
    }

    @Test
    void mvMovesToANameOrIntoADirectory() {
        file("a", "x");
        assertThat(CLUSTER.run("fs", "mv", home + "/a", home + "/b").status()).isZero();
        CLUSTER.run("fs", "mkdir", home + "/d");
        assertThat(CLUSTER.run("fs", "mv", home + "/b", home + "/d/").status()).isZero();
        assertThat(CLUSTER.run("fs", "cat", home + "/d/b").out()).isEqualTo("x");
        assertThat(CLUSTER.run("fs", "mv", home + "/b", home + "/c").status()).isEqualTo(3);
    }

    @Test
    void mvReplacesOnlyOnRequest() {
        file("a", "new");
        file("b", "old");
        assertThat(CLUSTER.run("fs", "mv", home + "/a", home + "/b").status()).isEqualTo(4);
        assertThat(CLUSTER.run("fs", "mv", "-f", home + "/a", home + "/b").status()).isZero();
        assertThat(CLUSTER.run("fs", "cat", home + "/b").out()).isEqualTo("new");
    }

    @Test
    void concatJoinsInTheOrderGivenAndPatternsInThatOfNames() {
        file("all", "0");
        file("b", "3");
        file("part-2", "2");
        file("part-1", "1");
        Run run = CLUSTER.run("fs", "concat", home + "/all", home + "/part-*", home + "/b");
        assertThat(run.err()).isEmpty();
        assertThat(CLUSTER.run("fs", "cat", home + "/all").out()).isEqualTo("0123");
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEqualTo("all\n");
        assertThat(CLUSTER.run("fs", "concat", home + "/all", home + "/part-*").status())
                .isEqualTo(3);
        assertThat(CLUSTER.run("fs", "concat", home + "/all", home + "/all").err())
                .contains("cannot be appended to itself");
    }

    @Test
    void truncateCutsAndDoesNotExtend() {
        file("a", "0123456789");
        file("b", "01234");
        assertThat(CLUSTER.run("fs", "truncate", "-s", "5", home + "/a", home + "/b").status())
                .isZero();
        assertThat(CLUSTER.run("fs", "cat", home + "/a").out()).isEqualTo("01234");
        Run longer = CLUSTER.run("fs", "truncate", "-s", "1KiB", home + "/a");
        assertThat(longer.status()).isNotZero();
        assertThat(longer.err()).contains("has 5 bytes and cannot be cut to 1024");
        assertThat(CLUSTER.run("fs", "truncate", "-s", "many", home + "/a").err())
                .contains("-s many");
    }

    @Test
    void mvOfADirectoryIntoItselfIsRefused() {
        CLUSTER.run("fs", "mkdir", home + "/d");
        assertThat(CLUSTER.run("fs", "mv", home + "/d", home + "/d/e").status()).isNotZero();
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEqualTo("d\n");
    }

    @Test
    void severalSourcesNeedADirectory() {
        file("a", "x");
        file("b", "x");
        file("c", "x");
        Run run = CLUSTER.run("fs", "mv", home + "/a", home + "/b", home + "/c");
        assertThat(run.status()).isEqualTo(2);
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEqualTo("a\nb\nc\n");
    }

    @Test
    void rmRemovesTreesOnlyOnRequest() {
        CLUSTER.run("fs", "mkdir", home + "/d");
        file("d/f", "x");
        Run refused = CLUSTER.run("fs", "rm", home + "/d");
        assertThat(refused.status()).isEqualTo(4);
        assertThat(refused.err()).contains("rm -r");
        assertThat(CLUSTER.run("fs", "rm", "-r", home + "/d").status()).isZero();
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEmpty();
    }

    @Test
    void rmOfAMissingPathFailsUnlessForced() {
        assertThat(CLUSTER.run("fs", "rm", home + "/x").status()).isEqualTo(3);
        assertThat(CLUSTER.run("fs", "rm", "-f", home + "/x").status()).isZero();
    }

    @Test
    void theRootIsNeverRemoved() {
        assertThat(CLUSTER.run("fs", "rm", "-r", "-f", "/").status()).isEqualTo(2);
        assertThat(CLUSTER.run("fs", "rm", "-r", "-f", "///").status()).isEqualTo(2);
    }

    @Test
    void statShowsAllAttributes() {
        file("a", "12345");
        Run run = CLUSTER.run("fs", "stat", home + "/a");
        assertThat(run.out()).containsPattern("type +file").containsPattern("length +5 ");
        assertThat(CLUSTER.run("fs", "stat", "--json", home + "/a").out())
                .contains("\"length\": 5")
                .contains("\"mode\": \"0644\"");
        assertThat(CLUSTER.run("fs", "stat", home + "/b").status()).isEqualTo(3);
    }

    @Test
    void duSumsWhatLiesBelow() {
        CLUSTER.run("fs", "mkdir", home + "/d");
        file("d/f", "12345");
        file("d/g", "123");
        assertThat(CLUSTER.run("fs", "du", home).out()).containsPattern(" *8 +[0-9]+ +3 +" + home);
        assertThat(CLUSTER.run("fs", "du", "-s", "--json", home).out())
                .contains("\"length\": 8")
                .contains("\"files\": 2");
        assertThat(CLUSTER.run("fs", "du", home + "/x").status()).isEqualTo(3);
    }

    @Test
    void dfShowsClassesAndServers() {
        assertThat(CLUSTER.run("fs", "df", "-h").out())
                .contains("CAPACITY")
                .contains("64 MiB")
                .containsPattern("embedded-0 +live");
        assertThat(CLUSTER.run("fs", "df", "--json").out())
                .contains("\"capacity\": " + (64 << 20))
                .contains("\"readOnly\": false");
    }

    @Test
    void tailPrintsLastLines() {
        StringBuilder content = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            content.append("line ").append(i).append('\n');
        }
        file("a", content.toString());
        assertThat(CLUSTER.run("fs", "tail", home + "/a").out())
                .startsWith("line 29990\n")
                .endsWith("line 29999\n")
                .hasLineCount(10);
        assertThat(CLUSTER.run("fs", "tail", "-n", "20000", home + "/a").out())
                .startsWith("line 10000\n");
        assertThat(CLUSTER.run("fs", "tail", "-n", "0", home + "/a").out()).isEmpty();
        assertThat(CLUSTER.run("fs", "tail", "-n", "99999", home + "/a").out())
                .isEqualTo(content.toString());
    }

    @Test
    void tailPrintsLastBytes() {
        file("a", "0123456789");
        assertThat(CLUSTER.run("fs", "tail", "-c", "4", home + "/a").out()).isEqualTo("6789");
        assertThat(CLUSTER.run("fs", "tail", "-c", "1KiB", home + "/a").out())
                .isEqualTo("0123456789");
        assertThat(CLUSTER.run("fs", "tail", "-c", "x", home + "/a").status()).isEqualTo(2);
    }

    @Test
    void tailCountsALastLineWithoutEnd() {
        file("a", "1\n2\n3");
        assertThat(CLUSTER.run("fs", "tail", "-n", "2", home + "/a").out()).isEqualTo("2\n3");
    }

    @Test
    void tailFollowsUntilTheWriterCloses() throws Exception {
        CrailClient writer = CLUSTER.client();
        CompletableFuture<Run> tail;
        try (CrailOutputStream out = writer.createFile(home + "/log")) {
            out.write("one\n".getBytes(StandardCharsets.UTF_8));
            out.sync();
            tail =
                    CompletableFuture.supplyAsync(
                            () -> CLUSTER.run("fs", "tail", "-f", home + "/log"));
            out.write("two\n".getBytes(StandardCharsets.UTF_8));
        }
        assertThat(tail.get(60, TimeUnit.SECONDS).out()).isEqualTo("one\ntwo\n");
    }

    @Test
    void touchMakesEmptyFiles() {
        assertThat(CLUSTER.run("fs", "touch", "-c", home + "/a").status()).isZero();
        assertThat(CLUSTER.run("fs", "ls", home).out()).isEmpty();
        assertThat(CLUSTER.run("fs", "touch", home + "/a").status()).isZero();
        assertThat(CLUSTER.run("fs", "touch", home + "/a").status()).isZero();
        assertThat(CLUSTER.run("fs", "stat", home + "/a").out()).containsPattern("length +0 ");
    }

    @Test
    void checksumKnowsSeveralAlgorithms() {
        file("a", "hello");
        CRC32C crc = new CRC32C();
        crc.update("hello".getBytes(StandardCharsets.UTF_8));
        assertThat(CLUSTER.run("fs", "checksum", home + "/a").out())
                .isEqualTo(String.format("%08x  %s/a%n", crc.getValue(), home));
        assertThat(CLUSTER.run("fs", "checksum", "-a", "sha256", home + "/a").out())
                .startsWith("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824  ");
        assertThat(CLUSTER.run("fs", "checksum", "-a", "md4", home + "/a").status()).isEqualTo(2);
        assertThat(CLUSTER.run("fs", "checksum", "--stored", home + "/a").out())
                .isEqualTo(CLUSTER.run("fs", "checksum", home + "/a").out());
        assertThat(CLUSTER.run("fs", "checksum", "--stored", "-a", "md5", home + "/a").status())
                .isEqualTo(2);
        assertThat(CLUSTER.run("fs", "checksum", "--json", home + "/a").out())
                .contains("\"algorithm\": \"crc32c\"");
    }

    @Test
    void locationsNameServers() {
        file("a", "x".repeat(3 << 20));
        assertThat(CLUSTER.run("fs", "locations", home + "/a").out())
                .contains("OFFSET")
                .contains("127.0.0.1:");
        assertThat(CLUSTER.run("fs", "locations", "--json", home + "/a").out())
                .contains("\"offset\": 0,")
                .contains("\"host\": \"embedded-");
    }

    @Test
    void tablesAreListedLikeDirectories() {
        CLUSTER.run("kv", "create", home + "/t");
        CLUSTER.run("kv", "put", home + "/t", "key", "value");
        assertThat(CLUSTER.run("fs", "ls", home + "/t").out()).isEqualTo("key\n");
        Run cat = CLUSTER.run("fs", "cat", home + "/t");
        assertThat(cat.status()).isEqualTo(1);
        assertThat(cat.err()).contains("crail kv").hasLineCount(1);
    }

    @Test
    void pathsWithDotsAreRefused() {
        assertThat(CLUSTER.run("fs", "ls", home + "/../x").status()).isEqualTo(2);
        assertThat(CLUSTER.run("fs", "ls", "relative").status()).isEqualTo(2);
    }

    @Test
    void chmodAndChownChangeWhatTheySay() {
        file("f", "x");
        assertThat(CLUSTER.run("fs", "chmod", "1750", home + "/f").err()).isEmpty();
        assertThat(CLUSTER.run("fs", "chown", "alice:staff", home + "/f").err()).isEmpty();
        assertThat(CLUSTER.run("fs", "stat", home + "/f").out())
                .contains("(1750)")
                .contains("alice:staff");
        CLUSTER.run("fs", "chown", ":guests", home + "/f");
        assertThat(CLUSTER.run("fs", "stat", home + "/f").out()).contains("alice:guests");
        for (String[] wrong :
                new String[][] {
                    {"chmod", "789"}, {"chmod", "17777"}, {"chmod", "-1"}, {"chown", ":"}
                }) {
            assertThat(CLUSTER.run("fs", wrong[0], wrong[1], home + "/f").status()).isNotZero();
        }
    }
}
