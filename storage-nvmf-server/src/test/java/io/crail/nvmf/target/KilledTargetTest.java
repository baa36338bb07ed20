// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestHost.Options;
import io.crail.nvmf.wire.command.IoOpcode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A target that is killed under load keeps what it had answered, and is served again. */
@Tag("faults")
class KilledTargetTest {
    private static final int BLOCK = 4096;

    @TempDir Path directory;

    private Process start() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        TargetProcess.class.getName(),
                        directory.resolve("medium").toString(),
                        Long.toString(TestTarget.BYTES))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static InetSocketAddress address(Process process) throws IOException {
        BufferedReader reader = process.inputReader(StandardCharsets.US_ASCII);
        String port = reader.readLine();
        assertThat(port).as("the target says its port").isNotNull();
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
    }

    @Test
    void keepsWhatItAnsweredWhenItIsKilledUnderLoad() throws Exception {
        Map<Long, byte[]> answered = new HashMap<>();
        UUID id = UUID.randomUUID();
        for (int life = 0; life < 3; life++) {
            Process process = start();
            try (TestHost host = TestHost.withQueue(address(process), id, Options.PLAIN)) {
                for (Map.Entry<Long, byte[]> each : answered.entrySet()) {
                    assertThat(host.read(each.getKey(), 1, BLOCK).expectSuccess().data())
                            .isEqualTo(each.getValue());
                }
                for (int index = 0; index < 200; index++) {
                    long block = life * 1000L + index;
                    byte[] data = TestTarget.random(block, BLOCK);
                    host.write(block, 1, data, index % 2 == 0).expectSuccess();
                    answered.put(block, data);
                }
                host.flush().expectSuccess();
                for (int index = 0; index < 20; index++) {
                    host.queue()
                            .startWrite(
                                    host.block(IoOpcode.WRITE, 3500 + index, 1),
                                    new byte[BLOCK],
                                    true);
                }
                process.destroyForcibly();
                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            } finally {
                process.destroyForcibly();
            }
        }
    }
}
