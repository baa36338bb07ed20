// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.GrantCopies;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Repair;
import io.crail.protocol.message.TierSet;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One operation after the other, chosen so that every type of log record is written, also those
 * that a random life of some hundred steps need not write: in two lives of a namenode, the second
 * after a reboot, and later than what was removed while it was open is kept.
 */
final class RecordTour {
    /** One operation. */
    @FunctionalInterface
    interface Step {
        void run() throws IOException;
    }

    private static final int MIB = 1 << 20;

    private final FakeStorage one = new FakeStorage(new UUID(9, 1), 7, "one");
    private final FakeStorage two = new FakeStorage(new UUID(9, 2), 7, "two");
    private @Nullable TestSession session;
    private @Nullable LocalNamenode namenode;

    private TestSession session() {
        return Objects.requireNonNull(session);
    }

    private LocalNamenode namenode() {
        return Objects.requireNonNull(namenode);
    }

    /** What is done before the reboot. */
    List<Step> firstLife(LocalNamenode first) {
        namenode = first;
        return List.of(
                () -> session = first.session("tour"),
                this::addStorage,
                () -> session().mkdir("/tour"),
                () -> session().setStorageClass("/tour", 7),
                () -> session().file("/tour/f", 300_000),
                this::leaveUnclosed,
                () -> session().open("/tour/f", Open.READ, 0),
                () -> session().delete("/tour/f", false),
                () -> session().create("/tour/m", NodeType.MULTIFILE, 0, 0),
                () -> session().file("/tour/m/a", 5000),
                () -> session().file("/tour/m/b", 5000),
                () -> session().openMembers("/tour/m", null, 10, 4, 0),
                () -> session().delete("/tour/m", true),
                () -> session().create("/tour/short", NodeType.FILE, 900),
                () -> session().create("/tour/long", NodeType.FILE, 600_000),
                () -> first.advance(Duration.ofMillis(990)),
                () -> session().setXattr("/tour", "user.a", "b"),
                () -> session().setQuota("/tour", 1000, List.of()),
                this::steerTiering,
                () -> session().table("/tour/t"),
                () -> session().put("/tour/t", "k", "v"),
                () ->
                        session()
                                .putMany(
                                        "/tour/t",
                                        List.of(TestRequests.entry("k", Conditions.NONE, 0, 1)),
                                        TestSession.bytes("w")),
                this::putBlocks,
                () -> session().remove("/tour/t", "k"),
                this::stream,
                () -> session().rename("/tour/long", "/tour/renamed", 0),
                this::joinAndCut);
    }

    /** What is done after it. */
    List<Step> secondLife(LocalNamenode second) {
        namenode = second;
        return List.of(
                () -> session().wire().reconnect(second::connect),
                this::comeBack,
                this::passTenSeconds,
                this::moveTogether,
                () -> session().file("/tour/moved", 100_000),
                this::drain,
                this::move,
                one::fenceAll,
                this::loseAndDelete,
                () -> session().mkdir("/tour/d"),
                () -> session().file("/tour/d/f", 100_000),
                () -> session().delete("/tour/d", true),
                second::tick,
                one::fenceAll,
                () -> session().endSession());
    }

    private void steerTiering() throws IOException {
        session()
                .wire()
                .call(new TierSet.Request(7, true, 90, 80, 1), unused -> new TierSet.Reply());
    }

    private void addStorage() throws IOException {
        for (FakeStorage each : List.of(one, two)) {
            each.format(0, MIB, 1);
            each.register(namenode()::connect);
        }
    }

    private void comeBack() throws IOException {
        for (FakeStorage each : List.of(one, two)) {
            each.register(namenode()::connect);
            each.fenceAll();
        }
    }

    private void leaveUnclosed() throws IOException {
        Create.Reply unwanted = session().write("/tour/unwanted", 5000);
        session().abandon(unwanted.status().id(), unwanted.handle(), true);
        Open.Reply open = session().open("/tour/f", Open.APPEND, 5000);
        session().abandon(open.status().id(), open.handle(), false);
    }

    private void putBlocks() throws IOException {
        List<BlockReference> blocks = session().grantValue("/tour/t", 20_000);
        session().putBlocks("/tour/t", "b", TestRequests.fill(blocks, 20_000));
        List<BlockReference> unused = session().grantValue("/tour/t", 20_000);
        session().keepAlive(new long[0], unused.stream().map(BlockReference::id).toList());
    }

    private void stream() throws IOException {
        long stream = session().stream("/tour/s", 0, 0, 0).id();
        session().append(stream, "a", "b", "c");
        session().trim(stream, 2);
    }

    /** With readers, who keep a source and a file longer than it is. */
    private void joinAndCut() throws IOException {
        session().file("/tour/j", 5000);
        session().file("/tour/k", 200_000);
        session().open("/tour/j", Open.READ, 0);
        session().open("/tour/k", Open.READ, 0);
        Splicer.concat(session(), "/tour/j", "/tour/k");
        Splicer.truncate(session(), "/tour/j", 100_001);
    }

    private void passTenSeconds() throws IOException {
        for (int i = 0; i < 12; i++) {
            namenode().advance(Duration.ofMillis(990));
            one.heartbeat();
            two.heartbeat();
        }
    }

    private Extent extent() throws IOException {
        return session().lookup("/tour/moved", Lookup.EXTENTS).extents().get(0);
    }

    private void drain() throws IOException {
        session()
                .wire()
                .call(new Drain.Request(extent().block().server(), true), Drain.Reply::decode);
    }

    /** Two copies of which one is of nothing: both records say what was refused. */
    private void moveTogether() throws IOException {
        long node = session().file("/tour/together", 5000).id();
        Extent extent = session().lookup("/tour/together", Lookup.EXTENTS).extents().get(0);
        TestMover mover = new TestMover(session());
        GrantCopies.Reply granted =
                mover.grantAll(
                        0,
                        255,
                        List.of(
                                new GrantCopies.Copy(12_345_678, 4096),
                                new GrantCopies.Copy(node, extent.block().length())));
        BlockReference copy = granted.grants().get(0);
        mover.moveAll(
                List.of(TestMover.swap(node, extent, copy), TestMover.swap(node, extent, copy)));
    }

    private void loseAndDelete() throws IOException {
        long node = session().file("/tour/lost", 5000).id();
        BlockReference lost =
                session().lookup("/tour/lost", Lookup.EXTENTS).extents().get(0).block();
        FakeStorage server = lost.server() == one.id() ? one : two;
        server.format(lost.segment(), 16 * MIB, 0x7777);
        server.register(namenode()::connect);
        session()
                .wire()
                .call(
                        new Repair.Request(Repair.LOST, node, lost.id(), 0, lost.generation()),
                        Repair.Reply::decode);
    }

    private void move() throws IOException {
        long node = session().lookup("/tour/moved").id();
        Extent extent = extent();
        BlockReference target =
                session()
                        .wire()
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
        session()
                .wire()
                .call(
                        new Move.Request(
                                node,
                                extent.offset(),
                                extent.block().id(),
                                extent.block().generation(),
                                new CommittedExtent(target, extent.length(), extent.tailCrc())),
                        unused -> new Move.Reply());
    }
}
