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
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.Read;
import io.crail.protocol.message.Write;
import io.crail.storage.spi.Admission;
import io.crail.storage.testing.Grants;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.TestSegments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What references, generations and seals allow and refuse on the data path. */
abstract class DataReferencesTest extends DataServiceFixture {
    DataReferencesTest(String transport) {
        super(transport);
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
    void whoTakesItForANamenodeIsToldWhatItIs() throws IOException {
        assertThatThrownBy(() -> stranger().hello(0, 0).success())
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("storage server 7, not a namenode");
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
        int sums = Read.CHECKSUMS | Read.NO_BYTES;
        assertThatThrownBy(() -> client.read(stale, 0, 4096, sums).success())
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
