// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailView;
import io.crail.client.audit.AuditReport;
import io.crail.client.audit.Finding;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.Damage;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.segment.SegmentLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The storage server's side of a check: what was done to its memory, or to what is said of it. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
class FsckStorageTest {
    private static final int SEGMENT = 16 << 20;
    private static final int MIB = 1 << 20;

    private long capacity = 2 * SEGMENT;
    private EmbeddedCluster cluster;
    private CrailClient client;
    private int server;

    @BeforeEach
    void start() throws CrailException {
        cluster =
                EmbeddedCluster.builder()
                        .servers(1)
                        .segmentSize(SEGMENT)
                        .storage(builder -> builder.capacity(capacity))
                        .start();
        client = cluster.connect();
        server = client.statistics().servers().get(0).id();
    }

    @AfterEach
    void stop() throws CrailException {
        client.close();
        cluster.close();
    }

    private AuditReport check() throws CrailException {
        return client.admin().check(null, looks -> {});
    }

    private void isCleanNow() throws CrailException {
        AuditReport report = check();
        assertThat(report.findings()).isEmpty();
        assertThat(report.unchecked()).isEmpty();
    }

    private void write(String path, int length) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            out.write(new byte[length]);
        }
    }

    /** The first block of a file. */
    private BlockId block(String path) throws IOException {
        return Damage.block(cluster.namenodeServer(), path);
    }

    private Path segment(int number) {
        return cluster.storage(0).directory().resolve(SegmentLayout.fileName(number));
    }

    /** Adds to a generation word behind the server's back. */
    private void raise(BlockId id, int by) throws IOException {
        try (FileChannel file =
                FileChannel.open(
                        segment(id.segment()), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            long at = SegmentLayout.generationsOffset() + 8L * id.record();
            ByteBuffer word = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(file.read(word, at)).isEqualTo(8);
            word.putLong(0, word.getLong(0) + by);
            assertThat(file.write(word.flip(), at)).isEqualTo(8);
        }
    }

    private Finding only(Finding.Kind kind) throws CrailException {
        AuditReport report = check();
        assertThat(report.isClean()).isFalse();
        assertThat(report.unchecked()).isEmpty();
        assertThat(report.findings()).hasSize(1);
        Finding finding = report.findings().get(0);
        assertThat(finding.kind()).as(finding.text()).isEqualTo(kind);
        return finding;
    }

    @Test
    void aWordThatWasRaisedUnderAFileIsFoundAndIsALossWhenRepaired() throws IOException {
        write("/f", 3 * MIB);
        write("/other", 3 * MIB);
        BlockId id = block("/f");
        raise(id, 1);
        Finding finding = only(Finding.Kind.WRONG_GENERATION);
        assertThat(finding.block()).isEqualTo(id);
        assertThat(finding.text()).contains("committed").contains("cannot be read");
        assertThat(client.admin().repair(finding)).isTrue();
        Finding lost = only(Finding.Kind.LOST_EXTENT);
        assertThat(lost.path()).isEqualTo("/f");
        assertThat(lost.block()).isEqualTo(id);
        assertThat(client.admin().repair(lost)).isTrue();
        isCleanNow();
        assertThat(client.lookup("/f")).isEmpty();
        assertThat(client.lookup("/other")).isPresent();
    }

    @Test
    void aWordThatWasChangedWhileItsServerWasDownIsALoss() throws IOException {
        write("/f", 3 * MIB);
        BlockId id = block("/f");
        cluster.stopStorage(0);
        raise(id, 1);
        cluster.restartStorage(0);
        Finding lost = only(Finding.Kind.LOST_EXTENT);
        assertThat(lost.path()).isEqualTo("/f");
        assertThat(client.admin().repair(lost)).isTrue();
        isCleanNow();
    }

    @Test
    void aFreeSlotThatTheServerIsAheadOfIsOfUseAgainWhenRepaired() throws IOException {
        write("/f", 5000);
        for (BlockId id : List.of(new BlockId(server, 0, 17), new BlockId(server, 1, 300))) {
            raise(id, 3);
            Finding finding = only(Finding.Kind.WRONG_GENERATION);
            assertThat(finding.block()).isEqualTo(id);
            assertThat(finding.length()).isEqualTo(4096);
            assertThat(finding.text()).contains("is free").contains("until that is repaired");
            assertThat(client.admin().repair(finding)).isTrue();
            isCleanNow();
        }
        write("/all", 28 * MIB); // Every block is good.
        isCleanNow();
    }

    @Test
    void slotsInsideOfABlockAreComparedAndToldTogether() throws IOException {
        write("/f", MIB);
        BlockId block = block("/f");
        for (int i = 5; i < 9; i++) {
            raise(new BlockId(server, block.segment(), block.record() + i), 1);
        }
        Finding finding = only(Finding.Kind.WRONG_GENERATION);
        assertThat(finding.block())
                .isEqualTo(new BlockId(server, block.segment(), block.record() + 5));
        assertThat(finding.length()).isEqualTo(4 * 4096);
        assertThat(client.admin().repair(finding)).isTrue();
        isCleanNow();
        assertThat(client.status("/f").length()).isEqualTo(MIB);
    }

    @Test
    void aWordThatWentBackIsToldWithWhatToDo() throws IOException {
        BlockId id = new BlockId(server, 1, 40);
        raise(id, -1); // To counter 0, which no block ever has.
        Finding finding = only(Finding.Kind.WRONG_GENERATION);
        assertThat(finding.block()).isEqualTo(id);
        assertThat(finding.text()).contains("not repaired").contains("--format");
        assertThat(client.admin().repair(finding)).isTrue(); // The server reports; that is no news.
        assertThat(only(Finding.Kind.WRONG_GENERATION).block()).isEqualTo(id);
    }

    @Test
    void aSegmentWhoseFileIsGoneIsALossWhereTheServerHasMadeAnother() throws IOException {
        write("/f", 28 * MIB);
        cluster.stopStorage(0);
        Files.delete(segment(1));
        cluster.restartStorage(0);
        AuditReport report = check();
        assertThat(report.count(Finding.Kind.LOST_EXTENT)).isGreaterThan(5);
        assertThat(report.findings())
                .allMatch(finding -> finding.kind() == Finding.Kind.LOST_EXTENT)
                .allMatch(finding -> finding.path().equals("/f"));
        assertThat(client.admin().repair(report.findings().get(0))).isTrue();
        isCleanNow();
    }

    @Test
    void aSegmentThatTheServerLacksIsFoundAndIsBackWithIt() throws IOException {
        write("/f", 28 * MIB);
        cluster.stopStorage(0);
        Path aside = segment(1).resolveSibling("aside");
        Files.move(segment(1), aside);
        capacity = SEGMENT;
        cluster.restartStorage(0);
        Finding finding = only(Finding.Kind.WRONG_SEGMENT);
        assertThat(finding.block()).isEqualTo(new BlockId(server, 1, 0));
        assertThat(finding.length()).isEqualTo(SEGMENT);
        assertThat(finding.text()).contains("not there").contains("at least the capacity");
        assertThatThrownBy(() -> client.admin().repair(finding))
                .isInstanceOf(InvalidArgumentException.class);
        cluster.stopStorage(0);
        Files.move(aside, segment(1));
        capacity = 2 * SEGMENT;
        cluster.restartStorage(0);
        isCleanNow();
    }

    @Test
    void aRevokeThatWasLostIsFoundAndMadeUpFor() throws IOException {
        BlockId id = Damage.orphan(cluster.namenodeServer(), server, 4096, true);
        Damage.losesRevoke(cluster.namenodeServer(), id, 4096);
        Finding finding = only(Finding.Kind.STUCK_BLOCK);
        assertThat(finding.block()).isEqualTo(id);
        assertThat(finding.text()).contains("does not know");
        assertThat(client.admin().repair(finding)).isTrue();
        isCleanNow();
    }

    @Test
    void anAnswerToARevokeThatWasLostIsFoundAndMadeUpFor() throws IOException {
        BlockId id = Damage.orphan(cluster.namenodeServer(), server, 4096, true);
        Damage.losesRevoke(cluster.namenodeServer(), id, 4096);
        raise(id, 1);
        Finding finding = only(Finding.Kind.STUCK_BLOCK);
        assertThat(finding.block()).isEqualTo(id);
        assertThat(finding.text()).contains("has done so");
        assertThat(client.admin().repair(finding)).isTrue();
        isCleanNow();
    }

    @Test
    void aBlockThatIsHeldInPlaceAlthoughItCountsAsFreeIsFound() throws IOException {
        write("/f", MIB);
        BlockId id = block("/f");
        try (CrailFile file = client.open("/f");
                CrailView view = file.view(0, MIB)) {
            assertThat(view.buffers()).hasSize(1);
            assertThat(cluster.storage(0).statistics().pins()).isPositive();
            isCleanNow();
            Damage.takesForFree(cluster.namenodeServer(), id, MIB);
            AuditReport report = check();
            assertThat(report.count(Finding.Kind.STRAY_PIN)).isEqualTo(1);
            assertThat(report.findings())
                    .filteredOn(finding -> finding.kind() == Finding.Kind.STRAY_PIN)
                    .singleElement()
                    .satisfies(
                            finding -> {
                                assertThat(finding.block()).isEqualTo(id);
                                assertThat(finding.node()).isNotZero();
                                assertThat(finding.text()).contains("is free", "end it");
                                assertThatThrownBy(() -> client.admin().repair(finding))
                                        .isInstanceOf(InvalidArgumentException.class);
                            });
            assertThat(report.count(Finding.Kind.WRONG_GENERATION)).isEqualTo(1);
        }
        assertThat(check().count(Finding.Kind.STRAY_PIN)).isZero();
    }

    @Test
    void aBlockThatIsQuarantinedBecauseSomebodyReadsItIsWell() throws IOException {
        CrailTable table = client.createTable("/t");
        byte[] key = {1};
        table.put(key, new byte[MIB]);
        try (CrailView view = table.getView(key).orElseThrow()) {
            assertThat(view.length()).isEqualTo(MIB);
            table.remove(key);
            awaitQuarantined();
            isCleanNow();
            cluster.restartNamenode();
            isCleanNow();
        }
        isCleanNow();
    }

    private void awaitQuarantined() {
        Awaitility.await().until(() -> cluster.storage(0).statistics().quarantined() > 0);
    }

    @Test
    void aServerThatIsAwayIsToldAsNotChecked() throws IOException {
        write("/f", MIB);
        try (EmbeddedCluster patient =
                        EmbeddedCluster.builder()
                                .namenode(n -> n.serverReturnTime(Duration.ofMinutes(5)))
                                .start();
                CrailClient other = patient.connect()) {
            patient.stopStorage(0);
            AuditReport report = other.admin().check(null, looks -> {});
            assertThat(report.isClean()).isFalse();
            assertThat(report.unchecked())
                    .singleElement()
                    .asString()
                    .contains("storage server", "is away");
        }
    }
}
