// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage;

import static io.crail.storage.testing.ScriptedNamenode.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterServer;
import io.crail.storage.registration.NamenodeAddress;
import io.crail.storage.testing.Grants;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.ScriptedNamenode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server in a process of its own, killed with SIGKILL. */
class KilledServerTest {
    private static final UUID CLUSTER = new UUID(11, 22);
    private static final byte[] KEY = new byte[16];
    private static final Grants GRANTS = new Grants(KEY, 7, 99);

    @TempDir Path temporary;

    /** The main class of the process. */
    public static final class Child {
        private Child() {}

        public static void main(String[] arguments) throws CrailException {
            StorageMain.run(config(Integer.parseInt(arguments[0]), Path.of(arguments[1])));
        }
    }

    private static StorageConfig config(int namenode, Path directory) {
        return StorageConfig.builder(new NamenodeAddress("127.0.0.1", namenode))
                .directory(directory)
                .capacity(4 << 20)
                .segmentSize(4 << 20)
                .backoff(Duration.ofMillis(10), Duration.ofMillis(100))
                .build();
    }

    private Process start(int namenode) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        Integer.toString(namenode),
                        temporary.resolve("server").toString())
                .inheritIO()
                .start();
    }

    private static RawClient client(RegisterServer.Request server) throws IOException {
        RawClient client = new RawClient(server.endpoints().get(0).port());
        client.hello(GRANTS.session(), GRANTS.ticket()).success();
        return client;
    }

    @Test
    void dataAndGenerationsSurviveAKillOfTheServer() throws IOException, InterruptedException {
        byte[] data = new byte[64 << 10];
        new Random(1).nextBytes(data);
        try (ScriptedNamenode namenode = new ScriptedNamenode(0, CLUSTER, 1, KEY)) {
            Process first = start(namenode.port());
            RegisterServer.Request server = take(namenode.servers);
            RegisterSegment.Request segment = take(namenode.segments);
            BlockReference block = GRANTS.block(0, 16, 64 << 10, segment.incarnation());
            try (RawClient client = client(server)) {
                client.write(block, 0, data).success();
            }
            namenode.revoke(0, 3, 4096, Generation.of(segment.incarnation(), 1));
            take(namenode.freed);
            kill(first);

            Process second = start(namenode.port());
            try {
                RegisterServer.Request again = take(namenode.servers);
                assertThat(again.server()).isEqualTo(server.server());
                RegisterSegment.Request attached = take(namenode.segments);
                assertThat(attached.incarnation()).isEqualTo(segment.incarnation());
                assertThat(attached.runs())
                        .startsWith(new RegisterSegment.Run(3, 1), new RegisterSegment.Run(1, 2));
                try (RawClient client = client(again)) {
                    assertThat(client.read(block, 0, data.length, 0).success().payload())
                            .isEqualTo(data);
                }
            } finally {
                kill(second);
            }
        }
    }

    private static void kill(Process process) throws InterruptedException {
        process.destroyForcibly();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
}
