// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.LeaseLostException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.ServerState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Emptying a storage server. */
final class DrainTest {
    private static final int MIB = 1 << 20;

    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage one;
    private FakeStorage two;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        one = storage(1);
        two = storage(2);
        session = namenode.session("operator");
    }

    private FakeStorage storage(int number) throws IOException {
        FakeStorage storage = new FakeStorage(new UUID(number, number), 0, "host" + number);
        storage.format(0, 8 * MIB, number);
        storage.register(namenode::connect);
        return storage;
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        one.close();
        two.close();
        namenode.close();
    }

    private ServerState drain(int server, boolean draining) throws IOException {
        return ServerState.ofWire(
                session.wire()
                        .call(new Drain.Request(server, draining), Drain.Reply::decode)
                        .state());
    }

    private Movable.Reply movable(int server, long cursor, int limit) throws IOException {
        return session.wire()
                .call(new Movable.Request(server, cursor, limit), Movable.Reply::decode);
    }

    private CommittedExtent copy(long node, Extent extent) throws IOException {
        BlockReference target =
                session.wire()
                        .call(
                                new Grant.Request(
                                        node,
                                        0,
                                        TestSession.NOTHING,
                                        extent.block().length(),
                                        true,
                                        new int[0]),
                                Grant.Reply::decode)
                        .grants()
                        .get(0);
        return new CommittedExtent(target, extent.length(), extent.tailCrc());
    }

    private void move(long node, Extent extent, CommittedExtent to) throws IOException {
        session.wire()
                .call(
                        new Move.Request(
                                node,
                                extent.offset(),
                                extent.block().id(),
                                extent.block().generation(),
                                to),
                        unused -> new Move.Reply());
    }

    private Set<Integer> serversOf(String path) throws IOException {
        Set<Integer> servers = new HashSet<>();
        for (Extent extent : session.lookup(path, Lookup.EXTENTS).extents()) {
            servers.add(extent.block().server());
        }
        return servers;
    }

    @Test
    void aDrainingServerGetsNoNewBlocksNotEvenAfterRestarts() throws IOException {
        assertThat(drain(one.id(), true)).isEqualTo(ServerState.DRAINING);
        session.file("/a", 4 * MIB);
        assertThat(serversOf("/a")).containsExactly(two.id());
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        one.register(namenode::connect);
        two.register(namenode::connect);
        session.file("/b", 4 * MIB);
        assertThat(serversOf("/b")).containsExactly(two.id());
        assertThatThrownBy(() -> session.write("/c", 1)).isInstanceOf(OutOfSpaceException.class);
        assertThat(drain(one.id(), false)).isEqualTo(ServerState.LIVE);
        session.file("/c", 4 * MIB);
        assertThat(serversOf("/c")).containsExactly(one.id());
    }

    @Test
    void aServerThatIsAwayIsDrainedWhenItIsBack() throws IOException {
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        assertThat(drain(one.id(), true)).isEqualTo(ServerState.EXPECTED);
        one.register(namenode::connect);
        assertThat(session.statistics().servers().get(0).state())
                .isEqualTo(ServerState.DRAINING.wire());
        two.register(namenode::connect);
    }

    @Test
    void everyExtentIsListedMovedAndItsOldBlockFreed() throws IOException {
        session.mkdir("/d");
        session.table("/t");
        for (int i = 0; i < 10; i++) {
            session.file("/d/f" + i, 100_000 + i);
        }
        session.putBlocks("/t", "k", TestRequests.fill(session.grantValue("/t", 70_000), 70_000));
        drain(one.id(), true);
        long cursor = 0;
        int moved = 0;
        do {
            Movable.Reply page = movable(one.id(), cursor, 3);
            for (int i = 0; i < page.extents().size(); i++) {
                Movable.Owner owner = page.owners().get(i);
                move(
                        owner.node(),
                        page.extents().get(i),
                        copy(owner.node(), page.extents().get(i)));
                moved++;
            }
            cursor = page.next();
        } while (cursor != 0);
        assertThat(moved).isPositive();
        one.fenceAll();
        two.fenceAll();
        assertThat(session.statistics().servers().get(0).free()).isEqualTo(8L * MIB);
        for (int i = 0; i < 10; i++) {
            assertThat(serversOf("/d/f" + i)).containsExactly(two.id());
            assertThat(session.lookup("/d/f" + i).length()).isEqualTo(100_000 + i);
        }
        long allocated = session.summary("/").allocated();
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        one.register(namenode::connect);
        two.register(namenode::connect);
        assertThat(session.summary("/").allocated()).isEqualTo(allocated);
        assertThat(serversOf("/d/f3")).containsExactly(two.id());
    }

    @Test
    void whatWasReplacedOrRemovedMeanwhileIsNotMoved() throws IOException {
        long node = session.file("/f", 5000).id();
        Extent extent = session.lookup("/f", Lookup.EXTENTS).extents().get(0);
        CommittedExtent to = copy(node, extent);
        move(node, extent, to);
        CommittedExtent again = copy(node, extent);
        assertThatThrownBy(() -> move(node, extent, again))
                .isInstanceOf(StaleReferenceException.class);
        Extent moved = session.lookup("/f", Lookup.EXTENTS).extents().get(0);
        session.delete("/f", false);
        assertThatThrownBy(() -> move(node, moved, again)).isInstanceOf(NoSuchNodeException.class);
    }

    @Test
    void aCopyMustBeGrantedAndLikeTheOriginal() throws IOException {
        long node = session.file("/f", 5000).id();
        Extent extent = session.lookup("/f", Lookup.EXTENTS).extents().get(0);
        CommittedExtent to = copy(node, extent);
        assertThatThrownBy(
                        () ->
                                move(
                                        node,
                                        extent,
                                        new CommittedExtent(
                                                to.block(), 4999, to.tailCrc(), to.generation())))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(
                        () ->
                                move(
                                        node,
                                        extent,
                                        new CommittedExtent(to.block(), 5000, 1, to.generation())))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(
                        () ->
                                move(
                                        node,
                                        extent,
                                        new CommittedExtent(
                                                extent.block().id(),
                                                5000,
                                                extent.tailCrc(),
                                                extent.block().generation())))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("not granted");
        move(node, extent, to);
    }

    @Test
    void aBlockThatWasCutStaysWhileSomebodyReadsBehindTheCut() throws IOException {
        long node = session.file("/f", 9000).id();
        Open.Reply reading = session.open("/f", Open.READ, 0);
        Splicer.truncate(session, "/f", 5000);
        Extent cut = session.lookup("/f", Lookup.EXTENTS).extents().get(0);
        drain(cut.block().server(), true);
        assertThat(movable(cut.block().server(), 0, 64).busy()).isEqualTo(1);
        CommittedExtent to = copy(node, cut);
        assertThatThrownBy(() -> move(node, cut, to)).isInstanceOf(LeaseHeldException.class);
        session.closeHandle(reading.handle());
        move(node, cut, to);
    }

    @Test
    void whoReadsASourceThatWasJoinedFindsItsBytesWhereTheyWereMoved() throws IOException {
        session.file("/f", 5000);
        session.file("/g", 9000);
        Splicer.Opened source = Splicer.Opened.of(session, "/g");
        Splicer.concat(session, "/f", "/g");
        long node = session.lookup("/f").id();
        Extent joined = session.lookup("/f", Lookup.EXTENTS).extents().get(1);
        CommittedExtent to = copy(node, joined);
        move(node, joined, to);
        Splicer.Piece before = source.pieces().get(0);
        assertThat(source.piecesNow(session))
                .containsExactly(
                        new Splicer.Piece(0, 9000, before.tailCrc(), to.block(), to.generation()));
    }

    @Test
    void theLastBlockOfAFileBeingWrittenStays() throws IOException {
        Create.Reply open = session.write("/f", 2 * MIB);
        List<CommittedExtent> extents = TestRequests.fill(open.grants(), MIB + 10);
        session.commit(open.status().id(), open.handle(), 0, false, extents);
        List<Extent> committed = session.lookup("/f", Lookup.EXTENTS).extents();
        Extent last = committed.get(committed.size() - 1);
        drain(last.block().server(), true);
        assertThat(movable(last.block().server(), 0, 64).busy()).isEqualTo(1);
        CommittedExtent to = copy(open.status().id(), last);
        assertThatThrownBy(() -> move(open.status().id(), last, to))
                .isInstanceOf(LeaseHeldException.class);
        session.commit(open.status().id(), open.handle(), MIB + 10, true, List.of());
        move(open.status().id(), last, to);
    }

    @Test
    void unknownServersAreRefused() {
        assertThatThrownBy(() -> drain(77, true)).isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> movable(77, 0, 64)).isInstanceOf(InvalidArgumentException.class);
    }

    private Drain.Reply force(int server) throws IOException {
        return session.wire().call(new Drain.Request(server, true, true), Drain.Reply::decode);
    }

    @Test
    void byForceGrantedBlocksAreTakenBackAndLeasesInTheWayEnd() throws IOException {
        session.table("/t");
        drain(2, true);
        Create.Reply synced = session.write("/synced", 2 * MIB);
        long file = synced.status().id();
        session.commit(
                file, synced.handle(), 0, false, TestRequests.fill(synced.grants(), MIB + 5));
        Create.Reply fresh = session.write("/fresh", MIB);
        List<BlockReference> value = session.grantValue("/t", 8192);
        List<BlockReference> kept = session.grantValue("/t", 4096);
        session.putBlocks("/t", "kept", TestRequests.fill(kept, 4096));
        drain(2, false);
        drain(1, true);
        Create.Reply elsewhere = session.write("/elsewhere", MIB);

        long granted = value.stream().mapToLong(BlockReference::length).sum();
        Drain.Reply forced = force(1);
        assertThat(forced.revokedBytes()).isEqualTo(MIB + granted);
        assertThat(forced.endedLeases()).isEqualTo(2);

        assertThat(session.lookup("/synced", 0).status().length()).isEqualTo(MIB + 5);
        assertThat(movable(1, 0, 64).busy()).isZero();
        assertThatThrownBy(() -> session.grant(file, synced.handle(), 4096))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(
                        () ->
                                session.commit(
                                        fresh.status().id(),
                                        fresh.handle(),
                                        0,
                                        true,
                                        TestRequests.fill(fresh.grants(), 5)))
                .isInstanceOf(LeaseLostException.class);
        assertThatThrownBy(() -> session.putBlocks("/t", "k", TestRequests.fill(value, 8192)))
                .isInstanceOf(ServerLostException.class);
        session.commit(
                elsewhere.status().id(),
                elsewhere.handle(),
                0,
                true,
                TestRequests.fill(elsewhere.grants(), 5));
        assertThat(force(1).revokedBytes()).isZero();
        assertThat(one.fenceAll()).isPositive();

        TestNamenode.Memory before = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(before);
        session.wire().reconnect(namenode::connect);
    }

    @Test
    void onlyADrainIsForced() {
        assertThatThrownBy(
                        () ->
                                session.wire()
                                        .call(
                                                new Drain.Request(1, false, true),
                                                Drain.Reply::decode))
                .isInstanceOf(InvalidArgumentException.class);
    }
}
