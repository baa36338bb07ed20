// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.testing.FakePeer;
import io.crail.client.testing.ReceivedFrame;
import io.crail.error.BusyException;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.LeaseLostException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.error.SessionExpiredException;
import io.crail.error.TimeoutException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a session promises when the namenode is slow, silent, restarted or forgetful. */
class SessionBehaviourTest extends ClientTestBase {
    @Test
    void callsOfOneConnectionMayBeAnsweredInAnyOrder() throws Exception {
        List<ReceivedFrame> held = new ArrayList<>();
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                if (frame.type() != MessageType.LOOKUP) {
                                    return false;
                                }
                                held.add(frame);
                                if (held.size() == 3) {
                                    for (int i = 2; i >= 0; i--) {
                                        connection.proceed(held.get(i));
                                    }
                                }
                                return true;
                            });
            var first = client.lookupAsync("/a");
            var second = client.lookupAsync("/b");
            var third = client.statusAsync("/a");
            assertThat(third.join().id()).isEqualTo(first.join().orElseThrow().id());
            assertThat(second.join()).isEmpty();
        }
    }

    @Test
    void answersMayArriveByteByByte() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            table.put(new byte[] {1}, bytes(1_500, 1));
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                connection.write(connection.respond(frame), 1);
                                return true;
                            });
            assertThat(table.get(new byte[] {1}).orElseThrow().toByteArray())
                    .isEqualTo(bytes(1_500, 1));
        }
    }

    @Test
    void aMutationWhoseAnswerWasLostTakesEffectOnceAndKeepsItsId() throws IOException {
        AtomicInteger lost = new AtomicInteger();
        try (CrailClient client = cluster().connect()) {
            long before = cluster().namenode().executed();
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                if (frame.type() != MessageType.CREATE
                                        || lost.getAndIncrement() > 2) {
                                    return false;
                                }
                                connection.respond(frame);
                                connection.drop();
                                return true;
                            });
            client.mkdir("/a");
            assertThat(cluster().namenode().executed() - before).isEqualTo(1);
            assertThat(
                            cluster().namenode().received().stream()
                                    .filter(frame -> frame.type() == MessageType.CREATE)
                                    .map(ReceivedFrame::id)
                                    .distinct())
                    .hasSize(1);
            assertThat(client.clientStatistics().rpcRetries()).isGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void everythingOutstandingIsSentAgainAfterAReconnect() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            CountDownLatch dropped = new CountDownLatch(1);
            AtomicInteger held = new AtomicInteger();
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                if (frame.type() != MessageType.PUT || dropped.getCount() == 0) {
                                    return false;
                                }
                                if (held.incrementAndGet() == 50) {
                                    dropped.countDown();
                                    connection.drop();
                                }
                                return true;
                            });
            List<CrailFuture<Long>> puts = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                puts.add(table.putAsync(new byte[] {(byte) i}, ByteBuffer.wrap(new byte[1])));
            }
            puts.forEach(CrailFuture::join);
            assertThat(client.clientStatistics().reconnects()).isEqualTo(1);
            assertThat(cluster().namenode().executed()).isEqualTo(101);
        }
    }

    @Test
    void theSessionIsResumedByItsTokenAfterARestart() throws Exception {
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            cluster().namenode().stop();
            CrailFuture<?> pending = client.mkdirAsync("/b", CreateOptions.DEFAULT);
            cluster().namenode().start();
            pending.join();
            assertThat(hellos()).hasSizeGreaterThan(1);
            assertThat(hellos().get(hellos().size() - 1).session()).isNotZero();
            assertThat(client.clientStatistics().sessions()).isEqualTo(1);
        }
    }

    private List<Hello.Request> hellos() throws CrailException {
        List<Hello.Request> hellos = new ArrayList<>();
        for (ReceivedFrame frame : cluster().namenode().received()) {
            if (frame.type() == MessageType.HELLO) {
                hellos.add(Hello.Request.decode(frame.control()));
            }
        }
        return hellos;
    }

    @Test
    void acknowledgementsCoverAnsweredMutationsOnly() throws IOException {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            List<CrailFuture<Long>> puts = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                puts.add(table.putAsync(new byte[] {1}, ByteBuffer.wrap(new byte[1])));
            }
            puts.forEach(CrailFuture::join);
            client.ping();
        }
        List<Long> answered = new ArrayList<>();
        long lastAcknowledged = 0;
        for (ReceivedFrame frame : cluster().namenode().received()) {
            // In order of arrival, and answered at once: what is acknowledged has been seen.
            if (frame.isMutation()) {
                assertThat(frame.acknowledged()).isLessThan(frame.id());
                answered.add(frame.id());
            }
            lastAcknowledged = Math.max(lastAcknowledged, frame.acknowledged());
        }
        assertThat(answered).hasSizeGreaterThan(500);
        assertThat(lastAcknowledged)
                .isGreaterThanOrEqualTo(
                        answered.stream().mapToLong(Long::longValue).max().orElseThrow());
    }

    @Test
    void mutationsBeyondTheLimitWaitForTheirTurn() throws IOException {
        cluster().namenode().maxUnacknowledged(20);
        AtomicInteger atATime = new AtomicInteger();
        List<Runnable> held = new ArrayList<>();
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            cluster()
                    .namenode()
                    .script((connection, frame) -> holdThree(connection, frame, atATime, held));
            List<CrailFuture<Long>> puts = new ArrayList<>();
            for (int i = 0; i < 40; i++) {
                puts.add(table.putAsync(new byte[] {(byte) i}, ByteBuffer.wrap(new byte[1])));
            }
            puts.forEach(CrailFuture::join);
        }
        // 20 less the reserve of the session's own mutations.
        assertThat(atATime.get()).isEqualTo(4);
    }

    private static boolean holdThree(
            FakePeer.Connection connection,
            ReceivedFrame frame,
            AtomicInteger atATime,
            List<Runnable> held)
            throws IOException {
        if (frame.type() != MessageType.PUT) {
            return false;
        }
        held.add(
                () -> {
                    try {
                        connection.proceed(frame);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
        atATime.accumulateAndGet(held.size(), Math::max);
        if (held.size() == 4) {
            held.forEach(Runnable::run);
            held.clear();
        }
        return true;
    }

    @Test
    void aSilentNamenodeIsATimeoutThatNamesIt() throws IOException {
        cluster().namenode().keepAliveMillis(60_000); // It would be a timeout, too.
        try (CrailClient client = cluster().connect()) {
            cluster().namenode().script((connection, frame) -> true);
            assertThatThrownBy(() -> client.withDeadline(Duration.ofMillis(50)).status("/a"))
                    .isInstanceOf(TimeoutException.class)
                    .hasMessageContaining("/a")
                    .hasMessageContaining("50 ms")
                    .hasMessageContaining(cluster().namenode().endpoint());
            CrailFuture<?> pending = client.withDeadline(Duration.ofMillis(50)).statusAsync("/b");
            assertThatThrownBy(pending::join).hasCauseInstanceOf(TimeoutException.class);
            assertThat(client.clientStatistics().timeouts()).isEqualTo(2);
            cluster().namenode().script((connection, frame) -> false);
        }
    }

    @Test
    void aConnectionThatStaysSilentForLongIsReplaced() throws IOException {
        AtomicLong skew = new AtomicLong();
        try (CrailClient client =
                CrailClient.connect(
                        cluster().config().clock(() -> System.nanoTime() + skew.get()).build())) {
            cluster().namenode().script((connection, frame) -> frame.type() == MessageType.LOOKUP);
            CrailFuture<?> first = client.statusAsync("/a");
            Awaitility.await()
                    .until(
                            () ->
                                    cluster().namenode().received(MessageType.LOOKUP) == 1
                                            && cluster().namenode().received(MessageType.HELLO)
                                                    == 1);
            cluster().namenode().script((connection, frame) -> frame.type() != MessageType.HELLO);
            skew.set(Duration.ofSeconds(25).toNanos());
            assertThatThrownBy(first::join).hasCauseInstanceOf(TimeoutException.class);
            cluster().namenode().script((connection, frame) -> false);
            client.ping();
            assertThat(cluster().namenode().received(MessageType.HELLO)).isGreaterThan(1);
        }
    }

    @Test
    void nobodyThereIsATimeoutThatSaysWhy() throws Exception {
        cluster().namenode().stop();
        assertThatThrownBy(
                        () ->
                                CrailClient.connect(
                                        cluster().config().deadline(Duration.ofSeconds(2)).build()))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining(cluster().namenode().endpoint())
                .hasMessageContaining("refused");
    }

    @Test
    void busyAnswersAreTriedAgainWithinTheDeadline() throws IOException {
        AtomicInteger busy = new AtomicInteger();
        try (CrailClient client = cluster().connect()) {
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                if (frame.type() != MessageType.CREATE
                                        || busy.getAndIncrement() >= 3) {
                                    return false;
                                }
                                connection.write(
                                        cluster()
                                                .namenode()
                                                .refusal(frame, new BusyException("fencing")),
                                        99);
                                return true;
                            });
            client.mkdir("/a");
            assertThat(busy.get()).isEqualTo(4);
        }
    }

    @Test
    void errorsOfTheNamenodeKeepTheirClassAndWords() throws IOException {
        try (CrailClient client = cluster().connect()) {
            client.mkdir("/a");
            assertThatThrownBy(() -> client.mkdir("/a"))
                    .isInstanceOf(NodeExistsException.class)
                    .hasMessage("/a exists already");
            assertThatThrownBy(() -> client.delete("/b", false))
                    .isInstanceOf(NoSuchNodeException.class);
            assertThat(client.lookup("/b")).isEmpty();
        }
    }

    @Test
    void anExpiredSessionIsReplacedAndItsLeasesAreLost() throws IOException {
        // Told so first, it would leave open whether what was under way took place.
        cluster().namenode().keepAliveMillis(60_000);
        try (CrailClient client = cluster().connect()) {
            CrailOutputStream out = client.createFile("/f");
            out.write(bytes(100, 1));
            out.sync();
            CrailFile file = client.open("/f");
            cluster().namenode().expireSession();
            client.mkdir("/a");
            assertThat(client.clientStatistics().sessions()).isEqualTo(2);
            out.write(1);
            assertThatThrownBy(out::sync).isInstanceOf(LeaseLostException.class);
            assertThatThrownBy(file::refresh).isInstanceOf(SessionExpiredException.class);
            assertThatThrownBy(out::close).isInstanceOf(CrailException.class);
            try (CrailOutputStream again = client.append("/f")) {
                again.write(2);
            }
            assertThat(readAll(client, "/f")).hasSize(101);
        }
    }

    @Test
    void aStaleNamenodeIsRefused() throws Exception {
        AtomicLong skew = new AtomicLong();
        try (CrailClient client =
                CrailClient.connect(
                        cluster().config().clock(() -> System.nanoTime() + skew.get()).build())) {
            cluster().namenode().stop();
            cluster().namenode().epoch(4);
            cluster().namenode().start();
            long before = cluster().namenode().received(MessageType.HELLO);
            CrailFuture<?> refused = client.mkdirAsync("/a", CreateOptions.DEFAULT);
            Awaitility.await()
                    .until(() -> cluster().namenode().received(MessageType.HELLO) >= before + 3);
            skew.set(Duration.ofSeconds(25).toNanos());
            // The deadline ends it between two attempts, or within one, whose error is then told.
            assertThatThrownBy(refused::join)
                    .cause()
                    .isInstanceOfAny(TimeoutException.class, VersionMismatchException.class)
                    .hasMessageContaining("epoch 4")
                    .hasMessageContaining("epoch 5");
            assertThat(cluster().namenode().exists("/a")).isFalse();
            cluster().namenode().epoch(6);
            // A hello may have been answered before, and calls that wait for it fail.
            Awaitility.await()
                    .ignoreExceptionsMatching(VersionMismatchException.class::isInstance)
                    .untilAsserted(() -> client.mkdir("/a"));
        }
    }

    @Test
    void closingFailsWhatIsOutstanding() throws Exception {
        CrailClient client = cluster().connect();
        cluster().namenode().script((connection, frame) -> frame.type() == MessageType.LOOKUP);
        CrailFuture<?> pending = client.statusAsync("/a");
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch waiting = new CountDownLatch(1);
        Thread blocked =
                new Thread(
                        () -> {
                            waiting.countDown();
                            try {
                                client.status("/b");
                            } catch (CrailException e) {
                                failures.add(e);
                            }
                        });
        blocked.start();
        waiting.await();
        Awaitility.await()
                .until(
                        () ->
                                cluster().namenode().received().stream()
                                                .filter(f -> f.type() == MessageType.LOOKUP)
                                                .count()
                                        == 2);
        client.close();
        blocked.join();
        assertThat(failures).singleElement().isInstanceOf(ClosedException.class);
        assertThatThrownBy(pending::join).hasCauseInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> client.status("/a")).isInstanceOf(ClosedException.class);
        client.close();
    }

    @Test
    void severalClientsLiveSideBySide() throws IOException {
        try (CrailClient first = cluster().connect();
                CrailClient second =
                        CrailClient.connect(
                                cluster().config().clientName("other").checksums(false).build())) {
            write(first, "/a", bytes(10, 1));
            assertThat(second.status("/a").length()).isEqualTo(10);
            assertThat(clientThreads()).contains("crail-keepalive-test", "crail-keepalive-other");
        }
    }
}
