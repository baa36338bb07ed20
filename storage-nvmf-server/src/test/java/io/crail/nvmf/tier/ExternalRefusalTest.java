// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ServerLostException;
import io.crail.error.VersionMismatchException;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.Superblock;
import io.crail.nvmf.target.memory.DataPool;
import io.crail.nvmf.tier.ExternalFixture.Joined;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.TierSegment;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a target or a namespace ends the start, and says what to do. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // Started before each test.
class ExternalRefusalTest {
    @TempDir Path directory;
    private ExternalFixture fixture;

    @BeforeEach
    void start() throws IOException {
        fixture = new ExternalFixture(directory.resolve("image"), 8 << 20);
    }

    @AfterEach
    void stop() throws IOException {
        fixture.close();
    }

    private static void open(Map<String, String> options) throws CrailException {
        StorageTier tier =
                new NvmfTierProvider()
                        .open(ExternalFixture.context(ExternalFixture.IDENTITY, false, options));
        tier.close();
        throw new AssertionError("opened with " + options);
    }

    private Map<String, String> with(String option, String value) throws IOException {
        Map<String, String> options = fixture.options();
        options.put(option, value);
        return options;
    }

    @ParameterizedTest
    @CsvSource({
        "target, nvme1:4420, wanted: tcp:HOST:PORT",
        "target, tcp:nvme1, wanted: tcp:HOST:PORT",
        "target, tcp::4420, wanted: tcp:HOST:PORT",
        "target, fc:nvme1:4420, nobody knows 'fc'",
        "target, tcp:nvme1:0, port 0",
        "target, tcp:nvme1:70000, port 70000",
        "target, rdma:nvme1:4420, crail-storage-nvmf-rdma",
        "nqn, '', --nqn",
        "nqn, nonsense, nonsense",
        "namespace, 0, namespace",
        "namespace, x, namespace",
        "keep_alive_millis, 20, keep_alive_millis",
        "file, /data/crail.img, --file is for the built-in target",
        "workers, 3, no option workers"
    })
    void optionsThatCannotBeMeantAreRefusedWithWhatIsWrong(
            String option, String value, String message) throws IOException {
        Map<String, String> options = with(option, value);
        assertThatThrownBy(() -> open(options))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void addressesOfBothFamiliesAreUnderstood() throws CrailException {
        assertThat(TargetAddress.parse("tcp:[::1]:4420", ExternalFixture.NQN, 2))
                .hasToString("namespace 2 of tcp:" + ExternalFixture.NQN + " at ::1:4420");
        assertThat(TargetAddress.parse("tcp:127.0.0.1:1", ExternalFixture.NQN, 1).address().host())
                .isEqualTo("127.0.0.1");
    }

    @Test
    void aTargetThatDoesNotAnswerIsTriedSeveralTimesAndNamed() throws IOException {
        int nobody;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = closed.getLocalPort();
        }
        Map<String, String> options = with("target", "tcp:127.0.0.1:" + nobody);
        assertThatThrownBy(() -> open(options))
                .isInstanceOf(ServerLostException.class)
                .hasMessageContaining(ExternalFixture.NQN + " at 127.0.0.1:" + nobody)
                .hasMessageContaining("tried 4 times");
    }

    @Test
    void aSubsystemThatIsNotThereIsNamed() throws IOException {
        Map<String, String> options = with("nqn", "nqn.2026-11.example:other");
        assertThatThrownBy(() -> open(options))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("nqn.2026-11.example:other")
                .hasMessageContaining("--nqn");
    }

    @Test
    void aNamespaceThatIsNotThereIsNamed() throws IOException {
        Map<String, String> options = with("namespace", "7");
        assertThatThrownBy(() -> open(options))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("namespace 7");
    }

    @Test
    void aNamespaceThatIsTooSmallIsRefused() throws IOException {
        try (ExternalFixture small = new ExternalFixture(directory.resolve("small"), 1 << 20)) {
            assertThatThrownBy(small::open)
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("too small")
                    .hasMessageContaining("larger namespace");
        }
    }

    @Test
    void aNamespaceWithSomethingElseInItIsRefusedAndNotChanged() throws IOException {
        ByteBuffer foreign = DataPool.aligned(4096).putLong(0, 0x1234);
        fixture.target.medium(1).write(0, foreign);
        assertThatThrownBy(fixture::open)
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("something else")
                .hasMessageContaining("--format");
        ByteBuffer now = DataPool.aligned(4096);
        fixture.target.medium(1).read(0, now);
        assertThat(now.getLong(0)).isEqualTo(0x1234);
        fixture.open(ExternalFixture.IDENTITY, true, true).close();
    }

    @Test
    void aNamespaceOfAnotherServerIsRefused() throws IOException {
        fixture.open().close();
        assertThatThrownBy(() -> fixture.open(new UUID(5, 5), false, true))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining(ExternalFixture.IDENTITY.toString())
                .hasMessageContaining("--dir");
    }

    /** Counters are stored in another way, and its clients do not look at epochs. */
    @Test
    void aNamespaceThatTheBuiltInTargetFormattedIsRefused() throws IOException {
        Superblock builtIn =
                new Superblock(
                        ExternalFixture.CLUSTER,
                        ExternalFixture.IDENTITY,
                        3,
                        FlashLayout.within(8 << 20));
        ByteBuffer unit = DataPool.aligned(4096);
        builtIn.encode(unit);
        fixture.target.medium(1).write(0, unit);
        assertThatThrownBy(fixture::open)
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("--file");
    }

    @Test
    void anotherKeepAliveThanTheFormattedOneIsRefused() throws IOException {
        int incarnation;
        try (Joined first = fixture.open()) {
            incarnation = first.segment().join().incarnation();
        }
        Map<String, String> options = with("keep_alive_millis", "2000");
        StorageTier tier =
                new NvmfTierProvider()
                        .open(ExternalFixture.context(ExternalFixture.IDENTITY, false, options));
        try {
            assertThatThrownBy(() -> tier.join(ExternalFixture.CLUSTER, new Unheard()))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("1000 ms");
            assertThatThrownBy(() -> tier.join(new UUID(1, 2), new Unheard()))
                    .isInstanceOf(VersionMismatchException.class);
        } finally {
            tier.close();
        }
        try (Joined again = fixture.open()) {
            assertThat(again.segment().join().incarnation()).isEqualTo(incarnation);
        }
    }

    /** Nothing is to be heard. */
    private static final class Unheard implements SegmentListener {
        @Override
        public void ready(TierSegment segment) {
            throw new AssertionError("ready");
        }

        @Override
        public void complete() {
            throw new AssertionError("complete");
        }

        @Override
        public void failed(CrailException cause) {
            throw new AssertionError(cause);
        }
    }
}
