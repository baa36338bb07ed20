// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.measure.Histogram;
import java.io.IOException;
import java.util.List;
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
            for (boolean unixSocket : new boolean[] {false, true}) {
                for (Exchange.Terms terms : terms()) {
                    exchange(peer.door(unixSocket), terms);
                }
            }
            try (RawStream stream = new RawStream(peer, 4 << 10, false)) {
                assertThat(stream.run(true, 1)).isPositive();
                assertThat(stream.run(false, 1)).isPositive();
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

    private static List<Exchange.Terms> terms() {
        return List.of(
                Exchange.Terms.echo(false),
                Exchange.Terms.echo(true),
                Exchange.Terms.fetch(300_000, true, false),
                Exchange.Terms.store(300_000, true, false),
                Exchange.Terms.store(5_000, false, true));
    }

    private static void exchange(Door door, Exchange.Terms terms) throws IOException {
        for (int depth : new int[] {1, 7}) {
            try (Exchange exchange = new Exchange(door, terms, depth)) {
                exchange.run(1);
                exchange.run(50);
                Histogram times = new Histogram();
                long count = exchange.run(5_000_000, times);
                assertThat(count).isGreaterThanOrEqualTo(depth);
                assertThat(times.count()).isEqualTo(count);
            }
        }
    }

    @Test
    void anExchangeInWhichBothSidesCouldWaitForEachOtherIsRefused() {
        assertThatThrownBy(
                        () ->
                                new Exchange(
                                        new Door(1, ""),
                                        new Exchange.Terms(100_000, 100_000, false, false),
                                        1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
