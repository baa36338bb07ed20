// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class PeerTest {
    private static final int MEMORY = 3 << 20;

    @Test
    void everyLimitIsMeasuredAgainstAProcessThatEndsWithIt()
            throws IOException, InterruptedException, ExecutionException, TimeoutException {
        ProcessHandle process;
        try (Peer peer = Peer.start(MEMORY)) {
            process = peer.process();
            assertThat(process.pid()).isNotEqualTo(ProcessHandle.current().pid());
            for (boolean spinning : new boolean[] {false, true}) {
                try (PingPong pingPong = new PingPong(peer, spinning)) {
                    assertThat(pingPong.median(20)).isPositive();
                }
            }
            try (RawStream stream = new RawStream(peer)) {
                assertThat(stream.receive(2L * MEMORY + 5)).isPositive();
                // Compares the checksum that the peer took with that of what was sent.
                assertThat(stream.send(2L * MEMORY + 5)).isPositive();
            }
            try (BlockStream blocks = new BlockStream(peer)) {
                assertThat(blocks.receive(1_000)).isPositive();
            }
            try (EchoPipeline echo = new EchoPipeline(peer, 16)) {
                assertThat(echo.run(1)).isEqualTo(16);
                assertThat(echo.run(1_000)).isBetween(1_000L, 1_016L);
            }
            for (boolean checksum : new boolean[] {false, true}) {
                MemoryCopy memory = new MemoryCopy(peer, checksum);
                assertThat(memory.read(MEMORY - 5, MEMORY)).isPositive();
                assertThat(memory.write(MEMORY - 5, MEMORY)).isPositive();
            }
        }
        process.onExit().get(10, TimeUnit.SECONDS);
        assertThat(process.isAlive()).isFalse();
    }
}
