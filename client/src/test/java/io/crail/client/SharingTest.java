// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.testing.FakePeer;
import io.crail.client.testing.ReceivedFrame;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.TimeoutException;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Threads that share a client, interrupts and cancels. */
class SharingTest extends ClientTestBase {
    @Test
    void interruptingOneThreadDisturbsNoOther() throws Exception {
        byte[] value = bytes(400_000, 1);
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            table.put(new byte[] {1}, value);
            AtomicBoolean stop = new AtomicBoolean();
            AtomicInteger interrupted = new AtomicInteger();
            AtomicInteger succeeded = new AtomicInteger();
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                boolean victim = i == 0;
                threads.add(
                        new Thread(
                                () -> {
                                    while (!stop.get()) {
                                        try {
                                            byte[] got =
                                                    table.get(new byte[] {1})
                                                            .orElseThrow()
                                                            .toByteArray();
                                            if (!Arrays.equals(got, value)) {
                                                failures.add(new AssertionError("wrong bytes"));
                                            }
                                            succeeded.incrementAndGet();
                                        } catch (CancelledException e) {
                                            if (!victim || !Thread.interrupted()) {
                                                failures.add(e);
                                            }
                                            interrupted.incrementAndGet();
                                        } catch (CrailException e) {
                                            failures.add(e);
                                        }
                                    }
                                }));
            }
            threads.forEach(Thread::start);
            Awaitility.await()
                    .pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(
                            () -> {
                                threads.get(0).interrupt();
                                return interrupted.get() > 200 && succeeded.get() > 500;
                            });
            stop.set(true);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat(client.clientStatistics().reconnects()).isZero();
        }
    }

    @Test
    void aThreadThatIsInterruptedBeforeACallMakesNone() throws IOException {
        try (CrailClient client = cluster().connect()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> client.mkdir("/a")).isInstanceOf(CancelledException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(cluster().namenode().exists("/a")).isFalse();
        }
    }

    @Test
    void anInterruptEndsAWaitAndKeepsTheStatus() throws Exception {
        try (CrailClient client = cluster().connect()) {
            CountDownLatch arrived = new CountDownLatch(1);
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                if (frame.type() == MessageType.LOOKUP) {
                                    arrived.countDown();
                                }
                                return frame.type() == MessageType.LOOKUP;
                            });
            AtomicReference<Throwable> failure = new AtomicReference<>();
            AtomicBoolean status = new AtomicBoolean();
            Thread waiting =
                    new Thread(
                            () -> {
                                try {
                                    client.status("/a");
                                } catch (CrailException e) {
                                    failure.set(e);
                                    status.set(Thread.currentThread().isInterrupted());
                                }
                            });
            waiting.start();
            arrived.await();
            waiting.interrupt();
            waiting.join();
            assertThat(failure.get()).isInstanceOf(CancelledException.class);
            assertThat(status.get()).isTrue();
            client.mkdir("/b");
        }
    }

    @Test
    void aCancelledReadWritesNoMoreIntoItsBuffer() throws Exception {
        byte[] data = bytes(1 << 20, 2);
        CountDownLatch half = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", data);
            cluster().storage(0).script((c, frame) -> inTwoHalves(c, frame, half, release));
            try (CrailFile file = client.open("/f")) {
                ByteBuffer target = ByteBuffer.allocateDirect(1 << 20);
                CrailFuture<Integer> read = file.readAsync(0, target);
                half.await();
                Awaitility.await().until(() -> target.get(1000) == data[1000]);
                assertThat(read.cancel(true)).isTrue();
                for (int i = 0; i < target.capacity(); i++) {
                    target.put(i, (byte) 0x55);
                }
                release.countDown();
                // The rest of that answer is drained: the next one on the connection is understood.
                cluster().storage(0).script((connection, frame) -> false);
                ByteBuffer again = ByteBuffer.allocateDirect(1 << 20);
                file.readFully(0, again);
                assertThat(again.flip()).isEqualTo(ByteBuffer.wrap(data));
                for (int i = 0; i < target.capacity(); i++) {
                    assertThat(target.get(i)).isEqualTo((byte) 0x55);
                }
                assertThatThrownBy(read::join).isInstanceOf(CancellationException.class);
            }
        }
    }

    private static boolean inTwoHalves(
            FakePeer.Connection connection,
            ReceivedFrame frame,
            CountDownLatch half,
            CountDownLatch release)
            throws IOException, InterruptedException {
        if (frame.type() != MessageType.READ || half.getCount() == 0) {
            return false;
        }
        byte[] answer = connection.respond(frame);
        connection.write(Arrays.copyOf(answer, answer.length / 2), Integer.MAX_VALUE);
        half.countDown();
        release.await();
        connection.write(
                Arrays.copyOfRange(answer, answer.length / 2, answer.length), Integer.MAX_VALUE);
        return true;
    }

    @Test
    void aWriteThatWasCalledOffSendsTheBytesItHadThen() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        List<byte[]> payloads = Collections.synchronizedList(new ArrayList<>());
        AtomicLong skew = new AtomicLong();
        try (CrailClient client =
                CrailClient.connect(
                        cluster().config().clock(() -> System.nanoTime() + skew.get()).build())) {
            // The server reads nothing for a while, so the frame stays in the client.
            for (int i = 0; i < 2; i++) {
                cluster()
                        .storage(i)
                        .script(
                                (connection, frame) -> {
                                    if (frame.type() == MessageType.PING) {
                                        return false;
                                    }
                                    if (frame.type() == MessageType.WRITE) {
                                        payloads.add(frame.payload());
                                        release.await();
                                    }
                                    return false;
                                });
            }
            CrailOutputStream out = client.createFile("/f");
            Thread late =
                    new Thread(
                            () -> {
                                Awaitility.await().until(() -> !payloads.isEmpty());
                                skew.set(Duration.ofSeconds(25).toNanos());
                            });
            late.start();
            ByteBuffer source = ByteBuffer.allocateDirect(40 << 20);
            for (int i = 0; i < source.capacity(); i++) {
                source.put(i, (byte) 0x11);
            }
            assertThatThrownBy(() -> out.append(source)).isInstanceOf(TimeoutException.class);
            late.join();
            for (int i = 0; i < source.capacity(); i++) {
                source.put(i, (byte) 0x22);
            }
            release.countDown();
            assertThatThrownBy(out::close).isInstanceOf(CrailException.class);
            client.mkdir("/done");
        }
        // Whatever still arrived was sent from a copy. A closed client sends nothing more, and each
        // connection ends when the server has read all of it.
        Awaitility.await().until(() -> cluster().storage(0).hasNoConnections());
        Awaitility.await().until(() -> cluster().storage(1).hasNoConnections());
        assertThat(payloads)
                .isNotEmpty()
                .allSatisfy(payload -> assertThat(payload).containsOnly(0x11));
    }

    @Test
    void manyThreadsShareOneConnection() throws Exception {
        try (CrailClient client = cluster().connect()) {
            CrailTable table = client.createTable("/t");
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                int id = t;
                threads.add(
                        new Thread(
                                () -> {
                                    try {
                                        for (int i = 0; i < 200; i++) {
                                            byte[] key = {(byte) id, (byte) i};
                                            byte[] value = bytes(i % 10 == 0 ? 9000 : 30, i);
                                            table.put(key, value);
                                            byte[] got = table.get(key).orElseThrow().toByteArray();
                                            assertThat(got).isEqualTo(value);
                                        }
                                    } catch (CrailException | AssertionError e) {
                                        failures.add(e);
                                    }
                                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
        }
    }

    @Test
    void whatThreadsAskedTogetherTakesEffectOnceThoughTheConnectionBreaks() throws Exception {
        int callers = 4;
        int each = 100;
        AtomicInteger arrived = new AtomicInteger();
        cluster()
                .namenode()
                .script(
                        (connection, frame) -> {
                            if (frame.type() != MessageType.CREATE
                                    || arrived.incrementAndGet() % 7 != 0) {
                                return false;
                            }
                            if (arrived.get() % 2 == 0) {
                                connection.respond(frame); // the answer may be lost
                            }
                            connection.drop();
                            return true;
                        });
        try (CrailClient client = cluster().connect()) {
            long before = cluster().namenode().executed();
            List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < callers; t++) {
                int id = t;
                threads.add(
                        new Thread(
                                () -> {
                                    try {
                                        for (int i = 0; i < each; i++) {
                                            client.mkdir("/" + id + "-" + i);
                                        }
                                    } catch (CrailException e) {
                                        failures.add(e);
                                    }
                                }));
            }
            threads.forEach(Thread::start);
            for (Thread thread : threads) {
                thread.join();
            }
            assertThat(failures).isEmpty();
            assertThat(cluster().namenode().executed() - before).isEqualTo((long) callers * each);
            assertThat(client.clientStatistics().reconnects()).isPositive();
        }
    }
}
