// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.testing.FakeStorage;
import io.crail.client.testing.ReceivedFrame;
import io.crail.error.BusyException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.ServerState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Storage servers that are late, lost and back, as the namenode tells it. */
final class LateServerTest extends ClientTestBase {
    private static final byte[] KEY = "key".getBytes(StandardCharsets.UTF_8);

    private void away(int index, ServerState state) throws IOException {
        cluster().namenode().state(cluster().storage(index).id(), state);
        cluster().storage(index).stop();
    }

    private void back(int index) throws IOException {
        cluster().storage(index).start();
        cluster().namenode().state(cluster().storage(index).id(), ServerState.LIVE);
    }

    private CrailClient connect(Duration deadline) throws IOException {
        return CrailClient.connect(cluster().config().deadline(deadline).build());
    }

    private long tablesAsked() {
        return cluster().namenode().received(MessageType.SERVER_TABLE);
    }

    @Test
    void aReadWaitsForAServerThatIsExpected() throws IOException {
        byte[] data = bytes(5_000, 1);
        try (CrailClient client = cluster().connect();
                CrailFile file = createAndOpen(client, data)) {
            away(0, ServerState.EXPECTED);
            ByteBuffer target = ByteBuffer.allocate(data.length);
            CrailFuture<Integer> read = file.readAsync(0, target);
            long before = tablesAsked();
            Awaitility.await().until(() -> tablesAsked() >= before + 3);
            assertThat(read.isDone()).isFalse();
            back(0);
            assertThat(read.join()).isEqualTo(data.length);
            assertThat(target.array()).isEqualTo(data);
        }
    }

    private static CrailFile createAndOpen(CrailClient client, byte[] data) throws IOException {
        write(client, "/f", data);
        return client.open("/f");
    }

    @Test
    void aReadOfAnExpectedServerIsBusyAtItsDeadlineNamingNodeAndServer() throws Exception {
        AtomicLong skew = new AtomicLong();
        try (CrailClient client =
                        CrailClient.connect(
                                cluster()
                                        .config()
                                        .clock(() -> System.nanoTime() + skew.get())
                                        .build());
                CrailFile file = createAndOpen(client, bytes(5_000, 2))) {
            away(0, ServerState.EXPECTED);
            Thread late = passTheDeadlineOnceAsked(skew);
            assertThatThrownBy(() -> readAll(client, "/f"))
                    .isInstanceOf(BusyException.class)
                    .hasMessageContaining("/f")
                    .hasMessageContaining("storage server 1")
                    .hasMessageContaining(cluster().storage(0).endpoint());
            late.join();
            late = passTheDeadlineOnceAsked(skew);
            assertThatThrownBy(() -> file.readAsync(0, ByteBuffer.allocate(10)).get())
                    .hasCauseInstanceOf(BusyException.class);
            late.join();
        }
    }

    /** The client has learnt by then that the server is expected. */
    private Thread passTheDeadlineOnceAsked(AtomicLong skew) {
        long before = tablesAsked();
        Thread thread =
                new Thread(
                        () -> {
                            Awaitility.await().until(() -> tablesAsked() >= before + 2);
                            skew.addAndGet(Duration.ofSeconds(25).toNanos());
                        });
        thread.start();
        return thread;
    }

    @Test
    void aReadOfADeadServerFailsThoughItWasWaitedFor() throws IOException {
        try (CrailClient client = cluster().connect();
                CrailFile file = createAndOpen(client, bytes(5_000, 3))) {
            away(0, ServerState.EXPECTED);
            CrailFuture<Integer> read = file.readAsync(0, ByteBuffer.allocate(10));
            long before = tablesAsked();
            Awaitility.await().until(() -> tablesAsked() >= before + 2);
            cluster().namenode().state(1, ServerState.DEAD);
            assertThatThrownBy(read::get)
                    .hasCauseInstanceOf(ServerLostException.class)
                    .hasMessageContaining("/f")
                    .hasMessageContaining("storage server 1");
        }
    }

    @Test
    void aServerThatRefusesThoughItLivesIsLostAtOnce() throws IOException {
        // The deadline is out of reach: only being told ends this.
        try (CrailClient client = connect(Duration.ofHours(1))) {
            write(client, "/f", bytes(5_000, 4));
            cluster().storage(0).stop();
            long before = tablesAsked();
            assertThatThrownBy(() -> readAll(client, "/f")).isInstanceOf(ServerLostException.class);
            assertThat(tablesAsked() - before).isBetween(1L, 2L);
        }
    }

    @Test
    void aServerThatIsBackBeforeTheNamenodeSaysSoIsReadAllTheSame() throws IOException {
        byte[] data = bytes(5_000, 5);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            cluster().namenode().state(1, ServerState.EXPECTED);
            cluster().storage(0).dropConnections();
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    @Test
    void aServerThatMovedIsFound() throws IOException {
        byte[] data = bytes(300_000, 6);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            int before = cluster().storage(0).port();
            cluster().storage(0).move();
            cluster().namenode().state(1, ServerState.LIVE);
            assertThat(cluster().storage(0).port()).isNotEqualTo(before);
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    /** Takes writes of blocks and says nothing. */
    private CountDownLatch hang(FakeStorage storage) {
        CountDownLatch release = new CountDownLatch(1);
        storage.script(
                (connection, frame) -> {
                    if (frame.type() == MessageType.WRITE) {
                        release.await();
                    }
                    return false;
                });
        return release;
    }

    @Test
    void bytesForAServerThatDoesNotAnswerGoElsewhereBeforeTheDeadline() throws IOException {
        byte[] data = bytes(40_000, 7);
        CountDownLatch release = hang(cluster().storage(0));
        try (CrailClient client = connect(Duration.ofSeconds(6))) {
            write(client, "/f", data);
            assertThat(client.locations("/f"))
                    .allSatisfy(location -> assertThat(location.server()).isEqualTo(2));
            release.countDown();
            // What arrives late changes nothing.
            cluster().storage(0).awaitHandled();
            assertThat(readAll(client, "/f")).isEqualTo(data);
            Awaitility.await().until(() -> cluster().namenode().grantsOutstanding() == 0);
        }
    }

    @Test
    void aStoreWithoutAnotherServerWaitsForTheOneThatDoesNotAnswer() throws IOException {
        byte[] data = bytes(40_000, 8);
        CountDownLatch release = hang(cluster().storage(0));
        cluster().namenode().state(2, ServerState.DEAD);
        try (CrailClient client = connect(Duration.ofSeconds(6))) {
            CrailOutputStream out = client.createFile("/f");
            out.write(data);
            CrailFuture<?> sync = out.syncAsync();
            Awaitility.await().until(() -> cluster().namenode().received(MessageType.GRANT) >= 2);
            assertThat(sync.isDone()).isFalse();
            release.countDown();
            sync.join();
            out.close();
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    @Test
    void aHungServerWithoutAnotherFailsTheStreamAtTheDeadline() throws IOException {
        CountDownLatch release = hang(cluster().storage(0));
        cluster().namenode().state(2, ServerState.DEAD);
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            out.setDeadline(Duration.ofSeconds(1));
            out.write(bytes(40_000, 9));
            assertThatThrownBy(out::sync).isInstanceOf(TimeoutException.class);
            release.countDown();
            out.abort();
        }
    }

    @Test
    void bytesWhoseServerIsGoneBeforeTheCommitAreWrittenElsewhere() throws IOException {
        for (ServerState state : new ServerState[] {ServerState.EXPECTED, ServerState.DEAD}) {
            // A block that is exactly full, and one that is not.
            for (int length : new int[] {4096, 40_000}) {
                goneBeforeTheCommit("/" + state + length, bytes(length, length), state);
            }
        }
    }

    private void goneBeforeTheCommit(String path, byte[] data, ServerState state)
            throws IOException {
        AtomicInteger gone = new AtomicInteger(-1);
        long before = cluster().storage(0).received(MessageType.WRITE);
        cluster()
                .namenode()
                .script(
                        (connection, frame) -> {
                            if (frame.type() == MessageType.COMMIT && gone.get() < 0) {
                                long now = cluster().storage(0).received(MessageType.WRITE);
                                gone.set(now > before ? 0 : 1);
                                away(gone.get(), state);
                            }
                            return false;
                        });
        try (CrailClient client = cluster().connect()) {
            write(client, path, data);
            assertThat(client.locations(path))
                    .allSatisfy(at -> assertThat(at.server()).isNotEqualTo(gone.get() + 1));
            back(gone.get());
            assertThat(readAll(client, path)).isEqualTo(data);
            Awaitility.await().until(() -> cluster().namenode().grantsOutstanding() == 0);
        }
    }

    @Test
    void aCommitOfBytesThatAreNoLongerHeldFailsTheStreamWhenTheirServerIsLost() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            // Once it is written the application's buffer is its own again.
            out.appendAsync(ByteBuffer.allocateDirect(1 << 20)).join();
            int server = cluster().storage(0).received(MessageType.WRITE) > 0 ? 0 : 1;
            away(server, ServerState.DEAD);
            assertThatThrownBy(out::sync).isInstanceOf(ServerLostException.class);
            assertThatThrownBy(out::close).isInstanceOf(IOException.class);
            out.close();
            assertThat(cluster().namenode().exists("/f")).isFalse();
        }
    }

    @Test
    void valuesForAServerThatDoesNotAnswerGoElsewhereBeforeTheDeadline() throws IOException {
        byte[] data = bytes(2_500_000, 10);
        CountDownLatch release = hang(cluster().storage(0));
        try (CrailClient client = connect(Duration.ofSeconds(6))) {
            CrailTable table = client.createTable("/t");
            table.put(KEY, data);
            release.countDown();
            cluster().storage(0).awaitHandled();
            assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(data);
            Awaitility.await().until(() -> cluster().namenode().grantsOutstanding() == 0);
        }
    }

    @Test
    void aValueWhoseServerIsLostBeforeItsCommitIsWrittenElsewhere() throws IOException {
        byte[] data = bytes(100_000, 11);
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            cluster().namenode().script((connection, frame) -> killAtFirstPut(frame));
            table.put(KEY, data);
            assertThat(table.get(KEY).orElseThrow().toByteArray()).isEqualTo(data);
        }
    }

    private boolean killAtFirstPut(ReceivedFrame frame) throws IOException {
        if (frame.type() == MessageType.PUT
                && cluster().namenode().received(MessageType.PUT) == 1) {
            away(0, ServerState.DEAD);
        }
        return false;
    }
}
