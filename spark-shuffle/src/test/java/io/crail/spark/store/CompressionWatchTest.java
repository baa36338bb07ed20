// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics.ServerCapacity;
import java.util.List;
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
}
