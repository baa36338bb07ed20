// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.testing.FakePeer;
import io.crail.client.testing.ReceivedFrame;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** When a writer asks for its next blocks. */
class GrantedAheadTest extends ClientTestBase {
    private static final int BLOCK = 1 << 20;

    /** Blocks that the fake namenode grants with a file of that length. */
    private static final int FIRST = 4;

    @Test
    void blocksAreAskedForWithHalfOfTheLastOnesInHandAndNobodyWaitsForThem() throws IOException {
        byte[] data = bytes((FIRST + 2) * BLOCK, 31);
        CountDownLatch release = withholdGrants();
        try (CrailClient client = cluster().connect();
                CrailOutputStream out = client.createFile("/f", expecting(data.length))) {
            assertThat(cluster().namenode().grantsOutstanding()).isEqualTo(FIRST);
            out.write(data, 0, FIRST / 2 * BLOCK);
            Awaitility.await().until(() -> grants() == 1);
            out.write(data, FIRST / 2 * BLOCK, FIRST / 2 * BLOCK);
            Awaitility.await()
                    .until(() -> client.clientStatistics().bytesWritten() == FIRST * BLOCK);
            assertThat(grants()).isEqualTo(1);
            release.countDown();
            out.write(data, FIRST * BLOCK, data.length - FIRST * BLOCK);
            out.sync();
            assertThat(readAll(client, "/f")).isEqualTo(data);
        } finally {
            release.countDown();
        }
    }

    @Test
    void aFileThatTakesLessThanHalfOfItsBlocksAsksForNoMore() throws IOException {
        byte[] data = bytes((FIRST / 2 - 1) * BLOCK, 32);
        try (CrailClient client = cluster().connect()) {
            try (CrailOutputStream out = client.createFile("/f", expecting(FIRST * BLOCK))) {
                out.write(data);
            }
            assertThat(grants()).isZero();
            assertThat(readAll(client, "/f")).isEqualTo(data);
        }
    }

    private static CreateOptions expecting(int bytes) {
        return CreateOptions.builder().expectedBytes(Math.min(bytes, FIRST * BLOCK)).build();
    }

    /** Grants are not answered, while all else is, until the latch is open. */
    private CountDownLatch withholdGrants() {
        CountDownLatch release = new CountDownLatch(1);
        cluster()
                .namenode()
                .script(
                        (connection, frame) -> {
                            if (frame.type() != MessageType.GRANT || release.getCount() == 0) {
                                return false;
                            }
                            Thread later = new Thread(() -> answer(connection, frame, release));
                            later.setDaemon(true);
                            later.start();
                            return true;
                        });
        return release;
    }

    private static void answer(
            FakePeer.Connection connection, ReceivedFrame frame, CountDownLatch release) {
        try {
            release.await();
            connection.proceed(frame);
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private long grants() {
        return cluster().namenode().received(MessageType.GRANT);
    }
}
