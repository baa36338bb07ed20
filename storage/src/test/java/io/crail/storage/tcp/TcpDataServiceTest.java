// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Ping;
import io.crail.protocol.message.Read;
import io.crail.protocol.message.Write;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.TestSegments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What honest clients get over the data path. */
abstract class TcpDataServiceTest extends DataServiceFixture {
    TcpDataServiceTest(String transport) {
        super(transport);
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
    void checksumsAreReadWithoutTheirBytes() throws IOException {
        RawClient client = client();
        int[] checksums = new Random(4).ints(256).toArray();
        client.write(block(256, MIB), 0, bytes(MIB, 1), checksums).success();
        int flags = Read.CHECKSUMS | Read.NO_BYTES;
        RawClient.Answer answer = client.read(block(256, MIB), 8192, 40_960, flags).success();
        assertThat(answer.payload()).isEmpty();
        assertThat(answer.checksums()).isEqualTo(Arrays.copyOfRange(checksums, 2, 12));
        assertThat(service.statistics().bytesRead()).isZero();
        assertThat(service.statistics().inFlight()).isZero();
        assertThatThrownBy(() -> client.read(block(256, MIB), 1, 4096, flags).success())
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(client.read(block(256, MIB), 0, MIB, 0).success().payload()).hasSize(MIB);
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
}
