// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.testing.FakeCluster;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** More storage servers than one answer of the namenode tells of. */
final class ManyServersTest {
    private static final int SERVERS = 7;
    private static final List<Integer> ALL = IntStream.rangeClosed(1, SERVERS).boxed().toList();

    @Test
    void pagesMakeOneTable() throws IOException {
        try (FakeCluster cluster = new FakeCluster(SERVERS)) {
            cluster.namenode().serversPerPage(3);
            try (CrailClient client = cluster.connect()) {
                assertThat(client.servers().stream().map(StorageServer::id))
                        .containsExactlyInAnyOrderElementsOf(ALL);
                assertThat(cluster.namenode().received(MessageType.SERVER_TABLE)).isEqualTo(3);
                // Known whole, it is asked for no more than changes.
                client.servers();
                assertThat(cluster.namenode().received(MessageType.SERVER_TABLE)).isEqualTo(4);
            }
        }
    }

    @Test
    void statisticsHaveTheServersOfAllPages() throws IOException {
        try (FakeCluster cluster = new FakeCluster(SERVERS)) {
            cluster.namenode().serversPerPage(2);
            try (CrailClient client = cluster.connect()) {
                Statistics.Reply all = client.statistics();
                assertThat(all.servers().stream().map(Statistics.ServerCapacity::id))
                        .containsExactlyElementsOf(ALL);
                assertThat(all.nextServer()).isZero();
            }
        }
    }
}
