// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.client.audit.AuditReport;
import io.crail.error.OutOfSpaceException;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A sparse file that promises more than its file system has. Needs a file system of its own, which
 * only root can mount.
 */
@Tag("faults")
@Timeout(120)
final class FlashFullTest {
    private static final int MIB = 1 << 20;
    private static final int FILE = 4 * MIB + 123;

    @TempDir Path place;

    @BeforeEach
    void mount() throws Exception {
        Assumptions.assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=64m", "none", place.toString()),
                "no small file system can be mounted here: that takes root");
    }

    @AfterEach
    void unmount() throws Exception {
        if (!run("umount", place.toString())) {
            assertThat(run("umount", "--lazy", place.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws Exception {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return false; // There is no such program.
        }
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    @Test
    void aFullFileSystemIsToldAndItsRoomIsUsedAgainAfterDeletes() throws Exception {
        try (ProcessCluster cluster =
                        ProcessCluster.builder()
                                .servers(1)
                                .capacity("16 MiB")
                                .flash("60 MiB")
                                .flashDirectory(place)
                                .set("storage.nvmf.allocation", "sparse")
                                .set("storage.nvmf.direct", "off")
                                .start();
                CrailClient client = cluster.client()) {
            client.mkdir("/flash", CreateOptions.builder().storageClass(1).build());
            Path filler = Files.write(place.resolve("filler"), new byte[28 * MIB]);
            int written = 0;
            Throwable refusal = null;
            while (refusal == null && written < 32) {
                int number = written;
                refusal = catchThrowable(() -> write(client, number));
                written++;
            }
            assertThat(written).as("files until it was full").isBetween(5, 9);
            assertThat(refusal)
                    .isInstanceOf(OutOfSpaceException.class)
                    .hasMessageContaining("storage server 2")
                    .hasMessageContaining("class 1")
                    .hasMessageContaining("/flash/" + (written - 1));
            for (int number = 0; number < written - 1; number++) {
                assertRead(client, number);
            }
            for (int round = 0; round < 4; round++) {
                client.delete("/flash/" + round, false);
                int number = round;
                awaitWritten(cluster, client, number);
                assertRead(client, number);
            }
            for (int number = 0; number < written - 1; number++) {
                assertRead(client, number);
            }
            Files.delete(filler);
            for (int number = written; number < written + 3; number++) {
                write(client, number);
                assertRead(client, number);
            }
            AuditReport report = client.admin().check(null, looks -> {});
            assertThat(report.findings()).isEmpty();
        }
    }

    private static void write(CrailClient client, int number) throws IOException {
        Payload.write(client, "/flash/" + number, Payload.random(number, FILE));
    }

    /** Freed blocks come back soon, not at once. */
    private static void awaitWritten(ProcessCluster cluster, CrailClient client, int number) {
        cluster.await(
                "room for what was deleted",
                any -> {
                    try {
                        write(client, number);
                        return true;
                    } catch (OutOfSpaceException e) {
                        return false;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    private static void assertRead(CrailClient client, int number) throws IOException {
        assertThat(Payload.read(client, "/flash/" + number))
                .isEqualTo(Payload.random(number, FILE));
    }
}
