// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.target.backing.MediumHook.Access;
import io.crail.nvmf.target.host.Completion;
import io.crail.nvmf.target.host.Pdu;
import io.crail.nvmf.target.host.RawConnection;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestHost.Options;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.target.status.CommandKind;
import io.crail.nvmf.target.status.CommandStatistics;
import io.crail.nvmf.wire.LittleEndian;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.SglDescriptor;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.pdu.FatalErrorStatus;
import io.crail.nvmf.wire.pdu.InitializeRequest;
import io.crail.nvmf.wire.pdu.PduHeader;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.pdu.ReadyToTransfer;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What peers send piecemeal, wrongly, too much of, or not at all. */
class TransportTest {
    private static final int BLOCK = 4096;

    @TempDir Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (int index = open.size() - 1; index >= 0; index--) {
            open.get(index).close();
        }
    }

    private TestTarget target(UnaryOperator<TargetConfigBuilder> options) throws IOException {
        TestTarget target = new TestTarget(directory, BLOCK, options);
        open.add(target);
        return target;
    }

    private TestHost host(TestTarget target, Options options) throws IOException {
        TestHost host = TestHost.withQueue(target.address(), UUID.randomUUID(), options);
        open.add(host);
        return host;
    }

    private RawConnection raw(TestTarget target) throws IOException {
        RawConnection connection = new RawConnection(target.address());
        open.add(connection);
        return connection;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void takesPdusInPiecesOfAnyLength(boolean digests) throws IOException {
        TestHost host = host(target(each -> each), Options.PLAIN.withDigests(digests, digests));
        TestQueue queue = host.queue();
        byte[] data = TestTarget.random(1, BLOCK);
        ByteBuffer entry = host.block(IoOpcode.WRITE, 3, 1);
        SglDescriptor.encodeInCapsule(entry, SubmissionEntry.SGL, BLOCK);
        byte[] capsule = queue.connection().capsule(entry, data);
        for (int split = 1; split < 90; split++) {
            queue.connection().sendBytes(Arrays.copyOf(capsule, split));
            queue.connection().sendBytes(Arrays.copyOfRange(capsule, split, capsule.length));
            queue.completion().expectSuccess();
        }
        for (byte each : capsule) {
            queue.connection().sendBytes(new byte[] {each});
        }
        queue.completion().expectSuccess();
        assertThat(host.read(3, 1, BLOCK).expectSuccess().data()).isEqualTo(data);
    }

    @Test
    void takesManyPdusInOnePiece() throws IOException {
        TestHost host = host(target(each -> each), Options.PLAIN);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int block = 0; block < 20; block++) {
            ByteBuffer entry = host.block(IoOpcode.WRITE, block, 1);
            SglDescriptor.encodeInCapsule(entry, SubmissionEntry.SGL, BLOCK);
            byte[] data = new byte[BLOCK];
            Arrays.fill(data, (byte) block);
            all.writeBytes(host.queue().connection().capsule(entry, data));
        }
        host.queue().connection().sendBytes(all.toByteArray());
        for (int block = 0; block < 20; block++) {
            host.queue().completion().expectSuccess();
        }
        for (int block = 0; block < 20; block++) {
            assertThat(host.read(block, 1, BLOCK).expectSuccess().data())
                    .containsOnly((byte) block);
        }
    }

    private static int field(Pdu terminated) {
        return LittleEndian.i32(terminated.header(), 10);
    }

    @Test
    void terminatesWhatDoesNotBeginWithIcReq() throws IOException {
        TestTarget target = target(each -> each);
        RawConnection connection = raw(target);
        connection.sendBytes(connection.capsule(TestQueue.entry(), new byte[0]));
        assertThat(new TestQueue(connection).terminated())
                .isEqualTo(FatalErrorStatus.SEQUENCE_ERROR.code());
        assertThat(connection.isAtEnd()).isTrue();
        await().until(() -> target.target().statistics().protocolErrors() == 1);
    }

    @Test
    void terminatesASecondIcReqAndWrongVersions() throws IOException {
        TestTarget target = target(each -> each);
        RawConnection twice = raw(target);
        twice.initialize(false, false, 0);
        twice.sendBytes(RawConnection.initializeRequest(false, false, 0));
        assertThat(new TestQueue(twice).terminated())
                .isEqualTo(FatalErrorStatus.SEQUENCE_ERROR.code());

        RawConnection version = raw(target);
        byte[] request = RawConnection.initializeRequest(false, false, 0);
        request[InitializeRequest.FORMAT_VERSION] = 1;
        version.sendBytes(request);
        Pdu answer = version.receive();
        assertThat(answer.type()).isEqualTo(PduType.C2H_TERM_REQ);
        assertThat(answer.header().getShort(8))
                .isEqualTo(
                        Short.reverseBytes((short) FatalErrorStatus.UNSUPPORTED_PARAMETER.code()));
        assertThat(field(answer)).isEqualTo(InitializeRequest.FORMAT_VERSION);
    }

    @Test
    void terminatesOverlongPdusWithoutTakingMemoryForThem() throws IOException {
        TestTarget target = target(each -> each);
        TestHost host = host(target, Options.PLAIN);
        byte[] capsule =
                host.queue().connection().capsule(host.block(IoOpcode.FLUSH, 0, 1), new byte[0]);
        LittleEndian.i32(ByteBuffer.wrap(capsule), PduHeader.PDU_LENGTH, 0x7FFF_FFFF);
        host.queue().connection().sendBytes(capsule);
        assertThat(host.queue().terminated())
                .isEqualTo(FatalErrorStatus.INVALID_HEADER_FIELD.code());
        assertThat(target.target().statistics().dataBytesPeak()).isLessThan(1 << 20);
    }

    @Test
    void terminatesCapsulesWithMoreDataThanAllowed() throws IOException {
        TestHost host = host(target(each -> each), Options.PLAIN);
        host.queue().startWrite(host.block(IoOpcode.WRITE, 0, 5), new byte[5 * BLOCK], true);
        assertThat(host.queue().terminated())
                .isEqualTo(FatalErrorStatus.INVALID_HEADER_FIELD.code());
    }

    @Test
    void terminatesAWrongHeaderDigest() throws IOException {
        TestTarget target = target(each -> each);
        TestHost host = host(target, Options.PLAIN.withDigests(true, false));
        byte[] capsule =
                host.queue().connection().capsule(host.block(IoOpcode.FLUSH, 0, 1), new byte[0]);
        capsule[20] ^= 1;
        host.queue().connection().sendBytes(capsule);
        assertThat(host.queue().terminated())
                .isEqualTo(FatalErrorStatus.HEADER_DIGEST_ERROR.code());
        await().until(() -> target.target().statistics().digestErrors() == 1);
    }

    @Test
    void aWrongDataDigestFailsTheCommandAndNothingIsWritten() throws IOException {
        TestTarget target = target(each -> each);
        TestHost host = host(target, Options.PLAIN.withDigests(false, true));
        ByteBuffer entry = host.block(IoOpcode.WRITE, 3, 1);
        SglDescriptor.encodeInCapsule(entry, SubmissionEntry.SGL, BLOCK);
        byte[] capsule = host.queue().connection().capsule(entry, TestTarget.random(1, BLOCK));
        capsule[200] ^= 1;
        host.queue().connection().sendBytes(capsule);
        host.queue().completion().expect(StatusCode.TRANSIENT_TRANSPORT_ERROR);
        assertThat(target.fileBytes(3 * BLOCK, BLOCK)).containsOnly(0);
        assertThat(target.target().statistics().digestErrors()).isEqualTo(1);

        byte[] good = TestTarget.random(2, 64 * BLOCK);
        ByteBuffer large = host.block(IoOpcode.WRITE, 8, 64);
        SglDescriptor.encodeTransport(large, SubmissionEntry.SGL, good.length);
        RawConnection connection = host.queue().connection();
        connection.sendBytes(connection.capsule(large, new byte[0]));
        Pdu asked = connection.receive();
        int tag = ReadyToTransfer.transferTag(asked.header(), 0);
        int id = SubmissionEntry.commandId(large, 0);
        byte[] damaged = connection.data(id, tag, good, 0, 32 * BLOCK, false);
        damaged[5000] ^= 1;
        connection.sendBytes(damaged);
        connection.sendBytes(connection.data(id, tag, good, 32 * BLOCK, 32 * BLOCK, true));
        host.queue().completion().expect(StatusCode.TRANSIENT_TRANSPORT_ERROR);
        assertThat(target.fileBytes(8 * BLOCK, 64 * BLOCK)).containsOnly(0);
        host.write(8, 64, good, false).expectSuccess();
    }

    @Test
    void terminatesDataThatNobodyAskedForOrOutOfPlace() throws IOException {
        TestTarget target = target(each -> each);
        byte[] data = new byte[32 * BLOCK];
        TestHost uncalled = host(target, Options.PLAIN);
        uncalled.queue()
                .connection()
                .sendBytes(uncalled.queue().connection().data(5, 0, data, 0, BLOCK, true));
        assertThat(uncalled.queue().terminated())
                .isEqualTo(FatalErrorStatus.INVALID_HEADER_FIELD.code());

        for (int[] range : new int[][] {{BLOCK, BLOCK}, {0, 32 * BLOCK}}) {
            TestHost host = host(target, Options.PLAIN);
            RawConnection connection = host.queue().connection();
            ByteBuffer entry = host.block(IoOpcode.WRITE, 0, 16);
            SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, 16 * BLOCK);
            connection.sendBytes(connection.capsule(entry, new byte[0]));
            int tag = ReadyToTransfer.transferTag(connection.receive().header(), 0);
            connection.sendBytes(
                    connection.data(
                            SubmissionEntry.commandId(entry, 0),
                            tag,
                            data,
                            range[0],
                            range[1],
                            false));
            assertThat(host.queue().terminated())
                    .isEqualTo(FatalErrorStatus.DATA_OUT_OF_RANGE.code());
        }
        await().until(() -> target.target().statistics().dataBytes() == 0);
    }

    @Test
    void terminatesAHostWithMoreCommandsThanItsQueueHolds() throws Exception {
        TestTarget target = target(each -> each);
        TestHost host = host(target, Options.PLAIN);
        Stall stall = new Stall(Access.FLUSH);
        target.hook(stall);
        ByteBuffer flush = TestQueue.entry();
        BlockCommand.encodeFlush(flush, 0, host.queue().nextId(), 1);
        RawConnection connection = host.queue().connection();
        connection.sendBytes(connection.capsule(flush, new byte[0]));
        stall.awaitStalled();
        // Writes that wait for their data fill the queue, and do not end by themselves.
        for (int index = 1; index < 33; index++) {
            ByteBuffer entry = host.block(IoOpcode.WRITE, 0, 8);
            SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, 8 * BLOCK);
            connection.sendBytes(connection.capsule(entry, new byte[0]));
        }
        PduType last = PduType.R2T;
        int asked = 0;
        while (last == PduType.R2T) {
            last = connection.receive().type();
            asked++;
        }
        assertThat(last).isEqualTo(PduType.C2H_TERM_REQ);
        assertThat(asked).isLessThanOrEqualTo(32);
        stall.release();
        await().until(() -> target.target().statistics().dataBytes() == 0);
    }

    @Test
    void refusesMoreConnectionsThanAllowedAndTakesOthersLater() throws IOException {
        TestTarget target = target(each -> each.maxConnections(4));
        List<RawConnection> four = new ArrayList<>();
        for (int index = 0; index < 4; index++) {
            RawConnection connection = raw(target);
            connection.initialize(false, false, 0);
            four.add(connection);
        }
        assertThat(raw(target).isAtEnd()).isTrue();
        assertThat(target.target().statistics().connectionsRefused()).isEqualTo(1);
        four.get(0).close();
        await().until(() -> target.target().statistics().connections() == 3);
        raw(target).initialize(false, false, 0);
    }

    @Test
    void refusesMoreControllersThanAllowed() throws IOException {
        TestTarget target = target(each -> each.maxControllers(1));
        host(target, Options.PLAIN);
        UUID other = UUID.randomUUID();
        TestQueue queue = new TestQueue(raw(target));
        queue.connection().initialize(false, false, 0);
        queue.connect(
                        0,
                        32,
                        0,
                        0,
                        other,
                        ConnectData.ANY_CONTROLLER,
                        TestHost.SUBSYSTEM,
                        TestHost.nqn(other))
                .expect(StatusCode.CONNECT_CONTROLLER_BUSY);
    }

    @Test
    void refusesConnectsThatItCannotServe() throws IOException {
        TestTarget target = target(each -> each);
        UUID id = UUID.randomUUID();
        TestQueue queue = new TestQueue(raw(target));
        queue.connection().initialize(false, false, 0);
        String nqn = TestHost.nqn(id);
        int any = ConnectData.ANY_CONTROLLER;
        Completion subsystem = queue.connect(0, 32, 0, 0, id, any, "nqn.2026-11.io.crail:x", nqn);
        assertThat(subsystem.expectFinal(StatusCode.CONNECT_INVALID_PARAMETERS).result())
                .isEqualTo(1 << 16 | 256);
        Completion entries = queue.connect(0, 129, 0, 0, id, any, TestHost.SUBSYSTEM, nqn);
        assertThat(entries.expectFinal(StatusCode.CONNECT_INVALID_PARAMETERS).result())
                .isEqualTo(44);
        Completion controller = queue.connect(0, 32, 0, 0, id, 1, TestHost.SUBSYSTEM, nqn);
        assertThat(controller.expectFinal(StatusCode.CONNECT_INVALID_PARAMETERS).result())
                .isEqualTo(1 << 16 | 16);
        Completion io = queue.connect(1, 32, 0, 0, id, 77, TestHost.SUBSYSTEM, nqn);
        assertThat(io.expectFinal(StatusCode.CONNECT_INVALID_PARAMETERS).result())
                .isEqualTo(1 << 16 | 16);
        Completion host = queue.connect(0, 32, 0, 0, id, any, TestHost.SUBSYSTEM, "me");
        assertThat(host.expectFinal(StatusCode.CONNECT_INVALID_PARAMETERS).result())
                .isEqualTo(1 << 16 | 512);
        ByteBuffer other = TestQueue.entry();
        BlockCommand.encodeFlush(other, 0, 9, 1);
        queue.plain(other).expectFinal(StatusCode.COMMAND_SEQUENCE_ERROR);
        queue.connect(0, 32, 0, 0, id, any, TestHost.SUBSYSTEM, nqn).expectSuccess();
    }

    @Test
    void closesConnectionsThatNeverBecomeQueues() throws IOException {
        TestTarget target = target(each -> each);
        RawConnection silent = raw(target);
        RawConnection half = raw(target);
        half.sendBytes(new byte[] {0, 0, (byte) 128});
        RawConnection initialized = raw(target);
        initialized.initialize(false, false, 0);
        await().until(() -> target.target().statistics().connections() == 3);
        target.moveClock(TimeUnit.SECONDS.toNanos(11));
        assertThat(silent.isAtEnd()).isTrue();
        assertThat(half.isAtEnd()).isTrue();
        assertThat(initialized.isAtEnd()).isTrue();
        await().until(() -> target.target().statistics().connections() == 0);
    }

    @Test
    void closesAHostThatOwesDataForTooLongAndNotOneThatIsIdle() throws IOException {
        TestTarget target = target(each -> each);
        TestHost idle = host(target, Options.PLAIN);
        TestHost owing = host(target, Options.PLAIN);
        ByteBuffer entry = owing.block(IoOpcode.WRITE, 0, 16);
        SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, 16 * BLOCK);
        RawConnection connection = owing.queue().connection();
        connection.sendBytes(connection.capsule(entry, new byte[0]));
        assertThat(connection.receive().type()).isEqualTo(PduType.R2T);
        assertThat(target.target().statistics().dataBytes()).isPositive();
        await().until(
                        () -> {
                            target.moveClock(TimeUnit.SECONDS.toNanos(5));
                            return target.target().statistics().dataBytes() == 0;
                        });
        assertThat(connection.isAtEnd()).isTrue();
        idle.flush().expectSuccess();
    }

    @Test
    void endsAnAssociationWhoseHostIsSilent() throws IOException {
        TestTarget target = target(each -> each);
        TestHost kept = host(target, Options.PLAIN);
        TestHost silent = host(target, Options.PLAIN.withKeepAlive(5000));
        target.moveClock(TimeUnit.MILLISECONDS.toNanos(4900));
        silent.flush().expectSuccess();
        await().until(
                        () -> {
                            target.moveClock(TimeUnit.MILLISECONDS.toNanos(500));
                            return target.target().statistics().keepAlivesExpired() == 1;
                        });
        assertThat(silent.queue().connection().isAtEnd()).isTrue();
        assertThat(silent.admin().connection().isAtEnd()).isTrue();
        kept.flush().expectSuccess();
        assertThat(target.target().statistics().controllers()).isEqualTo(1);
    }

    @Test
    void commandsWaitForMemoryAndAllGetTheirTurn() throws Exception {
        TestTarget target = target(each -> each.dataMemoryBytes(4 << 20));
        byte[] large = TestTarget.random(5, 1 << 20);
        byte[] small = TestTarget.random(6, BLOCK);
        List<CompletableFuture<Void>> hosts = new ArrayList<>();
        for (int index = 0; index < 3; index++) {
            TestHost host = host(target, Options.PLAIN);
            hosts.add(CompletableFuture.runAsync(() -> useMuch(host, large, small)));
        }
        for (CompletableFuture<Void> each : hosts) {
            each.get(100, TimeUnit.SECONDS);
        }
        assertThat(target.target().statistics().dataWaits()).isPositive();
        assertThat(target.target().statistics().dataBytesPeak()).isLessThanOrEqualTo(4 << 20);
        await().until(() -> target.target().statistics().dataBytes() == 0);
        assertThat(target.fileBytes(1 << 20, 1 << 20)).isEqualTo(large);
    }

    /** Grants to writes take all memory; the data for them comes behind data in capsules. */
    private static void useMuch(TestHost host, byte[] large, byte[] small) {
        try {
            for (int index = 0; index < 8; index++) {
                host.queue().startWrite(host.block(IoOpcode.WRITE, 256, 256), large, false);
            }
            for (int index = 0; index < 8; index++) {
                host.queue().startWrite(host.block(IoOpcode.WRITE, index, 1), small, true);
            }
            for (int index = 0; index < 8; index++) {
                host.queue().startRead(host.block(IoOpcode.READ, 512, 256), 1 << 20);
            }
            for (int index = 0; index < 24; index++) {
                host.queue().completion().expectSuccess();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** It asks to write all the memory there is, and sends nothing. */
    @Test
    void aHostThatOwesDataLeavesMemoryToTheOthers() throws IOException {
        TestTarget target = target(each -> each.dataMemoryBytes(4 << 20));
        byte[] large = TestTarget.random(7, 1 << 20);
        TestHost greedy = host(target, Options.PLAIN);
        for (int index = 0; index < 16; index++) {
            ByteBuffer entry = greedy.block(IoOpcode.WRITE, 0, 256);
            SglDescriptor.encodeTransport(entry, SubmissionEntry.SGL, 1 << 20);
            greedy.queue()
                    .connection()
                    .sendBytes(greedy.queue().connection().capsule(entry, new byte[0]));
        }
        await().until(() -> target.target().statistics().dataWaits() > 0);
        assertThat(target.target().statistics().dataBytes()).isEqualTo(2 << 20);
        TestHost other = host(target, Options.PLAIN);
        for (int index = 1; index < 4; index++) {
            other.write(256L * index, 256, large, false).expectSuccess();
            assertThat(other.read(256L * index, 256, BLOCK).expectSuccess().data())
                    .isEqualTo(large);
        }
        // What it was sent leaves the pool when the socket has taken it.
        await().until(() -> target.target().statistics().dataBytes() == 2 << 20);
    }

    @Test
    void aHostThatTakesNothingCostsItsBuffersOnlyUntilItIsClosed() throws IOException {
        TestTarget target = target(each -> each);
        TestHost host = host(target, Options.PLAIN);
        for (int index = 0; index < 31; index++) {
            host.queue().startRead(host.block(IoOpcode.READ, 0, 256), 1 << 20);
        }
        await().until(() -> target.target().statistics().dataBytes() > 1 << 20);
        await().until(
                        () -> {
                            target.moveClock(TimeUnit.SECONDS.toNanos(5));
                            return target.target().statistics().dataBytes() == 0;
                        });
        await().until(() -> target.target().statistics().connections() == 1);
    }

    @Test
    void countsWhatHostsDo() throws IOException {
        TestTarget target = target(each -> each);
        TestHost host = host(target, Options.PLAIN);
        host.write(0, 2, new byte[2 * BLOCK], true).expectSuccess();
        host.read(0, 1, BLOCK).expectSuccess();
        host.read(-1, 1, BLOCK).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
        var statistics = target.target().statistics();
        assertThat(statistics.hosts()).hasSize(1);
        var counted = statistics.hosts().get(0);
        assertThat(counted.hostNqn()).isEqualTo(host.nqn());
        assertThat(counted.queues()).isEqualTo(2);
        assertThat(counted.depth()).isZero();
        var reads = counted.commands().get(CommandKind.READ);
        assertThat(reads).isEqualTo(new CommandStatistics(2, BLOCK, 1));
        assertThat(counted.commands().get(CommandKind.WRITE))
                .isEqualTo(new CommandStatistics(1, 2 * BLOCK, 0));
    }
}
