// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestHost.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target that may open only so many files says so, once, and serves again when it can. */
@Tag("faults")
class DescriptorsTest {
    private static final int LIMIT = 120;

    /** Of what is said each time that accepting fails after it worked. */
    private static final String SAID = "Cannot accept connections";

    @TempDir Path directory;

    private Process start(Path said) throws IOException {
        return new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        "ulimit -n " + LIMIT + " && exec \"$@\"",
                        "sh",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TargetProcess.class.getName(),
                        directory.resolve("medium").toString(),
                        Long.toString(TestTarget.BYTES))
                .redirectError(said.toFile())
                .start();
    }

    private static long times(Path said) throws IOException {
        return Files.readAllLines(said).stream().filter(line -> line.contains(SAID)).count();
    }

    private static void exchange(TestHost host) throws IOException {
        for (int index = 0; index < 100; index++) {
            byte[] data = TestTarget.random(index, 4096);
            host.write(index, 1, data, true).expectSuccess();
            assertThat(host.read(index, 1, 4096).expectSuccess().data()).isEqualTo(data);
        }
    }

    @Test
    void saysThatItCannotAcceptOnceAndGoesOnWhenItCan() throws Exception {
        Path said = directory.resolve("said");
        Process process = start(said);
        List<Socket> sockets = new ArrayList<>();
        try {
            BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII);
            String port = reader.readLine();
            assertThat(port).as("the target says its port").isNotNull();
            InetSocketAddress address =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
            UUID id = UUID.randomUUID();
            try (TestHost host = TestHost.withQueue(address, id, Options.PLAIN)) {
                // Classes come out of files, too: whose are needed is asked before they are short.
                exchange(host);
                while (sockets.size() < LIMIT) {
                    Socket socket = new Socket();
                    sockets.add(socket);
                    socket.connect(address, 60_000);
                }
                Awaitility.await().until(() -> times(said) > 0);
                exchange(host);
            }
            for (Socket each : sockets) {
                each.close();
            }
            try (TestHost host = TestHost.withQueue(address, id, Options.PLAIN)) {
                exchange(host);
            }
            // Files of the process itself come and go, so some may be accepted in between.
            assertThat(times(said)).isBetween(1L, 10L);
        } finally {
            process.destroyForcibly();
            for (Socket each : sockets) {
                each.close();
            }
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
