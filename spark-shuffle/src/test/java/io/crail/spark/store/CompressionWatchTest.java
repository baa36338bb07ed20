// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.ClientStatistics;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics.ServerCapacity;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CompressionWatchTest {
    private static ServerCapacity server(
            String host, ServerState state, int storageClass, long capacity, long free) {
        return new ServerCapacity(
                1, state.wire(), host, storageClass, capacity, free, 0, 0, 0, 0, 0, 0, 0, "", "");
    }

    private static boolean pays(ServerCapacity... servers) {
        return CompressionWatch.pays(List.of(servers), 0);
    }

    @Test
    void oneHostWithRoomNeedsNoCompression() {
        assertThat(
                        pays(
                                server("a", ServerState.LIVE, 0, 100, 10),
                                server("a", ServerState.LIVE, 0, 100, 91)))
                .isFalse();
    }

    @Test
    void halfOfTheClassDecidesAndNoOtherClass() {
        ServerCapacity other = server("a", ServerState.LIVE, 1, 1000, 1000);
        assertThat(pays(other, server("a", ServerState.LIVE, 0, 100, 50))).isTrue();
        assertThat(pays(other, server("a", ServerState.LIVE, 0, 100, 51))).isFalse();
    }

    @Test
    void aSecondHostIsReachedOverANetwork() {
        ServerCapacity here = server("a", ServerState.LIVE, 0, 100, 100);
        assertThat(pays(here, server("b", ServerState.LIVE, 0, 100, 100))).isTrue();
        assertThat(pays(here, server("b", ServerState.DRAINING, 1, 100, 100))).isTrue();
        assertThat(pays(here, server("b", ServerState.EXPECTED, 0, 100, 100))).isTrue();
        assertThat(pays(here, server("b", ServerState.DEAD, 0, 100, 100))).isFalse();
    }

    @Test
    void withoutServersOfTheClassItPays() {
        assertThat(pays()).isTrue();
        assertThat(pays(server("a", ServerState.LIVE, 1, 100, 100))).isTrue();
    }

    @Test
    void onlyTheFastestClassIsMemory() {
        assertThat(CompressionWatch.pays(List.of(server("a", ServerState.LIVE, 1, 100, 100)), 1))
                .isTrue();
    }

    /** A writer whose counters are as they are put. */
    private static final class Writer implements CompressionWatch.Source {
        private final Map<String, ClientStatistics.Moved> transports = new HashMap<>();
        private ServerCapacity server = server("a", ServerState.LIVE, 0, 100, 100);
        private long sum;
        private int asked;

        void write(String transport, long bytes) {
            transports.merge(
                    transport,
                    new ClientStatistics.Moved(0, bytes, 0),
                    (one, other) ->
                            new ClientStatistics.Moved(
                                    0, one.bytesWritten() + other.bytesWritten(), 0));
        }

        @Override
        public ClientStatistics written() {
            return new ClientStatistics(
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    sum,
                    0,
                    0,
                    0,
                    Map.copyOf(transports),
                    Map.of(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    "");
        }

        @Override
        public List<ServerCapacity> servers() {
            asked++;
            return List.of(server);
        }
    }

    @Test
    void whatIsJustBeingWrittenToMemoryDoesNotGoOverANetwork() {
        Writer writer = new Writer();
        CompressionWatch watch = new CompressionWatch(writer, 0);
        assertThat(watch.pays()).isTrue();
        // The client counts a write in its sum first, and by its transport a moment later.
        writer.write("shm", 100);
        writer.sum = 150;
        watch.look();
        assertThat(watch.pays()).isFalse();
        writer.write("shm", 100);
        writer.sum = 350;
        watch.look();
        assertThat(watch.pays()).isFalse();
        assertThat(writer.asked).isEqualTo(2);
    }

    @Test
    void whatGoesOverANetworkIsCompressedUntilNothingDoes() {
        Writer writer = new Writer();
        CompressionWatch watch = new CompressionWatch(writer, 0);
        writer.write("shm", 100);
        writer.write("tcp", 1);
        watch.look();
        assertThat(watch.pays()).isTrue();
        writer.write("shm", 100);
        for (int i = 0; i < 119; i++) {
            watch.look();
        }
        assertThat(writer.asked).isEqualTo(1);
        watch.look();
        assertThat(watch.pays()).isFalse();
        assertThat(writer.asked).isEqualTo(2);
    }

    @Test
    void serversAreAskedOnlyWhileSomethingIsWritten() {
        Writer writer = new Writer();
        CompressionWatch watch = new CompressionWatch(writer, 0);
        writer.write("shm", 100);
        watch.look();
        watch.look();
        assertThat(writer.asked).isEqualTo(1);
        writer.server = server("a", ServerState.LIVE, 0, 100, 30);
        writer.write("shm", 70);
        watch.look();
        assertThat(watch.pays()).isTrue();
    }
}
