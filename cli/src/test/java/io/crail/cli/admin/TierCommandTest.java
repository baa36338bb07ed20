// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import io.crail.client.BlockLocation;
import io.crail.client.CrailClient;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.node.Xattrs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes by name of the option, and what moves between them. */
class TierCommandTest {
    private static EmbeddedCluster cluster;
    private static CrailClient client;

    @TempDir private Path local;

    @BeforeAll
    static void start() throws CrailException {
        AtomicInteger nextClass = new AtomicInteger();
        cluster =
                EmbeddedCluster.builder()
                        .servers(2)
                        .capacity(16 << 20)
                        .segmentSize(16 << 20)
                        .movers(false)
                        .storage(server -> server.storageClass(nextClass.getAndIncrement()))
                        .start();
        client = cluster.client();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    private static Run run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--namenode=" + cluster.namenode());
        return Run.withInput(new byte[0], all.toArray(new String[0]));
    }

    private static List<Integer> classes(String path) throws CrailException {
        return client.locations(path).stream().map(BlockLocation::storageClass).distinct().toList();
    }

    private String file(String name) throws IOException {
        return Files.write(local.resolve(name), new byte[100_000]).toString();
    }

    @Test
    void filesAndDirectoriesGoToTheClassThatIsNamed() throws IOException {
        assertThat(run("fs", "mkdir", "--class", "1", "/slow").err()).isEmpty();
        assertThat(run("fs", "put", file("a"), "/slow/a").status()).isZero();
        assertThat(run("fs", "put", "--class", "1", file("b"), "/b").status()).isZero();
        assertThat(run("fs", "put", file("c"), "/c").status()).isZero();
        assertThat(classes("/slow/a")).containsExactly(1);
        assertThat(classes("/b")).containsExactly(1);
        assertThat(classes("/c")).containsExactly(0);
        assertThat(run("fs", "put", "--class", "256", file("d"), "/d").err())
                .contains("storage class 256 is outside 0..255");
        assertThat(client.lookup("/d")).isEmpty();
    }

    @Test
    void whatIsMadeInADirectoryHasTheClassThatItHasThen() throws IOException {
        client.mkdir("/later");
        assertThat(run("fs", "put", file("a"), "/later/a").status()).isZero();
        assertThat(run("fs", "class", "1", "/later").err()).isEmpty();
        assertThat(run("fs", "put", file("b"), "/later/b").status()).isZero();
        assertThat(classes("/later/a")).containsExactly(0);
        assertThat(classes("/later/b")).containsExactly(1);
        assertThat(client.status("/later").storageClass()).isEqualTo(1);
        assertThat(run("fs", "class", "-1", "/later").status()).isNotZero();
    }

    @Test
    void aSubtreeMovesAndComesBack() throws IOException {
        client.mkdir("/tree");
        assertThat(run("fs", "put", file("f"), "/tree/f").status()).isZero();
        Run away = run("admin", "tier", "--now", "/tree", "--to", "1");
        assertThat(away.err()).isEmpty();
        assertThat(away.out()).contains("blocks moved to storage class 1");
        assertThat(classes("/tree/f")).containsExactly(1);
        Run back = run("admin", "tier", "--json", "--now", "/tree", "--to", "0");
        assertThat(back.out()).contains("\"movedBytes\": 100000", "\"pinnedBlocks\": 0");
        assertThat(classes("/tree/f")).containsExactly(0);
        assertThat(run("admin", "tier").out())
                .containsPattern("(?m)^ +0 .* 98 KiB +0 B")
                .contains("no mover is at work");
    }

    @Test
    void whatIsPinnedSaysSoUntilItIsNot() throws IOException {
        client.mkdir("/pinned");
        assertThat(run("admin", "tier", "--pin", "/pinned").err()).isEmpty();
        assertThat(client.listXattrs("/pinned")).containsExactly(Xattrs.PINNED);
        assertThat(run("admin", "tier", "--unpin", "/pinned").err()).isEmpty();
        assertThat(client.listXattrs("/pinned")).isEmpty();
        assertThat(run("admin", "tier", "--unpin", "/pinned").err()).isEmpty();
        assertThat(run("admin", "tier", "--pin", "/none").status()).isNotZero();
    }

    @Test
    void whatIsSetIsShown() {
        Run set = run("admin", "tier", "--pause", "--high", "91", "--low", "81", "--rate", "5MiB");
        assertThat(set.err()).isEmpty();
        assertThat(set.out())
                .containsPattern("state +paused")
                .containsPattern("marks +from 91 % down to 81 %")
                .containsPattern("rate +5\\.0 MiB per second and mover");
        assertThat(run("admin", "tier", "--json").out())
                .contains("\"paused\": true", "\"highPercent\": 91", "\"bytesPerSecond\": 5242880")
                .contains("\"storageClass\": 1, \"capacity\": 16777216");
        Run reset = run("admin", "tier", "--resume", "--high", "0", "--low", "0", "--rate", "0");
        assertThat(reset.out())
                .containsPattern("state +moving by itself")
                .containsPattern("marks +from 85 % down to 75 %")
                .containsPattern("rate +as each mover is configured");
    }

    @Test
    void whatContradictsItselfIsRefused() {
        int invalid = ExitCode.of(new InvalidArgumentException("")).number();
        for (List<String> wrong :
                List.of(
                        List.of("--pause", "--resume"),
                        List.of("--high", "90"),
                        List.of("--high", "70", "--low", "80"),
                        List.of("--high", "300", "--low", "10"),
                        List.of("--high", "-1", "--low", "-2"),
                        List.of("--high", "256", "--low", "0"),
                        List.of("--now", "/"),
                        List.of("--now", "/", "--to", "7"),
                        List.of("--now", "/", "--to", "256"),
                        List.of("--now", "/", "--to", "1", "--pause"),
                        List.of("--pin", "/", "--pause"),
                        List.of("--rate", "fast"))) {
            List<String> all = new ArrayList<>(List.of("admin", "tier"));
            all.addAll(wrong);
            assertThat(run(all.toArray(new String[0])).status())
                    .as(wrong.toString())
                    .isEqualTo(invalid);
        }
    }
}
