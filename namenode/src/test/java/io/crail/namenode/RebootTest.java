// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.error.CorruptDataException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.SessionExpiredException;
import io.crail.namenode.log.Durability;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Lookup;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * After a boot of its host the namenode may have lost the end of its log, and grants in it: what
 * looks free is fenced before it is granted.
 */
@SuppressWarnings("NullAway.Init") // Every test starts with start().
final class RebootTest {
    private static final int MEBIBYTES = 4;
    private static final int SLOTS = MEBIBYTES * 256;

    @TempDir private Path temporary;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;

    private void start(Durability durability) throws IOException {
        namenode = TestNamenode.start(temporary.resolve("meta"), b -> b.durability(durability));
        storage = namenode.storage(MEBIBYTES);
        session = namenode.session("tester");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        storage.close();
        namenode.close();
    }

    private void comeBack() throws IOException {
        storage.register(namenode::connect);
        session.wire().reconnect(namenode::connect);
    }

    @Test
    void freeBlocksAreFencedBeforeTheyAreGranted() throws IOException {
        start(Durability.PROCESS);
        namenode.restartAfterReboot();
        comeBack();
        assertThatThrownBy(() -> session.write("/f", 1)).isInstanceOf(BusyException.class);
        List<AwaitCommands.Revoke> revokes = storage.poll();
        assertThat(revokes).hasSize(SLOTS);
        storage.fence(revokes.subList(0, 255));
        assertThatThrownBy(() -> session.write("/f", 1)).isInstanceOf(BusyException.class);
        storage.fence(revokes.subList(255, 256));
        BlockReference first = session.write("/f", 1).grants().get(0);
        assertThat(first.generation()).isEqualTo(storage.generation(0, first.record()));
        assertThat(storage.serves(first)).isTrue();
        storage.fence(revokes.subList(256, SLOTS));
        assertThat(storage.poll()).isEmpty();
        session.write("/g", (MEBIBYTES - 1) << 20);
    }

    @Test
    void aGrantThatTheLogHasLostIsWorthNothingAfterwards() throws IOException {
        start(Durability.PROCESS);
        Path older = temporary.resolve("older");
        TestNamenode.copy(namenode.directory(), older);
        Create.Reply small = session.write("/small", 4096);
        Create.Reply large = session.write("/large", 2 << 20);
        namenode.rebootFrom(older);
        comeBack();
        storage.fenceAll();
        List<BlockReference> fresh = session.write("/new", (long) MEBIBYTES << 20).grants();
        for (List<BlockReference> lost : List.of(small.grants(), large.grants())) {
            assertThat(lost).isNotEmpty().noneMatch(storage::serves);
        }
        assertThat(fresh).hasSize(MEBIBYTES).allMatch(storage::serves);
    }

    @Test
    void numbersThatTheLogHasLostAreNotGivenAgain() throws IOException {
        start(Durability.PROCESS);
        session.table("/t");
        Path older = temporary.resolve("older");
        TestNamenode.copy(namenode.directory(), older);
        long version = session.put("/t", "k", "lost");
        long node = session.mkdir("/d").id();
        try (TestSession lost = namenode.session("lost")) {
            namenode.rebootFrom(older);
            comeBack();
            storage.fenceAll();
            assertThat(session.put("/t", "k", "new")).isGreaterThan(version);
            assertThat(session.mkdir("/d").id()).isGreaterThan(node);
            try (TestSession other = namenode.session("other")) {
                assertThat(other.wire().session()).isGreaterThan(lost.wire().session());
            }
            assertThatThrownBy(() -> lost.wire().reconnect(namenode::connect))
                    .isInstanceOf(SessionExpiredException.class);
        }
    }

    @Test
    void blocksInUseStayAsTheyAre() throws IOException {
        start(Durability.PROCESS);
        session.file("/f", 5000);
        Create.Reply open = session.write("/open", 8192);
        session.file("/gone", 8192);
        session.delete("/gone", false);
        BlockReference block = session.lookup("/f", Lookup.EXTENTS).extents().get(0).block();
        namenode.restartAfterReboot();
        comeBack();
        storage.fenceAll();
        assertThat(session.lookup("/f", Lookup.EXTENTS).extents().get(0).block()).isEqualTo(block);
        assertThat(storage.serves(block)).isTrue();
        assertThat(storage.serves(open.grants().get(0))).isTrue();
        session.commit(
                open.status().id(), open.handle(), 0, true, TestRequests.fill(open.grants(), 8192));
        var bytes = session.statistics().classes().get(0);
        assertThat(bytes.free()).isEqualTo(bytes.capacity() - 2 * 8192);
    }

    @Test
    void theInsideOfABlockThatWasLostMeanwhileIsFencedToo() throws IOException {
        start(Durability.PROCESS);
        session.file("/f", 1 << 20);
        BlockReference block = session.lookup("/f", Lookup.EXTENTS).extents().get(0).block();
        storage.setCounter(0, block.record(), 2);
        namenode.restartAfterReboot();
        comeBack();
        assertThat(storage.fenceAll()).isEqualTo(SLOTS - 1);
        session.delete("/f", false);
        assertThat(storage.fenceAll()).isEqualTo(1);
        assertThat(session.write("/g", (long) MEBIBYTES << 20).grants()).hasSize(MEBIBYTES);
    }

    @Test
    void fencingGoesOnAfterARestart() throws IOException {
        start(Durability.PROCESS);
        namenode.restartAfterReboot();
        comeBack();
        storage.fence(storage.poll().subList(0, 300));
        namenode.restart();
        comeBack();
        assertThatThrownBy(() -> session.write("/f", 1)).isInstanceOf(BusyException.class);
        namenode.snapshot();
        namenode.restart();
        comeBack();
        assertThatThrownBy(() -> session.write("/f", 1)).isInstanceOf(BusyException.class);
        storage.fenceAll();
        session.write("/f", 1);
    }

    @Test
    void itEndsForGood() throws IOException {
        start(Durability.PROCESS);
        namenode.restartAfterReboot();
        comeBack();
        storage.fenceAll();
        namenode.restart();
        comeBack();
        assertThat(storage.fenceAll()).isZero();
        namenode.snapshot();
        namenode.restart();
        comeBack();
        assertThat(storage.fenceAll()).isZero();
        session.write("/f", 1);
        storage.format(1, 1 << 20, 0x77);
        storage.register(namenode::connect);
        assertThat(storage.fenceAll()).as("a segment that is new").isZero();
    }

    @Test
    void aSegmentWhoseRegistrationWasLostIsFenced() throws IOException {
        start(Durability.PROCESS);
        Path older = temporary.resolve("older");
        TestNamenode.copy(namenode.directory(), older);
        storage.format(1, 1 << 20, 0x77);
        storage.register(namenode::connect);
        namenode.rebootFrom(older);
        comeBack();
        assertThat(storage.fenceAll()).isEqualTo(SLOTS + 256);
    }

    @ParameterizedTest
    @EnumSource(
            value = Durability.class,
            names = {"PROCESS", "SYNC"})
    void aHoleInTheLogIsItsEndIfTheHostHasCrashedAndMayHaveLeftIt(Durability durability)
            throws IOException {
        start(durability);
        session.mkdir("/kept");
        long start = Files.size(lastLog(namenode.directory()));
        session.mkdir("/lost");
        long end = Files.size(lastLog(namenode.directory()));
        session.mkdir("/behind");
        Path intact = temporary.resolve("intact");
        TestNamenode.copy(namenode.directory(), intact);
        Path broken = temporary.resolve("broken");
        TestNamenode.copy(intact, broken);
        try (FileChannel log = FileChannel.open(lastLog(broken), StandardOpenOption.WRITE)) {
            log.write(ByteBuffer.allocate((int) (end - start)), start);
        }
        assertThatThrownBy(() -> TestNamenode.start(broken, b -> b.durability(durability)))
                .as("the same boot")
                .isInstanceOf(CorruptDataException.class);
        if (durability == Durability.SYNC) {
            assertThatThrownBy(() -> namenode.rebootFrom(broken))
                    .isInstanceOf(CorruptDataException.class);
            namenode.rebootFrom(intact);
            comeBack();
            return;
        }
        namenode.rebootFrom(broken);
        comeBack();
        session.lookup("/kept", 0);
        for (String lost : List.of("/lost", "/behind")) {
            assertThatThrownBy(() -> session.lookup(lost, 0))
                    .isInstanceOf(NoSuchNodeException.class);
        }
        assertThat(storage.fenceAll()).as("what may have been granted").isEqualTo(SLOTS);
        try (Stream<Path> files = Files.list(namenode.directory())) {
            assertThat(files.map(Path::toString)).anyMatch(name -> name.endsWith(".cut"));
        }
    }

    private static Path lastLog(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(each -> each.getFileName().toString().matches("log-\\d+"))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    @ParameterizedTest
    @EnumSource(Durability.class)
    void whetherRecordsCanBeLostDependsOnTheDurabilityOfTheLog(Durability durability)
            throws IOException {
        start(durability);
        namenode.restart();
        comeBack();
        assertThat(storage.fenceAll() > 0).isEqualTo(durability == Durability.NONE);
        namenode.restartAfterReboot();
        comeBack();
        assertThat(storage.fenceAll() > 0).isEqualTo(durability != Durability.SYNC);
    }

    @Test
    void aLogCutAtACorruptionHasLostRecordsWhateverItsDurability() throws IOException {
        namenode =
                TestNamenode.start(
                        temporary.resolve("meta"),
                        b -> b.durability(Durability.SYNC).cutLogAtCorruption(true));
        storage = namenode.storage(MEBIBYTES);
        session = namenode.session("tester");
        Path log = namenode.directory().resolve("log-%020d".formatted(1));
        long intact = Files.size(log);
        List<BlockReference> lost = session.write("/lost", 8192).grants();
        session.mkdir("/d");
        byte[] bytes = Files.readAllBytes(log);
        bytes[(int) intact + 50] ^= 1;
        Files.write(log, bytes);
        namenode.restart();
        comeBack();
        assertThat(session.list("/")).isEmpty();
        assertThat(storage.fenceAll()).isEqualTo(SLOTS);
        assertThat(lost).noneMatch(storage::serves);
    }
}
