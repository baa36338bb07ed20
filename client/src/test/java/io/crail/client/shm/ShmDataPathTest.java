// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.engine.Engine;
import io.crail.client.engine.EngineSettings;
import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.DataPeer;
import io.crail.error.BusyException;
import io.crail.error.ClosedException;
import io.crail.error.ServerLostException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.Attach;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One path, against a socket that answers as told. */
class ShmDataPathTest {
    private final AtomicLong skew = new AtomicLong();
    private final ClosedException closed = new ClosedException("the client is closed");

    @TempDir Path directory;
    private ServerMemory memory;
    private Engine engine;
    private final List<ShmDataPath> paths = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // Set before each test.
    ShmDataPathTest() {}

    @BeforeEach
    void open() throws IOException {
        memory = ServerMemory.create(directory);
        engine =
                new Engine(
                        new EngineSettings(
                                "test",
                                8 << 20,
                                TimeUnit.SECONDS.toNanos(20),
                                SocketChannel::open,
                                () -> System.nanoTime() + skew.get()));
        engine.retain();
    }

    @AfterEach
    void close() {
        paths.forEach(path -> path.close(closed));
        engine.release();
        engine.close();
        assertThat(SegmentMappings.count()).isZero();
    }

    private ShmDataPath path() {
        return path(directory.toString(), SessionLayout.DEFAULT_SLOTS);
    }

    private ShmDataPath path(String host, int slots) {
        DataPeer peer =
                new DataPeer(
                        1, host, 0, ServerMemory.CLUSTER, 9, 77, 1, "test", Credentials.NONE, 1);
        ShmDataPath path = new ShmDataPath(peer, engine, slots);
        paths.add(path);
        return path;
    }

    private static CompletableFuture<int[]> read(
            ShmDataPath path, BlockReference block, ByteBuffer target) {
        Transfers.Reading reading = new Transfers.Reading(block, 0, target, true);
        path.submit(reading);
        return reading.outcome.orTimeout(60, TimeUnit.SECONDS);
    }

    private static CompletableFuture<int[]> read(ShmDataPath path, BlockReference block) {
        return read(path, block, ByteBuffer.allocateDirect(ServerMemory.BLOCK));
    }

    private static CompletableFuture<BlockLoan> borrow(ShmDataPath path, BlockReference block) {
        Transfers.Borrowing borrowing =
                new Transfers.Borrowing(block, 0, ServerMemory.BLOCK, false);
        path.submit(borrowing);
        return borrowing.outcome.orTimeout(60, TimeUnit.SECONDS);
    }

    private static CompletableFuture<int[]> sums(ShmDataPath path, BlockReference block) {
        Transfers.Summing summing = new Transfers.Summing(block, 0, ServerMemory.BLOCK);
        path.submit(summing);
        return summing.outcome.orTimeout(60, TimeUnit.SECONDS);
    }

    private void assertDeclined(ShmDataPath path) throws IOException {
        assertThatThrownBy(read(path, memory.reference(0))::join)
                .hasCauseInstanceOf(Transfers.Declined.class);
        // For good, and at once.
        assertThatThrownBy(read(path, memory.reference(0))::join)
                .hasCauseInstanceOf(Transfers.Declined.class);
        assertThat(sessionFiles()).isEmpty();
    }

    private List<Path> sessionFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve(SessionLayout.DIRECTORY))) {
            return files.toList();
        }
    }

    /** Whether some process, this one for example, has locked the file. */
    private static boolean isLocked(Path file) throws IOException {
        // Not closed: that would drop the lock of the path in this process.
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        try {
            FileLock lock = channel.tryLock(0, 1, false);
            if (lock != null) {
                channel.close();
            }
            return lock == null;
        } catch (OverlappingFileLockException e) {
            return true;
        }
    }

    @Test
    void bytesAndChecksumsAreCopiedBothWays() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath path = path();
            BlockReference block = memory.reference(3);
            ByteBuffer target = ByteBuffer.allocateDirect(ServerMemory.BLOCK);
            assertThat(read(path, block, target).join()).isEqualTo(ServerMemory.checksums(block));
            assertThat(target).isEqualTo(ServerMemory.content(block));
            assertThat(target.position()).isZero();

            memory.scribble(block, 42);
            Transfers.Writing writing =
                    new Transfers.Writing(
                            block, 0, ServerMemory.content(block), ServerMemory.checksums(block));
            path.submit(writing);
            assertThat(writing.outcome).as("done within submit").isCompleted();
            assertThat(memory.isIntact(block)).isTrue();
            assertThat(memory.pins(sessionFiles().get(0).getFileName().toString()).count())
                    .isZero();
            assertThat(server.received()).containsExactly(MessageType.HELLO, MessageType.ATTACH);
        }
    }

    private static @Nullable BlockLoan lendNow(ShmDataPath path, BlockReference block) {
        return path.lendNow(block, 0, ServerMemory.BLOCK, true);
    }

    @Test
    void memoryIsLentAtOnceAsSoonAsItIsMapped() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath path = path();
            BlockReference block = memory.reference(3);
            assertThat(path.isAtHand(block)).isFalse();
            assertThat(lendNow(path, block)).isNull();
            read(path, block).join();
            assertThat(path.isAtHand(block)).isTrue();
            ServerMemory.Pins pins = memory.pins(sessionFiles().get(0).getFileName().toString());
            BlockLoan loan = Objects.requireNonNull(lendNow(path, block));
            assertThat(loan.data()).isEqualTo(ServerMemory.content(block));
            assertThat(loan.storedChecksums()).isEqualTo(ServerMemory.checksums(block));
            assertThat(pins.holds(block)).isTrue();
            loan.close();
            loan.close();
            assertThat(pins.count()).isZero();
            assertThat(server.received()).containsExactly(MessageType.HELLO, MessageType.ATTACH);
        }
    }

    @Test
    void whatCannotBeLentAtOnceLeavesNoPin() throws IOException {
        FakeLocalServer server = FakeLocalServer.start(memory);
        ShmDataPath path = path(directory.toString(), 1);
        BlockReference block = memory.reference(3);
        read(path, block).join();
        ServerMemory.Pins pins = memory.pins(sessionFiles().get(0).getFileName().toString());
        assertThat(path.lendNow(block, 1, ServerMemory.BLOCK, false))
                .as("behind the end of the block")
                .isNull();
        BlockLoan only = Objects.requireNonNull(lendNow(path, memory.reference(1)));
        assertThat(lendNow(path, block)).as("no slot").isNull();
        only.close();
        memory.setGeneration(block.record(), block.generation() + 1);
        assertThat(lendNow(path, block)).as("freed").isNull();
        assertThat(pins.count()).isZero();
        server.close();
        Awaitility.await().until(() -> !path.isAtHand(memory.reference(1)));
        assertThat(lendNow(path, memory.reference(1))).as("the server is gone").isNull();
        assertThat(pins.count()).isZero();
    }

    @Test
    void aLoanMadeAtOnceOutlivesItsPathAndTakesTheLockWithIt() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath path = path();
            BlockReference block = memory.reference(3);
            read(path, block).join();
            BlockLoan loan = Objects.requireNonNull(lendNow(path, block));
            path.close(closed);
            assertThat(lendNow(path, block)).isNull();
            assertThat(loan.data()).isEqualTo(ServerMemory.content(block));
            assertThat(isLocked(sessionFiles().get(0))).isTrue();
            loan.close();
            assertThat(isLocked(sessionFiles().get(0))).isFalse();
            assertThat(server.received()).hasSize(2);
        }
    }

    @Test
    void theSocketMayBeALinkToAPathThatIsShortEnough() throws IOException {
        Path socket = Files.createTempDirectory("crail").resolve("s");
        try (FakeLocalServer server =
                FakeLocalServer.start(
                        socket, ServerMemory.CLUSTER, frame -> memory.attachReply())) {
            Files.createSymbolicLink(directory.resolve(SessionLayout.SOCKET), socket);
            assertThat(read(path(), memory.reference(0)).join()).isNotEmpty();
            assertThat(server.received()).contains(MessageType.ATTACH);
        } finally {
            Files.deleteIfExists(socket.getParent());
        }
    }

    @Test
    void withoutASocketTheTransferGoesElsewhere() throws IOException {
        assertDeclined(path());
    }

    @Test
    void withoutTheDirectoryTheTransferGoesElsewhere() throws IOException {
        assertDeclined(path(directory.resolve("nowhere").toString(), 1));
        assertDeclined(path("relative", 1));
        assertDeclined(path("not a \u0000 path", 1));
    }

    @Test
    void whereNobodyListensTheTransferGoesElsewhere() throws IOException {
        FakeLocalServer.start(memory).close();
        Files.createFile(directory.resolve(SessionLayout.SOCKET));
        assertDeclined(path());
    }

    @Test
    void aServerOfAnotherClusterIsNotUsed() throws IOException {
        try (FakeLocalServer server =
                FakeLocalServer.start(
                        directory.resolve(SessionLayout.SOCKET),
                        new UUID(8, 8),
                        frame -> memory.attachReply())) {
            assertDeclined(path());
            assertThat(server.received()).containsExactly(MessageType.HELLO);
        }
    }

    @Test
    void aServerThatRefusesIsNotUsed() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            server.attaching(
                    frame -> {
                        throw new BusyException("too many sessions");
                    });
            assertDeclined(path());
        }
    }

    @Test
    void aServerThatDoesNotAnswerIsNotUsed() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            server.attaching(
                    frame -> {
                        skew.set(TimeUnit.SECONDS.toNanos(25));
                        return null;
                    });
            assertDeclined(path());
        }
    }

    @Test
    void segmentsOfAnotherServerAreNotUsed() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            server.attaching(frame -> new Attach.Reply(new UUID(9, 9), directory.toString()));
            ShmDataPath path = path();
            assertThatThrownBy(read(path, memory.reference(0))::join)
                    .hasCauseInstanceOf(Transfers.Declined.class);
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(server.received()).contains(MessageType.DETACH));
        }
    }

    @Test
    void aStaleReferenceIsToldForEveryKindOfTransfer() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath path = path();
            BlockReference old = memory.reference(3);
            read(path, old).join();
            assertThat(sums(path, old).join()).isEqualTo(ServerMemory.checksums(old));
            memory.setGeneration(old.record(), old.generation() + 1);
            assertThatThrownBy(read(path, old)::join)
                    .hasCauseInstanceOf(StaleReferenceException.class);
            assertThatThrownBy(sums(path, old)::join)
                    .hasCauseInstanceOf(StaleReferenceException.class);
            assertThatThrownBy(borrow(path, old)::join)
                    .hasCauseInstanceOf(StaleReferenceException.class);
            Transfers.Writing writing =
                    new Transfers.Writing(
                            old, 0, ServerMemory.content(old), ServerMemory.checksums(old));
            memory.scribble(old, 42);
            path.submit(writing);
            assertThatThrownBy(writing.outcome::join)
                    .hasCauseInstanceOf(StaleReferenceException.class);
            memory.fill(memory.reference(3));
            assertThat(memory.isIntact(memory.reference(3))).isTrue();
            assertThat(server.received()).hasSize(2);
        }
    }

    @Test
    void aSegmentOfAnotherIncarnationIsMappedAnewAndOldReferencesAreStale() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath path = path();
            BlockReference old = memory.reference(3);
            read(path, old).join();
            memory =
                    ServerMemory.create(
                            directory, ServerMemory.CLUSTER, ServerMemory.SERVER, 0x777);
            assertThat(read(path, memory.reference(3)).join())
                    .isEqualTo(ServerMemory.checksums(memory.reference(3)));
            assertThatThrownBy(read(path, old)::join)
                    .hasCauseInstanceOf(StaleReferenceException.class);
            BlockReference unknown =
                    new BlockReference(
                            1, 55, 0, 4096, 0, Generation.of(1, 1), 0, BlockReference.READ);
            assertThatThrownBy(read(path, unknown, ByteBuffer.allocateDirect(4096))::join)
                    .hasCauseInstanceOf(StaleReferenceException.class);
            assertThat(server.received()).hasSize(2);
        }
    }

    @Test
    void aSegmentThatCannotBeMappedMakesThePathUseless() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            Path file = directory.resolve(SegmentLayout.fileName(0));
            byte[] whole = Files.readAllBytes(file);
            whole[SegmentLayout.SLOTS_OFFSET] ^= 1;
            Files.write(file, whole);
            ShmDataPath path = path();
            assertThatThrownBy(read(path, memory.reference(0))::join)
                    .hasCauseInstanceOf(Transfers.Declined.class);
            assertThatThrownBy(read(path, memory.reference(0))::join)
                    .hasCauseInstanceOf(Transfers.Declined.class);
            assertThat(server.received()).contains(MessageType.ATTACH);
        }
    }

    @Test
    void aBrokenConnectionIsALostServerAndTheNextOneShowsTheSameFile() throws IOException {
        FakeLocalServer server = FakeLocalServer.start(memory);
        ShmDataPath path = path();
        read(path, memory.reference(0)).join();
        List<Path> files = sessionFiles();
        BlockLoan loan = borrow(path, memory.reference(1)).join();
        server.close();
        Awaitility.await()
                .untilAsserted(
                        () ->
                                assertThatThrownBy(read(path, memory.reference(0))::join)
                                        .hasCauseInstanceOf(ServerLostException.class));
        assertThat(loan.data()).isEqualTo(ServerMemory.content(memory.reference(1)));
        assertThat(isLocked(files.get(0))).isTrue();
        try (FakeLocalServer again = FakeLocalServer.start(memory)) {
            assertThat(read(path, memory.reference(0)).join()).isNotEmpty();
            assertThat(again.received()).containsExactly(MessageType.HELLO, MessageType.ATTACH);
        }
        assertThat(sessionFiles()).isEqualTo(files);
        loan.close();
    }

    @Test
    void closingDetachesAndLetsTheLockGo() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath path = path();
            read(path, memory.reference(0)).join();
            path.close(closed);
            assertThat(isLocked(sessionFiles().get(0))).isFalse();
            Awaitility.await()
                    .untilAsserted(
                            () -> assertThat(server.received()).contains(MessageType.DETACH));
            assertThatThrownBy(read(path, memory.reference(0))::join)
                    .hasCauseInstanceOf(ClosedException.class);
        }
    }

    @Test
    void theLockIsKeptUntilTheLastLoanIsBack() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath path = path();
            BlockReference block = memory.reference(1);
            BlockLoan loan = borrow(path, block).join();
            path.close(closed);
            Path file = sessionFiles().get(0);
            ServerMemory.Pins pins = memory.pins(file.getFileName().toString());
            assertThat(pins.holds(block)).isTrue();
            assertThat(isLocked(file)).isTrue();
            assertThat(loan.data()).isEqualTo(ServerMemory.content(block));
            loan.close();
            assertThat(pins.holds(block)).isFalse();
            assertThat(isLocked(file)).isFalse();
            assertThat(server.received()).doesNotContain(MessageType.DETACH);
        }
    }

    @Test
    void whoFindsNoSlotWaitsForOne() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath path = path(directory.toString(), 2);
            BlockLoan first = borrow(path, memory.reference(1)).join();
            BlockLoan second = borrow(path, memory.reference(2)).join();
            CompletableFuture<BlockLoan> third = borrow(path, memory.reference(3));
            Transfers.Borrowing given =
                    new Transfers.Borrowing(memory.reference(4), 0, ServerMemory.BLOCK, false);
            path.submit(given);
            assertThat(third).isNotDone();
            path.cancel(given);
            assertThat(read(path, memory.reference(3)).join()).as("needs no slot").isNotEmpty();
            first.close();
            BlockLoan late = third.join();
            assertThat(late.data()).isEqualTo(ServerMemory.content(memory.reference(3)));
            second.close();
            late.close();
            assertThat(given.outcome).isNotDone();
            assertThat(server.received()).hasSize(2);
        }
    }

    @Test
    void aCancelledTransferIsNeverHeardOfAgain() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            server.attaching(frame -> null);
            ShmDataPath path = path();
            Transfers.Reading reading =
                    new Transfers.Reading(
                            memory.reference(0),
                            0,
                            ByteBuffer.allocateDirect(ServerMemory.BLOCK),
                            false);
            path.submit(reading);
            path.cancel(reading);
            path.close(closed);
            assertThat(reading.outcome).isNotDone();
        }
    }

    @Test
    void pathsOfOneProcessShareTheirMappings() throws IOException {
        try (FakeLocalServer server = FakeLocalServer.start(memory)) {
            ShmDataPath one = path();
            ShmDataPath two = path();
            read(one, memory.reference(0)).join();
            read(two, memory.reference(1)).join();
            assertThat(SegmentMappings.count()).isEqualTo(1);
            one.close(closed);
            assertThat(SegmentMappings.count()).isEqualTo(1);
            assertThat(read(two, memory.reference(1)).join()).isNotEmpty();
            two.close(closed);
            assertThat(SegmentMappings.count()).isZero();
            assertThat(server.received()).isNotEmpty();
        }
    }
}
