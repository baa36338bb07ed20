// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.error.BusyException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.hugepages.HugePageMount;
import io.crail.protocol.segment.SegmentPlace;
import io.crail.storage.StorageConfig;
import io.crail.storage.StorageServer;
import io.crail.storage.registration.NamenodeAddress;
import io.crail.storage.segment.FreeSpace;
import io.crail.storage.segment.HugePageSpace;
import io.crail.storage.segment.SegmentFiles;
import io.crail.system.process.ClientProcess;
import io.crail.system.process.HugePages;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Segments in huge pages, on a real hugetlbfs: for servers and clients in processes. */
@Tag("system")
@Timeout(120)
final class HugePagesTest {
    private static final String KEY = "storage.huge-pages.dir";
    private static final int PAGES = 40;
    private static final int LENGTH = 5_000_000;
    private static final int VALUE = 100_000;
    private static final int MIB = 1 << 20;

    /** Two segments of 16 MiB, each with a page for header and control area. */
    private static final int USED = 2 * (1 + 8);

    private static HugePages huge;

    @TempDir private Path directory;

    @BeforeAll
    static void mount() throws IOException {
        huge = HugePages.mount(PAGES);
    }

    @AfterAll
    static void unmount() {
        if (huge != null) {
            huge.close();
        }
    }

    /** What killed servers have left. */
    @AfterEach
    void removeLeftovers() throws IOException {
        for (Path file : huge.files()) {
            if (Files.isDirectory(file)) {
                SegmentPlace.remove(file);
            }
        }
        assertThat(huge.files()).isEmpty();
    }

    private static ProcessCluster.Builder cluster() {
        return ProcessCluster.builder()
                .servers(1)
                .capacity("32 MiB")
                .set(KEY, huge.directory().toString());
    }

    /** Over the network, so that nothing is mapped in this process. */
    private static CrailClient remote(ProcessCluster cluster) throws IOException {
        return CrailClient.connect(cluster.clientConfig().sharedMemory(false).build());
    }

    private static void write(CrailClient client) throws IOException {
        Payload.write(client, "/mine", Payload.random(1, LENGTH));
        client.createTable("/table").put(Payload.text("mine"), Payload.random(2, VALUE));
    }

    private static void check(CrailClient client, String name) throws IOException {
        assertThat(Payload.read(client, "/" + name)).isEqualTo(Payload.random(1, LENGTH));
        assertThat(client.table("/table").get(Payload.text(name)).orElseThrow().toByteArray())
                .isEqualTo(Payload.random(2, VALUE));
    }

    @Test
    void filesAndValuesGoOverBothWaysAndOutliveTheServer() throws IOException {
        try (ProcessCluster cluster = cluster().start()) {
            assertThat(huge.used()).isEqualTo(USED);
            assertThat(huge.free()).isLessThanOrEqualTo(PAGES - USED);
            assertThat(huge.files())
                    .extracting(file -> file.getFileName().toString())
                    .contains("segment-0", "segment-1", "lock")
                    .anyMatch(name -> name.matches("crail-0-server-0-[0-9a-f]{8}"));
            try (CrailClient remote = remote(cluster)) {
                write(remote);
                try (ClientProcess local =
                        ClientProcess.start(LocalCopierMain.class, cluster.namenodeAddress())) {
                    local.awaitLine("tcp 0 shm " + (LENGTH + VALUE));
                    assertThat(local.awaitEnd()).isZero();
                }
                check(remote, "theirs");
            }

            cluster.stopStorage(0);
            cluster.restartStorage(0);
            cluster.awaitLive(1);
            cluster.killStorage(0);
            cluster.restartStorage(0);
            cluster.awaitLive(1);
            assertThat(huge.used()).isEqualTo(USED);
            try (CrailClient remote = remote(cluster)) {
                check(remote, "mine");
                check(remote, "theirs");
            }
        }
    }

    @Test
    void nothingStaysOfAServerThatRemovesItsFiles() throws IOException {
        try (ProcessCluster cluster = cluster().set("storage.remove-on-exit", "true").start()) {
            assertThat(huge.used()).isEqualTo(USED);
            cluster.stopStorage(0);
            assertThat(huge.files()).isEmpty();
            assertThat(huge.used()).isZero();
        }
    }

    private StorageConfig.Builder config() {
        return StorageConfig.builder(new NamenodeAddress("127.0.0.1", 1))
                .directory(directory.resolve("server"))
                .capacity(4 * MIB)
                .segmentSize(2 * MIB);
    }

    @Test
    void theDirectoryIsLockedCheckedAndFormattedAsTheServersOwn() throws IOException {
        StorageConfig config = config().hugePages(huge.directory()).build();
        Path segments;
        try (StorageServer server = StorageServer.start(config)) {
            assertThat(server.directory().resolve(SegmentPlace.FILE)).isRegularFile();
            segments = new SegmentPlace(server.directory()).elsewhere().orElseThrow();
            assertThat(segments.getParent()).isEqualTo(huge.directory());
            // As a container sees it that has another /dev/shm, and the same hugetlbfs.
            Files.delete(server.directory().resolve("lock"));
            assertThatThrownBy(() -> StorageServer.start(config))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining(segments.toString());
        }
        Files.createFile(segments.resolve("segment-0")); // Unfinished, as by kill -9.
        assertThatThrownBy(() -> StorageServer.start(config().build()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(segments.toString())
                .hasMessageContaining(KEY)
                .hasMessageContaining("--format");
        assertThatThrownBy(() -> StorageServer.start(config().hugePages(other()).build()))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("--format");
        StorageServer.start(config().format(true).build()).close();
        assertThat(segments).doesNotExist();
    }

    private static Path other() throws IOException {
        return Files.createDirectories(huge.directory().resolve("other"));
    }

    private SegmentFiles files(Path where, FreeSpace space) {
        return new SegmentFiles(where, new UUID(2, 2), new Random(1), space);
    }

    /** Where the look in advance says yes, and another program is faster: mmap says no. */
    @Test
    void pagesThatVanishedAreAnErrorAndNotASignal() throws IOException {
        HugePageSpace real = new HugePageSpace(HugePageMount.of(huge.directory()));
        FreeSpace optimistic =
                new FreeSpace() {
                    @Override
                    public long usableBytes(Path where) {
                        return Long.MAX_VALUE;
                    }

                    @Override
                    public String shortage(Path where, long bytes) throws IOException {
                        return real.shortage(where, bytes);
                    }
                };
        assertThatThrownBy(
                        () ->
                                files(huge.directory(), optimistic)
                                        .create(0, new UUID(1, 1), 1 << 30, () -> false))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("514 pages of 2 MiB")
                .hasMessageContaining(huge.directory().toString());
        assertThat(huge.files()).isEmpty();
    }

    @Test
    void tooFewPagesAreToldWithTheirNumber() throws IOException {
        HugePageMount mount = HugePageMount.of(huge.directory());
        assertThat(mount.pageSize()).isEqualTo(HugePages.PAGE);
        SegmentFiles files = files(huge.directory(), new HugePageSpace(mount));
        int missing = PAGES + 5;
        assertThatThrownBy(() -> files.checkSpace(missing * HugePages.PAGE))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining(missing + " pages of 2 MiB")
                .hasMessageContaining("vm.nr_hugepages=");
        assertThatThrownBy(() -> files.checkSpace(1000 * HugePages.PAGE))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("1000 pages of 2 MiB");
    }

    @Test
    void otherPlacesAreRefusedWithARemedy() throws IOException {
        for (Path wrong : List.of(directory, directory.resolve("missing"))) {
            assertThatThrownBy(() -> StorageServer.start(config().hugePages(wrong).build()))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining(KEY)
                    .hasMessageContaining("mount -t hugetlbfs");
        }
    }
}
