// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.error.AccessDeniedException;
import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.frame.FrameHeader;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Ping;
import io.crail.protocol.message.Read;
import io.crail.protocol.message.Write;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.Blocks;
import io.crail.storage.segment.Segment;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.testing.Grants;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.TestSegments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The data path over real sockets; run once per transport. */
abstract class TcpDataServiceTest {
    private static final int MIB = 1 << 20;
    private static final int ALL = BlockReference.READ | BlockReference.WRITE;
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(200);
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final Grants GRANTS = new Grants(KEY, 7, 99);
    private static final Gatekeeper OPEN = new Gatekeeper(Credentials.NONE, Party.STORAGE_SERVER);
    private static final byte[] NOTHING = {};

    @TempDir static Path directory;

    private final String transport;
    private Segment segment;
    private BlockTable table;
    private TcpDataService service;
    private final List<RawClient> clients = new ArrayList<>();

    TcpDataServiceTest(String transport) {
        this.transport = transport;
    }

    @BeforeEach
    void start() throws IOException {
        start(new ServiceLimits(100, LONG, LONG, LONG, LONG));
    }

    private void start(ServiceLimits limits) throws IOException {
        stop();
        TestSegments.files(directory).removeAll();
        segment = TestSegments.create(directory, 0, 4 * MIB);
        table = new BlockTable(segment);
        Blocks blocks = new Blocks();
        blocks.add(table);
        service = new TcpDataService(blocks, limits, "127.0.0.1", 0, transport, 2, null, OPEN);
        service.admit(new Admission(TestSegments.CLUSTER, 7, KEY, 5));
    }

    @AfterEach
    void stop() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        clients.clear();
        if (service != null) {
            service.close();
        }
    }

    /** A client before its hello. */
    private RawClient stranger() throws IOException {
        RawClient client = new RawClient(service.port());
        clients.add(client);
        return client;
    }

    private RawClient client() throws IOException {
        RawClient client = stranger();
        client.hello(GRANTS.session(), GRANTS.ticket()).success();
        return client;
    }

    private BlockReference block(int record, int length) {
        return GRANTS.block(0, record, length, segment.incarnation());
    }

    private static byte[] bytes(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private void assertServesOthers() throws IOException {
        assertThat(client().ping().status()).isZero();
    }

    @Test
    void theHelloTellsClusterEpochAndLimits() throws IOException {
        Hello.Reply reply =
                Hello.Reply.decode(
                        new WireReader(
                                stranger()
                                        .hello(GRANTS.session(), GRANTS.ticket())
                                        .success()
                                        .control()));
        assertThat(reply.cluster()).isEqualTo(TestSegments.CLUSTER);
        assertThat(reply.epoch()).isEqualTo(5);
        assertThat(reply.maxFrame()).isGreaterThan(MIB + 1100);
    }

    @Test
    void aWrongTicketOrClusterIsDenied() throws IOException {
        RawClient forger = stranger();
        assertThatThrownBy(() -> forger.hello(GRANTS.session(), GRANTS.ticket() + 1).success())
                .isInstanceOf(AccessDeniedException.class);
        assertThat(forger.isClosedByServer()).isTrue();
        RawClient lost = stranger();
        assertThatThrownBy(
                        () ->
                                lost.hello(new UUID(1, 1), GRANTS.session(), GRANTS.ticket())
                                        .success())
                .isInstanceOf(AccessDeniedException.class);
        assertThat(lost.isClosedByServer()).isTrue();
        assertServesOthers();
    }

    @Test
    void nothingIsServedBeforeTheHello() throws IOException {
        RawClient client = stranger();
        client.send(new Ping.Request(), NOTHING);
        assertThat(client.isClosedByServer()).isTrue();
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        RawClient client = client();
        byte[] data = bytes(MIB, 1);
        int[] checksums = new Random(2).ints(256).toArray();
        client.write(block(256, MIB), 0, data, checksums).success();
        RawClient.Answer answer = client.read(block(256, MIB), 0, MIB, Read.CHECKSUMS).success();
        assertThat(answer.payload()).isEqualTo(data);
        assertThat(answer.checksums()).isEqualTo(checksums);
        assertThat(service.statistics().bytesRead()).isEqualTo(MIB);
        assertThat(service.statistics().bytesWritten()).isEqualTo(MIB);
    }

    @Test
    void anyPartOfABlockCanBeWrittenAndRead() throws IOException {
        RawClient client = client();
        BlockReference block = block(16, 64 << 10);
        byte[] model = new byte[64 << 10];
        Random random = new Random(3);
        for (int round = 0; round < 200; round++) {
            int offset = random.nextInt(model.length);
            byte[] part = bytes(1 + random.nextInt(model.length - offset), round);
            System.arraycopy(part, 0, model, offset, part.length);
            client.write(block, offset, part).success();
        }
        assertThat(client.read(block, 0, model.length, 0).success().payload()).isEqualTo(model);
        for (int round = 0; round < 200; round++) {
            int offset = random.nextInt(model.length);
            int length = 1 + random.nextInt(model.length - offset);
            assertThat(client.read(block, offset, length, 0).success().payload())
                    .isEqualTo(Arrays.copyOfRange(model, offset, offset + length));
        }
        assertThat(segment.data(0, 16 << 12)).isEqualTo(ByteBuffer.allocate(16 << 12));
        assertThat(segment.data(32 << 12, MIB)).isEqualTo(ByteBuffer.allocate(MIB));
    }

    @Test
    void checksumsOfTheChunksTouchedAreAnswered() throws IOException {
        RawClient client = client();
        client.write(block(0, 16384), 0, bytes(12288, 1), 10, 11, 12).success();
        client.write(block(0, 16384), 12288, bytes(1, 1), 13).success();
        assertThat(client.read(block(0, 16384), 4096, 8193, 1).success().checksums())
                .containsExactly(11, 12, 13);
        assertThat(client.read(block(0, 16384), 4096, 8192, 1).success().checksums())
                .containsExactly(11, 12);
        assertThatThrownBy(() -> client.read(block(0, 16384), 1, 4096, 1).success())
                .isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void aThousandPipelinedRequestsAreAnswered() throws IOException {
        RawClient client = client();
        CompletableFuture<Void> sender =
                CompletableFuture.runAsync(
                        () -> {
                            try {
                                for (int i = 0; i < 500; i++) {
                                    BlockReference block = block(i, 4096);
                                    client.send(
                                            new Write.Request(block, 0, new int[] {i}),
                                            bytes(4096, i));
                                    client.send(new Read.Request(block, 0, 4096, 1), NOTHING);
                                }
                            } catch (IOException e) {
                                throw new AssertionError(e);
                            }
                        });
        for (int i = 0; i < 500; i++) {
            client.receive().success();
            RawClient.Answer read = client.receive().success();
            assertThat(read.payload()).isEqualTo(bytes(4096, i));
            assertThat(read.checksums()).containsExactly(i);
        }
        sender.join();
    }

    @Test
    void manyLargeWritesOnManyConnectionsLandIntact() throws Exception {
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            BlockReference block = block(256 * writer, MIB);
            long seed = writer;
            RawClient client = client();
            writers.add(
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    for (int i = 0; i < 20; i++) {
                                        client.write(block, 0, bytes(MIB, seed + 10L * i))
                                                .success();
                                    }
                                } catch (IOException e) {
                                    throw new AssertionError(e);
                                }
                            }));
        }
        for (int writer = 0; writer < 4; writer++) {
            writers.get(writer).get(40, SECONDS);
            assertThat(segment.data((long) writer * MIB, MIB))
                    .isEqualTo(ByteBuffer.wrap(bytes(MIB, writer + 190)));
        }
    }

    @Test
    void frameSizesOfAllKindsArriveByteByByte() throws IOException {
        RawClient client = client();
        byte[] frame =
                RawClient.frame(
                        new Write.Request(block(0, 4096), 5, new int[] {1}), 50, bytes(300, 4));
        for (byte one : frame) {
            client.sendRaw(new byte[] {one});
        }
        assertThat(client.receive().success().requestId()).isEqualTo(50);
        assertThat(segment.data(5, 300)).isEqualTo(ByteBuffer.wrap(bytes(300, 4)));
        assertThat(segment.checksum(0)).isEqualTo(1);
    }

    @Test
    void aReferenceOfAnotherSessionIsDeniedAndTheConnectionClosed() throws IOException {
        BlockReference foreign = new Grants(KEY, 7, 100).block(0, 0, 4096, segment.incarnation());
        RawClient reader = client();
        assertThat(reader.read(foreign, 0, 4096, 0).status())
                .isEqualTo(ErrorCode.ACCESS_DENIED.wire());
        assertThat(reader.isClosedByServer()).isTrue();
        RawClient writer = client();
        writer.sendRaw(
                RawClient.frame(new Write.Request(foreign, 0, new int[0]), 9, bytes(4096, 1)));
        assertThat(writer.receive().status()).isEqualTo(ErrorCode.ACCESS_DENIED.wire());
        assertThat(writer.isClosedByServer()).isTrue();
        assertThat(segment.data(0, 4096)).isEqualTo(ByteBuffer.allocate(4096));
        assertServesOthers();
    }

    @Test
    void everyAlteredFieldOfAReferenceIsDenied() throws IOException {
        BlockReference good = block(0, 4096);
        List<BlockReference> forged =
                List.of(
                        with(good, 8, 0, 0, 4096, 0, good.generation(), ALL),
                        with(good, 7, 1, 0, 4096, 0, good.generation(), ALL),
                        with(good, 7, 0, 4096, 4096, 0, good.generation(), ALL),
                        with(good, 7, 0, 0, 8192, 0, good.generation(), ALL),
                        with(good, 7, 0, 0, 4096, 1, good.generation(), ALL),
                        with(good, 7, 0, 0, 4096, 0, good.generation() + 1, ALL),
                        with(good, 7, 0, 0, 4096, 0, good.generation(), ALL + 4));
        for (BlockReference reference : forged) {
            assertThatThrownBy(() -> client().read(reference, 0, 1, 0).success())
                    .as("%s", reference)
                    .isInstanceOf(AccessDeniedException.class);
        }
    }

    private static BlockReference with(
            BlockReference sealed,
            int server,
            int segment,
            long offset,
            int length,
            int record,
            long generation,
            int rights) {
        return new BlockReference(
                server, segment, offset, length, record, generation, sealed.key(), rights);
    }

    @Test
    void rightsAreChecked() throws IOException {
        long generation = segment.generation(0);
        assertThatThrownBy(
                        () ->
                                client().write(
                                                GRANTS.block(
                                                        0,
                                                        0,
                                                        4096,
                                                        generation,
                                                        BlockReference.READ),
                                                0,
                                                bytes(10, 1))
                                        .success())
                .isInstanceOf(AccessDeniedException.class);
        assertThatThrownBy(
                        () ->
                                client().read(
                                                GRANTS.block(
                                                        0,
                                                        0,
                                                        4096,
                                                        generation,
                                                        BlockReference.WRITE),
                                                0,
                                                10,
                                                0)
                                        .success())
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void sealedNonsenseTouchesNothing() throws IOException {
        RawClient client = client();
        long generation = segment.generation(0);
        BlockReference beyond = GRANTS.block(0, 1023, 8192, segment.incarnation());
        assertThatThrownBy(() -> client.read(beyond, 0, 1, 0).success())
                .isInstanceOf(ProtocolException.class);
        BlockReference twisted = GRANTS.block(0, 8192, 0, 4096, generation, ALL);
        assertThatThrownBy(() -> client.read(twisted, 0, 1, 0).success())
                .isInstanceOf(ProtocolException.class);
        BlockReference nowhere = GRANTS.block(5, 0, 4096, segment.incarnation());
        assertThatThrownBy(() -> client.read(nowhere, 0, 1, 0).success())
                .isInstanceOf(StaleReferenceException.class);
        assertThat(client.ping().status()).isZero();
    }

    @Test
    void rangesOutsideOfTheBlockAreRefusedAndTheConnectionGoesOn() throws IOException {
        RawClient client = client();
        BlockReference block = block(0, 4096);
        for (int[] range : new int[][] {{0, 4097}, {4096, 1}, {1, 4096}, {0, 0}, {9, 1 << 30}}) {
            assertThatThrownBy(() -> client.read(block, range[0], range[1], 0).success())
                    .isInstanceOf(InvalidArgumentException.class);
        }
        assertThatThrownBy(() -> client.write(block, 1, bytes(4096, 1)).success())
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> client.write(block, 0, bytes(MIB, 1)).success())
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> client.write(block, 0, NOTHING).success())
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> client.write(block, 0, bytes(100, 1), 1, 2).success())
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(segment.data(0, MIB)).isEqualTo(ByteBuffer.allocate(MIB));
        assertThat(client.ping().status()).isZero();
    }

    @Test
    void staleGenerationsAreRefusedAndTheConnectionGoesOn() throws IOException {
        RawClient client = client();
        BlockReference stale = block(0, 4096);
        table.revoke(0, stale.generation(), next -> {});
        assertThatThrownBy(() -> client.read(stale, 0, 4096, 0).success())
                .isInstanceOf(StaleReferenceException.class);
        assertThatThrownBy(() -> client.write(stale, 0, bytes(4096, 1)).success())
                .isInstanceOf(StaleReferenceException.class);
        assertThat(segment.data(0, 4096)).isEqualTo(ByteBuffer.allocate(4096));
        assertThat(client.ping().status()).isZero();
    }

    @Test
    void aRevocationWaitsForAWriteThatHasBegun() throws Exception {
        RawClient client = client();
        BlockReference block = block(0, MIB);
        byte[] frame = RawClient.frame(new Write.Request(block, 0, new int[256]), 9, bytes(MIB, 1));
        client.sendRaw(Arrays.copyOf(frame, frame.length - 1));
        await().until(() -> service.statistics().inFlight() == 1);
        CompletableFuture<Long> freed = new CompletableFuture<>();
        table.revoke(0, block.generation(), freed::complete);
        assertThat(freed).isNotDone();
        assertThat(client().read(block, 0, 1, 0).status())
                .isEqualTo(ErrorCode.STALE_REFERENCE.wire());
        client.sendRaw(new byte[] {frame[frame.length - 1]});
        assertThat(freed.get(60, SECONDS)).isEqualTo(Generation.of(segment.incarnation(), 2));
        assertThat(client.receive().status()).isEqualTo(ErrorCode.STALE_REFERENCE.wire());
        await().until(() -> service.statistics().inFlight() == 0);
    }

    @Test
    void aConnectionThatHoldsARevokedBlockIsClosed() throws Exception {
        RawClient writer = client();
        BlockReference block = block(0, MIB);
        byte[] frame = RawClient.frame(new Write.Request(block, 0, new int[256]), 9, bytes(MIB, 1));
        writer.sendRaw(Arrays.copyOf(frame, 1000));
        writer.sendRaw(Arrays.copyOfRange(frame, 1000, 100_000));
        await().until(() -> service.statistics().inFlight() == 1);
        RawClient other = client();
        CompletableFuture<Long> freed = new CompletableFuture<>();
        table.revoke(0, block.generation(), freed::complete);
        service.closeHolders(table, 0, block.generation());
        assertThat(freed.get(60, SECONDS)).isEqualTo(Generation.of(segment.incarnation(), 2));
        assertThat(writer.isClosedByServer()).isTrue();
        assertThat(other.ping().status()).isZero();
    }

    @Test
    void aReaderThatTakesNothingHoldsItsBlocksUntilItIsClosed() throws Exception {
        RawClient reader = new RawClient(service.port(), 4096);
        clients.add(reader);
        reader.hello(GRANTS.session(), GRANTS.ticket()).success();
        BlockReference block = block(0, MIB);
        for (int i = 0; i < 50; i++) {
            reader.send(new Read.Request(block, 0, MIB, 0), NOTHING);
        }
        await().until(() -> service.statistics().inFlight() > 0);
        // Far less than was asked for waits in the server.
        assertThat(service.statistics().bytesRead()).isLessThan(25L * MIB);
        CompletableFuture<Long> freed = new CompletableFuture<>();
        table.revoke(0, block.generation(), freed::complete);
        assertThat(freed).isNotDone();
        service.closeHolders(table, 0, block.generation());
        freed.get(60, SECONDS);
        await().until(() -> service.statistics().inFlight() == 0);
        assertServesOthers();
    }

    @Test
    void aReaderThatWasSlowGetsAllItAskedFor() throws IOException {
        RawClient reader = client();
        byte[] data = bytes(MIB, 1);
        reader.write(block(0, MIB), 0, data).success();
        for (int i = 0; i < 40; i++) {
            reader.send(new Read.Request(block(0, MIB), 0, MIB, 0), NOTHING);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(reader.receive().success().payload()).isEqualTo(data);
        }
        assertThat(reader.ping().status()).isZero();
    }

    @Test
    void aReaderThatTakesNothingIsDropped() throws IOException {
        start(new ServiceLimits(100, LONG, LONG, SHORT, LONG));
        RawClient reader = new RawClient(service.port(), 4096);
        clients.add(reader);
        reader.hello(GRANTS.session(), GRANTS.ticket()).success();
        byte[] request = RawClient.frame(new Read.Request(block(0, MIB), 0, MIB, 0), 1, NOTHING);
        ByteBuffer requests = ByteBuffer.allocate(50 * request.length);
        while (requests.hasRemaining()) {
            requests.put(request);
        }
        reader.sendRaw(requests.array()); // At once: none is sent after it was dropped.
        await().until(() -> service.statistics().connections() == 0);
        await().until(() -> service.statistics().inFlight() == 0);
    }

    @Test
    void aStrayHttpRequestClosesItsConnectionOnly() throws IOException {
        RawClient good = client();
        for (String request :
                List.of(
                        "GET / HTTP/1.1\r\n\r\n",
                        "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
                        "HELP")) {
            RawClient stray = stranger();
            stray.sendRaw(request.getBytes(StandardCharsets.US_ASCII));
            assertThat(stray.isClosedByServer()).isTrue();
        }
        assertThat(good.ping().status()).isZero();
    }

    @Test
    void malformedFramesCloseTheirConnectionOnly() throws IOException {
        RawClient good = client();
        List<byte[]> malformed = new ArrayList<>();
        for (int length : new int[] {0, 47, -1, Integer.MAX_VALUE, ConnectionInput.MAX_FRAME + 1}) {
            malformed.add(patched(FrameHeader.LENGTH, length));
        }
        for (int control : new int[] {-1, 1, Integer.MAX_VALUE}) {
            malformed.add(patched(FrameHeader.CONTROL_LENGTH, control));
        }
        malformed.add(patched(FrameHeader.VERSION, 0x00200002 | (2 << 16)));
        for (byte[] frame : malformed) {
            RawClient bad = client();
            bad.sendRaw(frame);
            assertThat(bad.isClosedByServer()).isTrue();
        }
        assertThat(good.ping().status()).isZero();
    }

    private static byte[] patched(int at, int value) {
        byte[] frame = RawClient.frame(new Ping.Request(), 1, NOTHING);
        ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
        return frame;
    }

    @Test
    void anUnknownRequestIsAnsweredAndTheConnectionGoesOn() throws IOException {
        RawClient client = client();
        client.sendRaw(RawClient.frame(new Ping.Request(), 250, 5, bytes(5000, 1)));
        assertThat(client.receive().status()).isEqualTo(ErrorCode.PROTOCOL.wire());
        assertThat(client.ping().status()).isZero();
    }

    @Test
    void randomBytesNeverDisturbOthers() throws IOException {
        RawClient good = client();
        Random random = new Random(5);
        for (int round = 0; round < 100; round++) {
            RawClient bad = round % 2 == 0 ? stranger() : client();
            byte[] noise = bytes(1 + random.nextInt(300), round);
            if (round % 3 == 0) {
                noise = RawClient.frame(new Read.Request(block(0, 4096), 0, 4096, 1), 1, NOTHING);
                noise[random.nextInt(noise.length)] ^= (byte) (1 << random.nextInt(8));
            }
            bad.sendRaw(noise);
            bad.close();
        }
        assertThat(good.ping().status()).isZero();
        await().until(() -> service.statistics().connections() == 1);
        await().until(() -> service.statistics().inFlight() == 0);
    }

    @Test
    void aClientThatStallsWithinAFrameIsDropped() throws IOException {
        start(new ServiceLimits(100, LONG, SHORT, LONG, LONG));
        RawClient idle = client();
        RawClient inHeader = client();
        inHeader.sendRaw(new byte[] {105, 0, 0, 0});
        RawClient inPayload = client();
        byte[] frame =
                RawClient.frame(new Write.Request(block(0, MIB), 0, new int[0]), 9, bytes(MIB, 1));
        inPayload.sendRaw(Arrays.copyOf(frame, 50_000));
        assertThat(inHeader.isClosedByServer()).isTrue();
        assertThat(inPayload.isClosedByServer()).isTrue();
        assertThat(idle.ping().status()).isZero();
        await().until(() -> service.statistics().inFlight() == 0);
    }

    @Test
    void aClientThatSaysNothingIsDropped() throws IOException {
        start(new ServiceLimits(100, SHORT, LONG, LONG, LONG));
        RawClient good = clientInTime();
        assertThat(stranger().isClosedByServer()).isTrue();
        assertThat(good.ping().status()).isZero();
    }

    /** A client whose hello came before the server's short patience ended. */
    private RawClient clientInTime() {
        return await().ignoreExceptionsInstanceOf(IOException.class)
                .until(this::client, client -> true);
    }

    @Test
    void aKilledWriterLeavesNothingHeld() throws IOException {
        RawClient writer = client();
        byte[] frame =
                RawClient.frame(new Write.Request(block(0, MIB), 0, new int[0]), 9, bytes(MIB, 1));
        writer.sendRaw(Arrays.copyOf(frame, 50_000));
        await().until(() -> service.statistics().inFlight() == 1);
        writer.reset();
        await().until(() -> service.statistics().inFlight() == 0);
        await().until(() -> service.statistics().connections() == 0);
        assertServesOthers();
    }

    @Test
    void aHalfClosedClientGetsItsAnswers() throws IOException {
        RawClient client = client();
        byte[] data = bytes(MIB, 1);
        client.send(new Write.Request(block(0, MIB), 0, new int[0]), data);
        for (int i = 0; i < 8; i++) {
            client.send(new Read.Request(block(0, MIB), 0, MIB, 0), NOTHING);
        }
        client.shutdownOutput();
        client.receive().success();
        for (int i = 0; i < 8; i++) {
            assertThat(client.receive().success().payload()).isEqualTo(data);
        }
        assertThat(client.isClosedByServer()).isTrue();
        await().until(() -> service.statistics().connections() == 0);
    }

    @Test
    void aClientHalfClosedWithinAFrameIsClosed() throws IOException {
        RawClient client = client();
        client.sendRaw(new byte[] {105, 0, 0, 0, 1});
        client.shutdownOutput();
        assertThat(client.isClosedByServer()).isTrue();
    }

    @Test
    void connectionsBeyondTheLimitAreTurnedAway() throws IOException {
        start(new ServiceLimits(2, LONG, LONG, LONG, LONG));
        RawClient one = client();
        RawClient two = client();
        assertThat(stranger().isClosedByServer()).isTrue();
        two.close();
        await().until(() -> service.statistics().connections() == 1);
        assertThat(client().ping().status()).isZero();
        assertThat(one.ping().status()).isZero();
    }

    @Test
    void aNewSealEndsWhatWasSealedUnderTheOldOne() throws IOException {
        RawClient old = client();
        byte[] key = KEY.clone();
        key[0]++;
        service.admit(new Admission(TestSegments.CLUSTER, 7, key, 6));
        assertThat(old.isClosedByServer()).isTrue();
        assertThatThrownBy(() -> stranger().hello(GRANTS.session(), GRANTS.ticket()).success())
                .isInstanceOf(AccessDeniedException.class);
        Grants renewed = new Grants(key, 7, 99);
        RawClient client = stranger();
        client.hello(renewed.session(), renewed.ticket()).success();
        client.read(renewed.block(0, 0, 4096, segment.incarnation()), 0, 4096, 0).success();
    }

    @Test
    void theSameSealLeavesConnectionsAlone() throws IOException {
        RawClient client = client();
        service.admit(new Admission(TestSegments.CLUSTER, 7, KEY, 6));
        assertThat(client.ping().status()).isZero();
    }
}
