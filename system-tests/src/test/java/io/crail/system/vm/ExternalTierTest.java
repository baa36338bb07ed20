// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.audit.AuditReport;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import io.crail.storage.StorageConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Random;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The store on the host, with a namespace of the kernel's target in the guest. This kernel's target
 * has no reservations: freed blocks come back by time alone, which takes nearly a minute.
 */
@Tag("nvmf")
@Tag("long")
@Timeout(600)
class ExternalTierTest {
    private static final String NQN = "nqn.2026-11.example:tier";
    private static final int GUEST_PORT = 4420;
    private static final int MIB = 1 << 20;
    private static final Duration BOUND = Duration.ofMinutes(4);

    private static VirtualMachine machine;
    private static EmbeddedCluster cluster;
    private static CrailClient client;

    @BeforeAll
    @Timeout(VirtualMachine.BOOT_METHOD_SECONDS)
    static void boot() throws IOException {
        machine = VirtualMachine.boot("ExternalTierTest", GUEST_PORT);
        machine.run("nvmet.sh create --size 28 --nqn " + NQN);
        machine.run("nvmet.sh listen --nqn " + NQN);
        cluster = EmbeddedCluster.builder().capacity(MIB).segmentSize(MIB).start();
        cluster.addServer(target("1"));
        client = cluster.connect();
        client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
    }

    @AfterAll
    static void powerOff() {
        client.close();
        cluster.close();
        machine.close();
    }

    private static Consumer<StorageConfig.Builder> target(String namespace) {
        return server ->
                server.tier("nvmf")
                        .storageClass(1)
                        .tierOption("target", "tcp:127.0.0.1:" + machine.forwardedPort())
                        .tierOption("nqn", NQN)
                        .tierOption("namespace", namespace);
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void write(String path, byte[] content, boolean checksums) throws IOException {
        CreateOptions options = CreateOptions.builder().checksums(checksums).build();
        try (CrailOutputStream out = client.createFile(path, options)) {
            out.write(content);
        }
    }

    private static byte[] read(CrailClient reader, String path) throws IOException {
        try (CrailFile file = reader.open(path)) {
            byte[] content = new byte[(int) file.length()];
            file.readFully(0, ByteBuffer.wrap(content));
            return content;
        }
    }

    private static long quarantined() throws CrailException {
        return client.statistics().servers().stream().mapToLong(each -> each.quarantined()).sum();
    }

    private static void awaitAllFree() {
        Awaitility.await()
                .atMost(BOUND)
                .until(
                        () ->
                                client.statistics().servers().stream()
                                        .allMatch(each -> each.free() == each.capacity()));
    }

    @Test
    void whatIsWrittenIsReadByAnotherHostAndFreedBlocksComeBack() throws IOException {
        byte[] content = random(1, 20 * MIB + 12_345);
        write("/flash/f", content, true);
        try (CrailClient other = cluster.connect()) {
            assertThat(read(other, "/flash/f")).isEqualTo(content);
        }
        AuditReport report = client.admin().check(null, looks -> {});
        assertThat(report.findings()).isEmpty();
        client.delete("/flash/f", false);
        Awaitility.await().until(() -> quarantined() >= 20L * MIB);
        assertThatThrownBy(() -> write("/flash/early", content, true))
                .isInstanceOf(OutOfSpaceException.class);
        awaitAllFree();
        byte[] next = random(2, 20 * MIB + 54_321);
        write("/flash/f", next, false);
        assertThat(read(client, "/flash/f")).isEqualTo(next);
        client.delete("/flash/f", false);
        awaitAllFree();
    }

    @Test
    void aTargetThatGoesAwayIsABoundedErrorAndItsReturnBringsTheDataBack() throws IOException {
        byte[] content = random(3, 3 * MIB);
        write("/flash/g", content, false);
        machine.run("nvmet.sh close");
        assertThatThrownBy(() -> read(client, "/flash/g"))
                .isInstanceOfAny(
                        ServerLostException.class, BusyException.class, TimeoutException.class)
                .hasMessageContaining("storage server");
        machine.run("nvmet.sh listen --nqn " + NQN);
        Awaitility.await()
                .atMost(BOUND)
                .ignoreExceptionsInstanceOf(CrailException.class)
                .untilAsserted(() -> assertThat(read(client, "/flash/g")).isEqualTo(content));
        client.delete("/flash/g", false);
        awaitAllFree();
    }

    @Test
    void aNamespaceThatIsNotThereIsNamed() {
        assertThatThrownBy(() -> cluster.addServer(target("7")))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("namespace 7");
    }
}
