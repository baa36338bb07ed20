// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.CrailException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The flash tier on a block device, which only root can make: a file that looks like one. */
@Tag("faults")
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Made before each test.
final class FlashDeviceTest {
    private static final int MIB = 1 << 20;
    private static final int DEVICE = 96 * MIB;

    @TempDir Path directory;
    private String device;

    @BeforeEach
    void attach() throws Exception {
        Path image = directory.resolve("image");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(DEVICE);
        }
        device = losetup("--find", "--show", image.toString());
        Assumptions.assumeTrue(
                device.startsWith("/dev/loop"), "no device can be made here: that takes root");
    }

    @AfterEach
    void detach() throws Exception {
        if (device.startsWith("/dev/loop")) {
            losetup("--detach", device);
        }
    }

    /** What the program prints; nothing if there is none, or it fails. */
    private String losetup(String... arguments) throws Exception {
        String[] command = new String[arguments.length + 1];
        command[0] = "losetup";
        System.arraycopy(arguments, 0, command, 1, arguments.length);
        Path output = directory.resolve("losetup");
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectOutput(output.toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean done = process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
            return done ? Files.readString(output, StandardCharsets.UTF_8).strip() : "";
        } catch (IOException e) {
            return "";
        }
    }

    private int serve(EmbeddedCluster cluster, String identity) throws CrailException {
        return cluster.addServer(
                server ->
                        server.tier("nvmf")
                                .storageClass(1)
                                .directory(directory.resolve(identity))
                                .tierOption("file", device));
    }

    private static EmbeddedCluster cluster() throws CrailException {
        return EmbeddedCluster.builder()
                .capacity(MIB)
                .segmentSize(MIB)
                .namenode(namenode -> namenode.deadServerTime(Duration.ofSeconds(60)))
                .start();
    }

    @Test
    void aDeviceIsUsedAsAWholeAndReadAgainAfterARestart() throws IOException {
        byte[] content = Payload.random(1, 40 * MIB + 123);
        try (EmbeddedCluster cluster = cluster()) {
            int index = serve(cluster, "server");
            CrailClient client = cluster.client();
            assertThat(client.statistics().classes().get(1).capacity())
                    .isBetween(DEVICE * 8L / 10, (long) DEVICE);
            client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
            Payload.write(client, "/flash/f", content);
            assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
            cluster.restartStorage(index);
            assertThat(Payload.read(client, "/flash/f")).isEqualTo(content);
        }
    }

    @Test
    void aDeviceOfAnotherServerIsRefused() throws IOException {
        try (EmbeddedCluster cluster = cluster()) {
            cluster.stopStorage(serve(cluster, "one"));
            assertThatThrownBy(() -> serve(cluster, "other"))
                    .isInstanceOf(CrailException.class)
                    .hasMessageContaining(device);
        }
    }
}
