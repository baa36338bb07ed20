// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.testing.FakePeer;
import io.crail.client.testing.ReceivedFrame;
import io.crail.error.AccessDeniedException;
import io.crail.error.CorruptDataException;
import io.crail.error.LeaseLostException;
import io.crail.error.ServerLostException;
import io.crail.error.SessionExpiredException;
import io.crail.error.StaleReferenceException;
import io.crail.error.StreamFailedException;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Files whose bytes, references, servers or writers fail. */
class FileFaultsTest extends ClientTestBase {
    @Test
    void aFlippedBitIsReadAgainOnce() throws IOException {
        byte[] data = bytes(50_000, 11);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            cluster().storage(0).corruptReads(1);
            assertThat(readAll(client, "/f")).isEqualTo(data);
            assertThat(client.clientStatistics().checksumFailures()).isEqualTo(1);
        }
    }

    @Test
    void persistentCorruptionIsReportedAndNotHandedOut() throws IOException {
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", bytes(50_000, 12));
            cluster().storage(0).corruptReads(100);
            try (CrailFile file = client.open("/f")) {
                ByteBuffer heap = ByteBuffer.allocate(50_000);
                assertThatThrownBy(() -> file.readFully(0, heap))
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining("/f")
                        .hasMessageContaining("storage server 1");
                assertThat(heap.array()).containsOnly(0);
            }
        }
    }

    @Test
    void filesWithoutChecksumsAreReadUnverified() throws IOException {
        byte[] data = bytes(50_001, 13);
        try (CrailClient client = cluster().connect()) {
            CreateOptions options = CreateOptions.builder().checksums(false).build();
            try (CrailOutputStream out = client.createFile("/f", options)) {
                out.write(data);
            }
            try (CrailOutputStream out = client.append("/f")) {
                out.write(1);
            }
            byte[] read = readAll(client, "/f");
            assertThat(read).startsWith(data).hasSize(50_002);
        }
    }

    @Test
    void staleReferencesAreFetchedAnew() throws IOException {
        byte[] data = bytes(300_000, 14);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            cluster().storage(0).staleReads(3);
            assertThat(readAll(client, "/f")).isEqualTo(data);
            assertThat(client.clientStatistics().staleReferences()).isPositive();
        }
    }

    @Test
    void aReadThatTheSessionHasNotSurvivedSaysSo() throws IOException {
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", bytes(300_000, 14));
            CrailFile file = client.open("/f");
            cluster().namenode().expireSession();
            // What a storage server says to the next session about references of this one.
            cluster().storage(0).deny(Integer.MAX_VALUE);
            ByteBuffer target = ByteBuffer.allocate(1000);
            assertThatThrownBy(() -> file.readFully(0, target))
                    .isInstanceOf(SessionExpiredException.class)
                    .hasMessageContaining("open it again");
        }
    }

    @Test
    void aReferenceThatIsDeniedTwiceIsDenied() throws IOException {
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", bytes(300_000, 14));
            cluster().storage(0).deny(Integer.MAX_VALUE);
            assertThatThrownBy(() -> readAll(client, "/f"))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("/f");
        }
    }

    @Test
    void readsOfALostServerFailNamingNodeAndServer() throws Exception {
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", bytes(5_000, 15));
            cluster().storage(0).stop();
            assertThatThrownBy(() -> readAll(client, "/f"))
                    .isInstanceOf(ServerLostException.class)
                    .hasMessageContaining("/f")
                    .hasMessageContaining("storage server 1")
                    .hasMessageContaining(cluster().storage(0).endpoint());
        }
    }

    @Test
    void aBrokenConnectionIsMadeAgain() throws IOException {
        byte[] data = bytes(5_000, 16);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            cluster().storage(0).dropConnections();
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    @Test
    void bytesForALostServerGoToAnother() throws Exception {
        byte[] data = bytes(7_500_000, 17);
        int first = 2_500_000;
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            cluster().storage(0).stop();
            out.write(data, 0, first);
            out.flush();
            // The stream knows of it now; before, grants were under way that did not.
            out.write(data, first, data.length - first);
            out.close();
            assertThat(readAll(client, "/f")).isEqualTo(data);
            assertThat(client.locations("/f"))
                    .allSatisfy(location -> assertThat(location.server()).isEqualTo(2));
        }
        assertThat(cluster().namenode().received())
                .filteredOn(frame -> frame.type() == MessageType.GRANT)
                .anySatisfy(
                        frame ->
                                assertThat(Grant.Request.decode(frame.control()).excludedServers())
                                        .containsExactly(1));
    }

    @Test
    void aServerThatIsLostWhileItsBytesAreCommittedLosesNone() throws Exception {
        byte[] data = bytes(40_000, 23);
        CountDownLatch committing = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            out.write(data, 0, 10_000);
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                if (frame.type() == MessageType.COMMIT && release.getCount() > 0) {
                                    committing.countDown();
                                    release.await();
                                }
                                return false;
                            });
            CrailFuture<?> sync = out.syncAsync();
            committing.await();
            cluster().storage(0).stop();
            out.write(data, 10_000, 30_000);
            out.flush();
            Awaitility.await()
                    .until(() -> client.clientStatistics().rpcCalls() > 0 && !sync.isDone());
            release.countDown();
            sync.join();
            out.close();
            cluster().storage(0).start();
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    @Test
    void committedBytesStayWhereTheyAreWhenTheirServerIsLost() throws Exception {
        byte[] data = bytes(20_000, 18);
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            out.write(data, 0, 5_000);
            out.sync();
            cluster().storage(0).stop();
            out.write(data, 5_000, 15_000);
            out.close();
            cluster().storage(0).start();
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    @Test
    void aFailedStreamCommitsNothingMoreAndLeavesNoFile() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            cluster().storage(0).script((connection, frame) -> refuseWrites(connection, frame));
            cluster().storage(1).script((connection, frame) -> refuseWrites(connection, frame));
            out.write(bytes(10_000, 19));
            assertThatThrownBy(out::sync).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(StreamFailedException.class);
            assertThatThrownBy(out::close).isInstanceOf(StreamFailedException.class);
            out.close();
            assertThat(cluster().namenode().exists("/f")).isFalse();
            assertThat(client.clientStatistics().blockWrites()).isZero();
        }
    }

    private boolean refuseWrites(FakePeer.Connection connection, ReceivedFrame frame)
            throws IOException {
        if (frame.type() != MessageType.WRITE) {
            return false;
        }
        connection.write(
                cluster().storage(0).refusal(frame, new StaleReferenceException("fenced")), 100);
        return true;
    }

    @Test
    void anAbortedStreamLeavesNoFile() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            out.write(bytes(3_000_000, 20));
            out.abort();
            out.close();
            assertThat(cluster().namenode().exists("/f")).isFalse();
            assertThatThrownBy(() -> out.write(1)).isInstanceOf(Exception.class);
        }
    }
}
