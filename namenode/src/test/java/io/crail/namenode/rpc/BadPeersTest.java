// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import static io.crail.namenode.rpc.TestClient.bulk;
import static io.crail.namenode.rpc.TestClient.frame;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.ProtocolLimits;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Peers that stall, lie, vanish or speak something else: only they are affected. */
@ParameterizedClass
@EnumSource(SocketKind.class)
class BadPeersTest {
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final TestHandler handler = new TestHandler();
    private final SocketKind kind;
    private @TempDir Path temporary;
    private RpcServer server;
    private @Nullable TestClient good;

    BadPeersTest(SocketKind kind) {
        this.kind = kind;
    }

    private void restart(RpcOptions options) throws IOException {
        server.close();
        start(options);
    }

    private void start(RpcOptions options) throws IOException {
        server = SocketKind.bind(temporary, handler, options);
        server.start();
        good = TestClient.establish(kind.address(server));
    }

    @BeforeEach
    void startWithDefaults() throws IOException {
        start(RpcOptions.defaults());
    }

    @AfterEach
    void close() throws IOException {
        try (TestClient client = good) {
            if (client != null && server.failure().isEmpty()) {
                client.ping(99);
            }
        } finally {
            server.close();
        }
    }

    private void goodClientIsServed(long id) throws IOException {
        TestClient client = good;
        assertThat(client).isNotNull();
        if (client != null) {
            client.ping(id);
        }
    }

    @Test
    void anHttpRequestIsClosedAtOnce() throws IOException {
        for (String request : new String[] {"GET / HTTP/1.1\r\n\r\n", "GET ", "\r\n\r\n"}) {
            try (TestClient client = TestClient.connect(kind.address(server))) {
                client.send(request.getBytes(StandardCharsets.US_ASCII));
                client.awaitClosed();
                goodClientIsServed(1);
            }
        }
        assertThat(handler.requests).hasValue(4);
    }

    @Test
    void absurdHeadersAreClosedAtOnce() throws IOException {
        List<byte[]> frames = new ArrayList<>();
        for (int length : new int[] {0, 47, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            frames.add(altered(FrameHeader.LENGTH, length));
        }
        frames.add(altered(FrameHeader.LENGTH, ProtocolLimits.MAX_FRAME + 1));
        frames.add(altered(FrameHeader.CONTROL_LENGTH, 1));
        frames.add(altered(FrameHeader.CONTROL_LENGTH, -1));
        frames.add(altered(FrameHeader.VERSION, 99));
        frames.add(altered(FrameHeader.VERSION, 0));
        byte[] response = frame(TestHandler.ECHO, 1);
        response[FrameHeader.FLAGS] = FrameHeader.FLAG_RESPONSE;
        frames.add(response);
        for (byte[] each : frames) {
            try (TestClient client = TestClient.establish(kind.address(server))) {
                client.send(each);
                client.awaitClosed();
                goodClientIsServed(1);
            }
        }
    }

    private static byte[] altered(int offset, int value) {
        byte[] frame = frame(TestHandler.ECHO, 1);
        ByteBuffer buffer = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        if (offset == FrameHeader.VERSION) {
            buffer.put(offset, (byte) value);
        } else {
            buffer.putInt(offset, value);
        }
        return frame;
    }

    @Test
    void beforeTheHelloOnlySmallFramesAreTaken() throws IOException {
        try (TestClient client = TestClient.connect(kind.address(server))) {
            int most = ProtocolLimits.MAX_HELLO_FRAME - FrameHeader.SIZE;
            client.send(frame(TestHandler.ECHO, 1, new byte[0], new byte[most]));
            assertThat(client.receive().payload()).hasSize(most);
            client.send(frame(TestHandler.ECHO, 2, new byte[0], new byte[most + 1]));
            client.awaitClosed();
        }
    }

    @Test
    void randomBytesNeverDisturbOthers() throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 200; i++) {
            byte[] bytes = new byte[1 + random.nextInt(300)];
            random.nextBytes(bytes);
            if (i % 2 == 0) {
                bytes = TestClient.join(frame(TestHandler.ECHO, 1), bytes);
            }
            try (TestClient client = TestClient.connect(kind.address(server))) {
                client.send(bytes);
            }
            goodClientIsServed(i);
        }
    }

    @Test
    void aConnectionThatStallsInsideAFrameDelaysNobodyAndIsDropped() throws IOException {
        restart(RpcOptions.defaults().withTimeouts(LONG, SHORT, LONG));
        byte[] frame = frame(TestHandler.ECHO, 1, new byte[10], new byte[10]);
        for (int sent : new int[] {1, 4, 47, 48, 60}) {
            try (TestClient client = TestClient.establish(kind.address(server))) {
                client.send(frame, 0, sent);
                goodClientIsServed(sent);
                client.awaitClosed();
            }
        }
        Awaitility.await().until(() -> handler.closed.size() >= 5);
    }

    @Test
    void aConnectionWithoutHelloIsDroppedAndAnIdleOneIsNot() throws IOException {
        server.close();
        server =
                SocketKind.bind(
                        temporary,
                        handler,
                        RpcOptions.defaults().withTimeouts(SHORT, SHORT, SHORT));
        server.start();
        Awaitility.await()
                .ignoreExceptionsInstanceOf(IOException.class) // Its hello came too late.
                .until(
                        () -> {
                            good = TestClient.establish(kind.address(server));
                            return true;
                        });
        try (TestClient silent = TestClient.connect(kind.address(server));
                TestClient chatty = TestClient.connect(kind.address(server))) {
            byte[] noHello = frame(TestHandler.ECHO, 1);
            sendUntilClosed(chatty, noHello, noHello.length);
            silent.awaitClosed();
            chatty.awaitClosed();
        }
        goodClientIsServed(1); // has been idle for longer
    }

    @Test
    void aResetInsideAFrameOrAnAnswerEndsThatConnectionOnly() throws Exception {
        for (int i = 0; i < 20; i++) {
            TestClient client = TestClient.establish(kind.address(server));
            for (int k = 0; k < 3; k++) {
                client.send(bulk(k, 1_000_000));
            }
            if (i % 2 == 0) {
                client.receive();
            }
            client.send(frame(TestHandler.ECHO, 9), 0, 20);
            client.reset();
            goodClientIsServed(i);
        }
        for (int i = 0; i < 20; i++) {
            assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void aReaderThatIsSlowStopsItsOwnRequestsOnly() throws Exception {
        int n = 40;
        int size = 1 << 20;
        try (TestClient slow = TestClient.connect(kind.address(server), 4096).hello()) {
            for (int i = 0; i < n; i++) {
                slow.send(bulk(i, size));
            }
            goodClientIsServed(1);
            // Its requests are not handled to the end, since that would hold 40 MiB.
            long ticks = handler.ticks.get();
            Awaitility.await().until(() -> handler.ticks.get() > ticks + 10);
            assertThat(handler.requests.get()).isLessThan(n / 2);
            goodClientIsServed(2);
            for (int i = 0; i < n; i++) {
                assertThat(slow.receive().id()).isEqualTo(i);
            }
            slow.ping(1000);
        }
    }

    @Test
    void aReaderThatTakesNothingForTooLongIsDropped() throws Exception {
        restart(RpcOptions.defaults().withTimeouts(LONG, LONG, SHORT));
        try (TestClient stuck = TestClient.connect(kind.address(server), 4096).hello()) {
            byte[][] requests = new byte[20][];
            for (int i = 0; i < requests.length; i++) {
                requests[i] = bulk(i, 1 << 20);
            }
            stuck.send(TestClient.join(requests)); // At once: none is sent after it was dropped.
            assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
            goodClientIsServed(1);
        }
    }

    @Test
    void aConnectionWithTooManyUnsentAnswersIsClosed() throws Exception {
        restart(RpcOptions.defaults().withSendLimits(4 << 20, 8 << 20));
        try (TestClient waiter = TestClient.connect(kind.address(server), 4096).hello()) {
            for (int i = 0; i < 3; i++) {
                waiter.send(bulk(i, 1 << 20)); // fills the socket
            }
            // Late answers are not held back by what holds back requests.
            for (int i = 0; i < 300_000; i++) {
                waiter.send(frame(TestHandler.WAIT, i));
                if (i % 1000 == 0) {
                    goodClientIsServed(i);
                }
            }
            Awaitility.await().until(() -> handler.requests.get() > 300_000);
            TestClient client = good;
            if (client != null) {
                client.send(frame(TestHandler.ANSWER_LATER, 7));
                assertThat(client.receive().id()).isEqualTo(7);
            }
            assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
        }
    }

    @Test
    void theBuffersOfAllConnectionsTogetherAreBounded() throws Exception {
        restart(
                RpcOptions.defaults()
                        .withSendLimits(64 << 10, 1 << 20)
                        .withMaxBuffered(4 << 20)
                        .withTimeouts(LONG, LONG, LONG));
        List<TestClient> greedy = new ArrayList<>();
        try {
            byte[] frame = frame(TestHandler.ECHO, 1, new byte[0], new byte[1 << 20]);
            for (int i = 0; i < 12; i++) {
                TestClient client = TestClient.establish(kind.address(server));
                greedy.add(client);
                sendUntilClosed(client, frame, frame.length - 1);
            }
            assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
            goodClientIsServed(1);
        } finally {
            for (TestClient each : greedy) {
                each.close();
            }
        }
    }

    private static void sendUntilClosed(TestClient client, byte[] frame, int length) {
        try {
            client.send(frame, 0, length);
        } catch (IOException e) {
            assertThat(e).isNotInstanceOf(SocketTimeoutException.class); // closed meanwhile
        }
    }

    @Test
    void connectionsAboveTheLimitAreClosedAndTheOthersGoOn() throws Exception {
        restart(RpcOptions.defaults().withMaxConnections(3));
        TestClient second = TestClient.establish(kind.address(server));
        try (TestClient third = TestClient.establish(kind.address(server));
                TestClient fourth = TestClient.connect(kind.address(server))) {
            fourth.awaitClosed();
            third.ping(1);
            goodClientIsServed(1);
        }
        second.close();
        assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
        assertThat(handler.closed.poll(60, TimeUnit.SECONDS)).isNotNull();
        TestClient.establish(kind.address(server)).close();
    }

    @Test
    void aBusyConnectionDoesNotStarveOthers() throws Exception {
        byte[][] frames = new byte[2000][];
        for (int i = 0; i < frames.length; i++) {
            frames[i] = frame(TestHandler.WAIT, i, new byte[0], new byte[1000]);
        }
        byte[] many = TestClient.join(frames);
        try (TestClient busy = TestClient.establish(kind.address(server))) {
            for (int round = 0; round < 20; round++) {
                busy.send(many);
                goodClientIsServed(round);
            }
            busy.ping(1);
        }
        assertThat(handler.requests.get()).isGreaterThan(40_000);
    }
}
