// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import static io.crail.namenode.rpc.TestClient.bulk;
import static io.crail.namenode.rpc.TestClient.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ErrorCode;
import io.crail.namenode.rpc.TestClient.Answer;
import io.crail.protocol.frame.WireReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests and answers over real sockets. */
@ParameterizedClass
@EnumSource(SocketKind.class)
class RpcServerTest {
    private final TestHandler handler = new TestHandler();
    private final SocketKind kind;
    private @TempDir Path temporary;
    private RpcServer server;

    RpcServerTest(SocketKind kind) {
        this.kind = kind;
    }

    private RpcServer bind(TestHandler served) {
        return SocketKind.bind(temporary, served, RpcOptions.defaults());
    }

    @BeforeEach
    void start() {
        server = bind(handler);
        server.start();
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void answersCarryTypeIdTraceEpochControlAndPayload() throws IOException {
        try (TestClient client = TestClient.establish(kind.address(server))) {
            client.send(frame(TestHandler.ECHO, 12345, new byte[] {1, 2, 3}, new byte[] {4, 5}));
            Answer answer = client.receive();
            assertThat(answer.type()).isEqualTo(TestHandler.ECHO);
            assertThat(answer.id()).isEqualTo(12345);
            assertThat(answer.traceId()).isEqualTo(12345 ^ 0x5A5A);
            assertThat(answer.epoch()).isEqualTo(TestHandler.EPOCH);
            assertThat(answer.status()).isZero();
            assertThat(answer.control()).containsExactly(1, 2, 3);
            assertThat(answer.payload()).containsExactly(4, 5);
        }
    }

    @Test
    void tenThousandPipelinedRequestsInOddSplitsAreAnsweredInOrder() throws Exception {
        int n = 10_000;
        Random random = new Random(1);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        byte[][] controls = new byte[n][];
        byte[][] payloads = new byte[n][];
        for (int i = 0; i < n; i++) {
            controls[i] = new byte[random.nextInt(60)];
            payloads[i] = new byte[i % 1000 == 0 ? random.nextInt(900_000) : random.nextInt(90)];
            random.nextBytes(controls[i]);
            random.nextBytes(payloads[i]);
            all.writeBytes(frame(TestHandler.ECHO, i, controls[i], payloads[i]));
        }
        byte[] bytes = all.toByteArray();
        try (TestClient client = TestClient.establish(kind.address(server))) {
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(() -> sendInPieces(client, bytes, random));
            for (int i = 0; i < n; i++) {
                Answer answer = client.receive();
                assertThat(answer.id()).isEqualTo(i);
                assertThat(answer.control()).isEqualTo(controls[i]);
                assertThat(answer.payload()).isEqualTo(payloads[i]);
            }
            sending.get(60, TimeUnit.SECONDS);
        }
        assertThat(handler.batches.get()).as("requests share batches").isLessThan(2 * n);
    }

    /** The loop reads connections with recent requests without asking the selector. */
    @Test
    void aQuietConnectionIsServedWhileAnotherNeverStops() throws Exception {
        AtomicBoolean enough = new AtomicBoolean();
        try (TestClient busy = TestClient.establish(kind.address(server));
                TestClient quiet = TestClient.establish(kind.address(server))) {
            AtomicInteger answered = new AtomicInteger();
            CompletableFuture<Void> talking =
                    CompletableFuture.runAsync(() -> talk(busy, answered, enough));
            Awaitility.await().until(() -> answered.get() > 0);
            for (int i = 0; i < 200; i++) {
                echo(quiet, i);
            }
            enough.set(true);
            talking.get(60, TimeUnit.SECONDS);
        }
    }

    @Test
    void manyConnectionsThatTakeTurnsAreAllServed() throws IOException {
        List<TestClient> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 12; i++) {
                clients.add(TestClient.establish(kind.address(server)));
            }
            for (int i = 0; i < 1_200; i++) {
                // Now two of them, now all.
                echo(clients.get(i / 100 % 2 == 0 ? i % 2 : i % clients.size()), i);
            }
        } finally {
            for (TestClient each : clients) {
                each.close();
            }
        }
    }

    private static void talk(TestClient client, AtomicInteger answered, AtomicBoolean enough) {
        try {
            while (!enough.get()) {
                echo(client, answered.get());
                answered.incrementAndGet();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static void echo(TestClient client, int id) throws IOException {
        client.send(frame(TestHandler.ECHO, id, new byte[] {7}, new byte[0]));
        assertThat(client.receive().id()).isEqualTo(id);
    }

    private static void sendInPieces(TestClient client, byte[] bytes, Random random) {
        try {
            int at = 0;
            while (at < bytes.length) {
                int limit = random.nextInt(10) == 0 ? 3 : random.nextInt(3) == 0 ? 300 : 90_000;
                int length = Math.min(bytes.length - at, 1 + random.nextInt(limit));
                client.send(bytes, at, length);
                at += length;
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @Test
    void everyByteOfAFrameMayArriveAlone() throws IOException {
        try (TestClient client = TestClient.connect(kind.address(server))) {
            byte[] frames =
                    TestClient.join(
                            frame(TestHandler.HELLO, 1),
                            frame(TestHandler.ECHO, 2, new byte[5], new byte[7]));
            for (int i = 0; i < frames.length; i++) {
                client.send(frames, i, 1);
            }
            assertThat(client.receive().id()).isEqualTo(1);
            assertThat(client.receive().payload()).hasSize(7);
        }
    }

    @Test
    void aRequestMayBeAnsweredLaterFromARequestOfAnotherConnection() throws IOException {
        try (TestClient waiter = TestClient.establish(kind.address(server));
                TestClient other = TestClient.establish(kind.address(server))) {
            waiter.send(frame(TestHandler.WAIT, 5));
            waiter.ping(6);
            other.send(frame(TestHandler.ANSWER_LATER, 7));
            assertThat(other.receive().id()).isEqualTo(7);
            assertThat(waiter.receive().id()).isEqualTo(5);
        }
    }

    @Test
    void aLateAnswerToAClosedConnectionGoesNowhere() throws Exception {
        try (TestClient other = TestClient.establish(kind.address(server))) {
            TestClient waiter = TestClient.establish(kind.address(server));
            waiter.send(frame(TestHandler.WAIT, 5));
            waiter.ping(6);
            waiter.close();
            assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
            other.send(frame(TestHandler.ANSWER_LATER, 7));
            assertThat(other.receive().id()).isEqualTo(7);
            other.ping(8);
        }
    }

    @Test
    void anExceptionOfTheHandlerIsAnsweredWithInternalAndNothingElseChanges() throws IOException {
        try (TestClient client = TestClient.establish(kind.address(server))) {
            for (int type : new int[] {TestHandler.FAIL, TestHandler.FAIL_HALF_WAY}) {
                client.send(
                        TestClient.join(
                                frame(TestHandler.ECHO, 1),
                                frame(type, 2),
                                frame(TestHandler.ECHO, 3)));
                assertThat(client.receive().id()).isEqualTo(1);
                Answer answer = client.receive();
                assertThat(answer.id()).isEqualTo(2);
                assertThat(answer.status()).isEqualTo(ErrorCode.INTERNAL.wire());
                assertThat(answer.epoch()).isEqualTo(TestHandler.EPOCH);
                assertThat(new WireReader(answer.control()).string(1024)).contains("defect");
                assertThat(client.receive().id()).isEqualTo(3);
            }
        }
    }

    @Test
    void exceptionsOfTimersAndTasksDoNotEndTheServer() throws Exception {
        handler.failTick = true;
        assertThat(
                        server.execute(
                                () -> {
                                    throw new IllegalStateException("injected");
                                }))
                .isTrue();
        try (TestClient client = TestClient.establish(kind.address(server))) {
            client.ping(1);
            handler.failTick = false;
            long before = handler.ticks.get();
            Awaitility.await().until(() -> handler.ticks.get() > before + 2);
        }
    }

    @Test
    void anErrorStopsTheServerLoudly() throws Exception {
        try (TestClient client = TestClient.establish(kind.address(server))) {
            client.send(frame(TestHandler.DIE, 1));
            client.awaitClosed();
            assertThat(server.awaitEnd(60, TimeUnit.SECONDS)).isTrue();
            assertThat(server.failure()).containsInstanceOf(OutOfMemoryError.class);
            assertThat(server.execute(() -> {})).isFalse();
            assertThat(handler.closed).hasSize(1);
        }
    }

    @Test
    void answersOfHeldBatchesLeaveInOrderWhenTheirTicketIsReleased() throws Exception {
        try (TestClient first = TestClient.establish(kind.address(server));
                TestClient second = TestClient.establish(kind.address(server))) {
            handler.hold = true;
            first.send(frame(TestHandler.ECHO, 1));
            long ticket1 = handler.nextTicket();
            second.send(frame(TestHandler.ECHO, 2));
            long ticket2 = handler.nextTicket();
            first.send(frame(TestHandler.ECHO, 3));
            long ticket3 = handler.nextTicket();
            handler.hold = false;
            first.send(frame(TestHandler.ECHO, 4)); // must not overtake
            assertThat(first.receivesNothingFor(50)).isTrue();
            assertThat(second.receivesNothingFor(50)).isTrue();

            server.release(ticket1);
            assertThat(first.receive().id()).isEqualTo(1);
            assertThat(second.receivesNothingFor(50)).isTrue();
            server.release(ticket2);
            assertThat(second.receive().id()).isEqualTo(2);
            assertThat(first.receivesNothingFor(50)).isTrue();
            server.release(ticket3);
            assertThat(first.receive().id()).isEqualTo(3);
            assertThat(first.receive().id()).isEqualTo(4);
        }
    }

    @Test
    void aHigherTicketReleasesAllLowerOnesEvenBeforeTheirBatchEnds() throws Exception {
        try (TestClient client = TestClient.establish(kind.address(server))) {
            handler.hold = true;
            client.send(frame(TestHandler.ECHO, 1));
            handler.nextTicket();
            client.send(frame(TestHandler.ECHO, 2));
            handler.nextTicket();
            server.release(1000);
            assertThat(client.receive().id()).isEqualTo(1);
            assertThat(client.receive().id()).isEqualTo(2);
            client.ping(3);
        }
    }

    @Test
    void withdrawnAnswersNeverLeaveAndTheirConnectionsAreClosed() throws Exception {
        try (TestClient held = TestClient.establish(kind.address(server));
                TestClient idle = TestClient.establish(kind.address(server))) {
            handler.hold = true;
            held.send(frame(TestHandler.ECHO, 1));
            handler.nextTicket();
            server.discardHeld();
            assertThatThrownBy(held::receive).isInstanceOf(IOException.class);
            handler.hold = false;
            idle.ping(2);

            handler.discard = true;
            idle.send(frame(TestHandler.ECHO, 3));
            assertThatThrownBy(idle::receive).isInstanceOf(IOException.class);
            handler.discard = false;
        }
        handler.failBatch = true;
        try (TestClient client = TestClient.connect(kind.address(server))) {
            client.send(frame(TestHandler.HELLO, 1));
            assertThatThrownBy(client::receive).isInstanceOf(IOException.class);
        }
        handler.failBatch = false;
        TestClient.establish(kind.address(server)).close();
    }

    @Test
    void tasksRunInTheServersThreadAndTheirAnswersLeave() throws Exception {
        try (TestClient client = TestClient.establish(kind.address(server))) {
            client.send(frame(TestHandler.WAIT, 5));
            client.ping(6);
            CompletableFuture<String> thread = new CompletableFuture<>();
            assertThat(server.execute(() -> thread.complete(Thread.currentThread().getName())))
                    .isTrue();
            assertThat(thread.get(60, TimeUnit.SECONDS))
                    .isEqualTo("crail-namenode-" + server.address().getPort());
        }
    }

    @Test
    void theTaskQueueIsBounded() throws Exception {
        int accepted = 0;
        CompletableFuture<Void> entered = new CompletableFuture<>();
        CompletableFuture<Void> leave = new CompletableFuture<>();
        server.execute(
                () -> {
                    entered.complete(null);
                    leave.orTimeout(60, TimeUnit.SECONDS).join();
                });
        entered.get(60, TimeUnit.SECONDS);
        while (accepted < 100_000 && server.execute(() -> {})) {
            accepted++;
        }
        leave.complete(null);
        assertThat(accepted).isEqualTo(RpcOptions.defaults().maxTasks());
        Awaitility.await().until(() -> server.execute(() -> {}));
    }

    @Test
    void aConnectionClosedWhileItIsAnsweredIsReportedOnce() throws Exception {
        for (int type : new int[] {TestHandler.CLOSE, TestHandler.CLOSE_HALF_WAY}) {
            try (TestClient client = TestClient.establish(kind.address(server))) {
                client.send(TestClient.join(frame(type, 1), frame(TestHandler.ECHO, 2)));
                client.awaitClosed();
                Connection closed = handler.closed.poll(60, TimeUnit.SECONDS);
                assertThat(closed).isNotNull();
            }
        }
        TestClient.establish(kind.address(server)).close();
        assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(handler.closed).isEmpty();
        assertThat(handler.requests).hasValue(5);
    }

    @Test
    void buffersOfAConnectionClosedWhileItIsAnsweredDoNotReachOthersTooEarly() throws Exception {
        try (TestClient closing = TestClient.establish(kind.address(server));
                TestClient waiter = TestClient.establish(kind.address(server))) {
            waiter.send(frame(TestHandler.WAIT, 5));
            waiter.ping(6);
            // Long enough for idle connections to have given their buffers back.
            long before = handler.ticks.get();
            Awaitility.await().until(() -> handler.ticks.get() > before + 60);
            closing.send(frame(TestHandler.CLOSE_AND_ANSWER_OTHERS, 7));
            Answer answer = waiter.receive();
            assertThat(answer.id()).isEqualTo(5);
            assertThat(new WireReader(answer.control()).i64()).isEqualTo(5);
            closing.awaitClosed();
            waiter.ping(8);
        }
    }

    @Test
    void closingAfterRepliesDeliversThemFirst() throws Exception {
        try (TestClient client = TestClient.establish(kind.address(server))) {
            int size = 1 << 20;
            byte[] ignored = new byte[200_000];
            client.send(
                    TestClient.join(
                            bulk(1, size),
                            frame(TestHandler.FINISH, 2),
                            frame(TestHandler.ECHO, 3, new byte[0], ignored)));
            assertThat(client.receive().payload()).hasSize(size);
            assertThat(client.receive().id()).isEqualTo(2);
            assertThatThrownBy(client::receive).isInstanceOf(IOException.class);
            assertThat(handler.requests).hasValue(3);
        }
        assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
    }

    @Test
    void closingTheServerClosesConnectionsAndReportsThem() throws Exception {
        try (TestClient first = TestClient.establish(kind.address(server));
                TestClient second = TestClient.establish(kind.address(server))) {
            server.close();
            server.close();
            first.awaitClosed();
            second.awaitClosed();
            assertThat(handler.closed).hasSize(2);
            assertThat(handler.closed).extracting(Connection::attachment).doesNotContainNull();
            assertThat(server.failure()).isEmpty();
            assertThatThrownBy(() -> TestClient.connect(kind.address(server)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aServerThatNeverStartedCanBeClosed() throws IOException {
        RpcServer unused = bind(handler);
        unused.close();
        unused.close();
        unused.start();
        SocketAddress address = kind.address(unused);
        assertThatThrownBy(() -> TestClient.connect(address)).isInstanceOf(IOException.class);
    }

    @Test
    void aPortInUseIsAnErrorThatNamesIt() {
        assertThatThrownBy(() -> RpcServer.bind(server.address(), RpcOptions.defaults(), handler))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(server.address().getPort()));
    }

    /**
     * Whoever looks reads the clock for each look; one that sleeps wakes up four times a second.
     */
    @Test
    void aServerThatIsAskedNothingSleeps() throws IOException {
        AtomicLong readings = new AtomicLong();
        LoopEnvironment counting =
                new LoopEnvironment(
                        SelectorProvider.provider(),
                        () -> {
                            readings.incrementAndGet();
                            return System.nanoTime();
                        });
        InetSocketAddress anywhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (RpcServer counted =
                        RpcServer.bind(
                                anywhere,
                                null,
                                RpcOptions.defaults(),
                                new TestHandler(),
                                counting);
                TestClient client = establish(counted)) {
            for (int i = 0; i < 1_000; i++) {
                client.send(frame(TestHandler.ECHO, i + 10, new byte[] {1}, new byte[0]));
                assertThat(client.receive().id()).isEqualTo(i + 10);
            }
            long[] before = {readings.get()};
            // What is looked for after the last request ends after a budget; a busy machine may
            // make it long.
            Awaitility.await()
                    .pollInterval(300, TimeUnit.MILLISECONDS)
                    .untilAsserted(
                            () -> {
                                long during = readings.get() - before[0];
                                before[0] += during;
                                assertThat(during).isLessThan(200);
                            });
        }
    }

    private static TestClient establish(RpcServer counted) throws IOException {
        counted.start();
        return TestClient.establish(counted.address());
    }
}
