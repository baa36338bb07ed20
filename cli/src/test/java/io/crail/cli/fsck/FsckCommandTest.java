// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fsck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.cli.command.ExitCode;
import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import io.crail.error.NoSuchNodeException;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

class FsckCommandTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private String file = "";

    @BeforeEach
    void write() throws IOException {
        file = CLUSTER.directory() + "/f";
        try (CrailOutputStream out = CLUSTER.client().createFile(file)) {
            out.write(new byte[2_000_000]);
        }
    }

    @Test
    void aClusterThatIsWholeIsFoundWell() {
        Run run = CLUSTER.run("fsck");
        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("FINDING")
                .containsPattern("orphan-block +0")
                .contains("2 servers")
                .contains("all is well");
    }

    @Test
    void jsonTellsTheSame() {
        Run run = CLUSTER.run("fsck", "--json");
        assertThat(run.status()).isZero();
        assertThat(run.out())
                .contains("\"clean\": true")
                .contains("\"servers\": 2")
                .contains("\"lost-extent\": 0")
                .contains("\"findings\": []");
    }

    @Test
    void nodesAtAPathAreCheckedWithoutBlocks() {
        Run run = CLUSTER.run("fsck", "--json", file);
        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("\"clean\": true").contains("\"servers\": 0");
    }

    @Test
    void aPathThatIsNotThereIsNotFound() {
        Run run = CLUSTER.run("fsck", "/nowhere");
        assertThat(run.status()).isEqualTo(ExitCode.NOT_FOUND.number());
        assertThat(run.err()).contains("/nowhere");
    }

    private static boolean isDead(CrailClient client) throws CrailException {
        return client.statistics().servers().get(0).state() == ServerState.DEAD.wire();
    }

    @Test
    @Timeout(60)
    void lostBytesAreToldAndTheirNodesDeletedOnlyWhenAsked() throws IOException {
        try (EmbeddedCluster cluster =
                        EmbeddedCluster.builder()
                                .servers(1)
                                .capacity(32 << 20)
                                .segmentSize(32 << 20)
                                .namenode(n -> n.serverReturnTime(Duration.ofMillis(100)))
                                .start();
                CrailClient client = cluster.connect()) {
            String namenode = "--namenode=" + cluster.namenode();
            for (String path : List.of("/lost", "/kept-below")) {
                try (CrailOutputStream out = client.createFile(path)) {
                    out.write(new byte[100_000]);
                }
            }
            client.mkdir("/d");
            client.rename("/kept-below", "/d/kept");
            cluster.stopStorage(0);
            while (!isDead(client)) {
                Thread.onSpinWait(); // Each look is a call; the timeout of the test is the bound.
            }
            Run found = Run.of("fsck", "--repair", namenode);
            assertThat(found.status()).isEqualTo(ExitCode.FAILURE.number());
            assertThat(found.out())
                    .contains("lost-extent: /lost has lost ")
                    .contains("lost-extent: /d/kept has lost ");
            assertThat(found.err()).contains("findings");
            assertThat(Run.of("fsck", "/d/kept", namenode).out()).doesNotContain("/lost");
            Run repaired = Run.of("fsck", "--delete-lost", namenode, "/lost");
            assertThat(repaired.err()).isEmpty();
            assertThat(repaired.status()).isZero();
            assertThat(repaired.out()).contains("deleted: lost-extent: /lost");
            assertThatThrownBy(() -> client.status("/lost"))
                    .isInstanceOf(NoSuchNodeException.class);
            assertThat(client.status("/d/kept").length()).isEqualTo(100_000);
        }
    }

    /** Adds to the generation word of a free slot behind its server's back. */
    private static void change(EmbeddedCluster cluster, int record, int by) throws IOException {
        try (FileChannel segment =
                FileChannel.open(
                        cluster.storage(0).directory().resolve(SegmentLayout.fileName(0)),
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE)) {
            long at = SegmentLayout.generationsOffset() + 8L * record;
            ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(segment.read(word, at)).isEqualTo(8);
            word.putLong(0, word.getLong(0) + by);
            assertThat(segment.write(word.flip(), at)).isEqualTo(8);
        }
    }

    @Test
    @Timeout(120)
    void whatAServerSaysOtherwiseIsToldRepairedAndThenWell() throws IOException {
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder()
                        .servers(1)
                        .capacity(32 << 20)
                        .segmentSize(32 << 20)
                        .start()) {
            String namenode = "--namenode=" + cluster.namenode();
            change(cluster, 17, 2);
            Run found = Run.of("fsck", "--json", namenode);
            assertThat(found.status()).isEqualTo(ExitCode.FAILURE.number());
            assertThat(found.out())
                    .contains("\"clean\": false")
                    .contains("\"wrong-generation\": 1")
                    .contains("\"kind\": \"wrong-generation\"")
                    .contains("\"record\": 17")
                    .contains("\"bytes\": 4096")
                    .contains("\"repaired\": []");
            Run repaired = Run.of("fsck", "--repair", namenode);
            assertThat(repaired.err()).isEmpty();
            assertThat(repaired.status()).isZero();
            assertThat(repaired.out())
                    .contains("repaired: wrong-generation: block ")
                    .contains("all is well");
            Run well = Run.of("fsck", namenode);
            assertThat(well.status()).isZero();
            change(cluster, 40, -1);
            Run unrepaired = Run.of("fsck", "--repair", namenode);
            assertThat(unrepaired.status()).isEqualTo(ExitCode.FAILURE.number());
            assertThat(unrepaired.out()).contains("not repaired").contains("--format");
        }
    }
}
