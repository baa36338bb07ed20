// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.QuotaExceededException;
import io.crail.namenode.tier.TierConfig;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.GrantCopies;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.message.TierPlan;
import io.crail.protocol.message.TierSet;
import io.crail.protocol.node.Xattrs;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What moves between two storage classes, of 20 MiB and 40 MiB, and what does not. */
final class TierTest {
    private static final int MIB = 1 << 20;
    private static final Duration IDLE = Duration.ofSeconds(10);

    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage fast;
    private FakeStorage slow;
    private TestSession session;
    private TestMover mover;

    @BeforeEach
    void start() throws IOException {
        namenode =
                TestNamenode.start(
                        directory, builder -> builder.tiers(new TierConfig(80, 50, IDLE, 3)));
        fast = storage(0, 20);
        slow = storage(1, 40);
        session = namenode.session("user");
        mover = new TestMover(session);
    }

    private FakeStorage storage(int storageClass, int mebibytes) throws IOException {
        FakeStorage storage =
                new FakeStorage(new UUID(1, storageClass), storageClass, "host" + storageClass);
        storage.format(0, (long) mebibytes * MIB, storageClass + 1);
        storage.register(namenode::connect);
        return storage;
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        fast.close();
        slow.close();
        namenode.close();
    }

    private void files(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            session.file("/f" + i, MIB);
            pass(Duration.ofSeconds(1));
        }
    }

    /** The clients and servers live on meanwhile. */
    private void pass(Duration time) throws IOException {
        for (long left = time.toSeconds(); left > 0; left -= 10) {
            namenode.advance(Duration.ofSeconds(Math.min(10, left)));
            session.lookup("/");
            fast.fenceAll();
            slow.fenceAll();
        }
    }

    private void read(String path, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            session.closeHandle(session.open(path, Open.READ, 0).handle());
        }
    }

    private Set<Integer> serversOf(String path) throws IOException {
        return extents(path).stream().map(e -> e.block().server()).collect(Collectors.toSet());
    }

    private List<Extent> extents(String path) throws IOException {
        return session.lookup(path, Lookup.EXTENTS).extents();
    }

    @Test
    void nothingMovesUpToTheHighMark() throws IOException {
        files(16); // 80 % of 20 MiB
        pass(IDLE);
        TierPlan.Reply plan = mover.decided(fast.id(), TestMover.BATCH);
        assertThat(plan.extents()).isEmpty();
        assertThat(plan.waitMillis()).isPositive();
        assertThat(mover.use(0).toDemote()).isZero();
    }

    @Test
    void theColdestLeaveAClassThatIsTooFullUntilItIsAtTheLowMark() throws IOException {
        files(17);
        pass(IDLE);
        read("/f0", 1);
        pass(IDLE);
        assertThat(mover.use(0).toDemote()).isEqualTo(7L * MIB);
        assertThat(mover.work(fast.id()))
                .hasSize(7)
                .contains("/f1", "/f2", "/f3", "/f4", "/f5")
                .doesNotContain("/f0", "/f10", "/f11", "/f12", "/f13", "/f14", "/f15", "/f16");
        assertThat(serversOf("/f1")).containsExactly(slow.id());
        assertThat(serversOf("/f0")).containsExactly(fast.id());
        assertThat(mover.use(0).used()).isEqualTo(10L * MIB);
        assertThat(mover.use(0).demoted()).isEqualTo(7L * MIB);
        assertThat(mover.use(1).used()).isEqualTo(7L * MIB);
        pass(IDLE);
        session.file("/more", 6 * MIB); // 80 % again, which is not above the mark
        pass(IDLE);
        assertThat(mover.work(fast.id())).isEmpty();
    }

    @Test
    void whatWasUsedJustNowIsNotCold() throws IOException {
        for (int i = 0; i < 17; i++) {
            session.file("/f" + i, MIB);
        }
        pass(IDLE.minusSeconds(1));
        assertThat(mover.work(fast.id())).isEmpty();
        assertThat(mover.use(0).toDemote()).isEqualTo(7L * MIB);
        pass(Duration.ofSeconds(2));
        assertThat(mover.work(fast.id())).hasSize(7);
    }

    @Test
    void whatIsOpenOrBeingWrittenStays() throws IOException {
        files(15);
        Create.Reply written = session.write("/w", MIB);
        session.commit(
                written.status().id(),
                written.handle(),
                0,
                false,
                TestRequests.fill(written.grants(), MIB));
        long first = session.open("/f0", Open.READ, 0).handle();
        session.file("/f15", MIB);
        pass(IDLE.multipliedBy(2));
        assertThat(mover.work(fast.id())).doesNotContain("/f0", "/w").hasSize(7);
        session.closeHandle(first);
    }

    @Test
    void whatIsOpenedAfterItWasPlannedIsLeftOutOfTheNextPlan() throws IOException {
        files(17);
        pass(IDLE);
        TierPlan.Reply plan = mover.decided(fast.id(), MIB);
        assertThat(plan.extents()).hasSize(1);
        for (int i = 0; i < 17; i++) {
            session.open("/f" + i, Open.READ, 0);
        }
        assertThat(mover.work(fast.id())).isEmpty();
        mover.carryOut(plan); // A swap is right whenever it comes.
        assertThat(mover.use(1).used()).isEqualTo(MIB);
    }

    @Test
    void aLargeFileGoesInTheOrderOfItsBytesOverSeveralPlans() throws IOException {
        session.file("/large", 17 * MIB);
        pass(IDLE);
        long offset = 0;
        int plans = 0;
        TierPlan.Reply plan = mover.decided(fast.id(), 3 * MIB);
        while (!plan.extents().isEmpty()) {
            for (Extent extent : plan.extents()) {
                assertThat(extent.offset()).isEqualTo(offset);
                offset += extent.length();
            }
            assertThat(plan.extents()).hasSizeLessThanOrEqualTo(3);
            mover.carryOut(plan);
            plans++;
            plan = mover.decided(fast.id(), 3 * MIB);
        }
        assertThat(offset).isEqualTo(7L * MIB);
        assertThat(plans).isEqualTo(3);
        assertThat(serversOf("/large")).containsExactlyInAnyOrder(fast.id(), slow.id());
    }

    @Test
    void whatIsReadAgainAndAgainComesBackAsLongAsThereIsRoom() throws IOException {
        files(17);
        pass(IDLE);
        mover.work(fast.id());
        session.delete("/f15", false);
        session.delete("/f16", false);
        fast.fenceAll();
        read("/f0", 2);
        assertThat(mover.work(slow.id())).isEmpty();
        for (String hot : List.of("/f0", "/f1", "/f2")) {
            read(hot, 3);
        }
        // There is room for two below the low mark.
        assertThat(mover.work(slow.id())).hasSize(2).contains("/f0");
        assertThat(serversOf("/f0")).containsExactly(fast.id());
        assertThat(mover.use(0).used()).isEqualTo(10L * MIB);
        assertThat(mover.use(1).promoted()).isEqualTo(2L * MIB);
        pass(IDLE);
        assertThat(mover.work(fast.id())).isEmpty();
    }

    @Test
    void readsFarApartDoNotMakeANodeHot() throws IOException {
        files(17);
        pass(IDLE);
        mover.work(fast.id());
        session.delete("/f16", false);
        for (int i = 0; i < 4; i++) {
            read("/f0", 1);
            pass(Duration.ofMinutes(11));
        }
        assertThat(mover.work(slow.id())).isEmpty();
    }

    @Test
    void theClassOfANodeIsTheBestItMayUse() throws IOException {
        session.mkdir("/slow");
        session.setStorageClass("/slow", 1);
        session.file("/slow/f", MIB);
        read("/slow/f", 9);
        assertThat(mover.work(slow.id())).isEmpty();
        assertThat(serversOf("/slow/f")).containsExactly(slow.id());
        long node = session.lookup("/slow/f").id();
        assertThatThrownBy(() -> mover.grant(node, MIB, 0, 0))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(mover.grant(node, MIB, 0, 255).server()).isEqualTo(slow.id());
    }

    @Test
    void whatLiesAboveItsClassGoesFirst() throws IOException {
        files(17);
        session.setStorageClass("/f16", 1);
        pass(IDLE);
        assertThat(mover.work(fast.id())).hasSize(7).contains("/f16").doesNotContain("/f8");
    }

    @Test
    void aCopyIsGrantedInTheClassesAskedForOnly() throws IOException {
        long node = session.file("/f", MIB).id();
        BlockReference copy = mover.grant(node, MIB, 1, 1);
        assertThat(copy.server()).isEqualTo(slow.id());
        assertThatThrownBy(() -> mover.grant(node, MIB, 2, 255))
                .isInstanceOf(OutOfSpaceException.class);
        session.file("/full", 19 * MIB);
        assertThatThrownBy(() -> mover.grant(node, MIB, 0, 0))
                .isInstanceOf(OutOfSpaceException.class);
    }

    @Test
    void aClassThatIsTooFullItselfTakesNothing() throws IOException {
        session.mkdir("/slow");
        session.setStorageClass("/slow", 1);
        session.file("/slow/f", 32 * MIB);
        session.file("/slow/g", 1);
        files(17);
        pass(IDLE);
        assertThat(mover.work(fast.id())).isEmpty();
        assertThat(mover.use(0).toDemote()).isEqualTo(7L * MIB);
        session.delete("/slow/f", false);
        slow.fenceAll();
        assertThat(mover.work(fast.id())).hasSize(7);
    }

    @Test
    void ofManyEachIsGrantedAndSwappedByItself() throws IOException {
        long first = session.file("/f", MIB).id();
        long second = session.file("/g", 5000).id();
        Extent one = extents("/f").get(0);
        Extent two = extents("/g").get(0);
        GrantCopies.Reply granted =
                mover.grantAll(
                        1,
                        255,
                        List.of(
                                new GrantCopies.Copy(first, MIB),
                                new GrantCopies.Copy(12_345_678, MIB),
                                new GrantCopies.Copy(second, two.block().length())));
        assertThat(granted.statuses()).containsExactly(0, ErrorCode.NO_SUCH_NODE.wire(), 0);
        BlockReference toOne = granted.grants().get(0);
        BlockReference toTwo = granted.grants().get(1);
        session.delete("/g", false);
        Move.Request move = TestMover.swap(first, one, toOne);
        assertThat(
                        mover.moveAll(
                                List.of(
                                        TestMover.swap(first, one, toTwo),
                                        TestMover.swap(second, two, toTwo),
                                        move,
                                        move)))
                .containsExactly(
                        ErrorCode.INVALID_ARGUMENT.wire(),
                        ErrorCode.NO_SUCH_NODE.wire(),
                        0,
                        ErrorCode.STALE_REFERENCE.wire());
        assertThat(serversOf("/f")).containsExactly(slow.id());
        assertThat(mover.use(0).demoted()).isEqualTo(MIB);
    }

    @Test
    void blocksThatAreGrantedTogetherLieOneBehindTheOther() throws IOException {
        long node = session.file("/f", 8 * MIB).id();
        GrantCopies.Reply granted =
                mover.grantAll(1, 1, Collections.nCopies(8, new GrantCopies.Copy(node, MIB)));
        for (int i = 1; i < 8; i++) {
            assertThat(granted.grants().get(i).offset())
                    .isEqualTo(granted.grants().get(i - 1).offset() + MIB);
        }
    }

    @Test
    void aQuotaOfTheOtherClassIsKept() throws IOException {
        session.setQuota("/", -1, List.of(new SetQuota.ClassLimit(1, 4096)));
        long node = session.file("/f", MIB).id();
        assertThatThrownBy(() -> mover.grant(node, MIB, 1, 255))
                .isInstanceOf(QuotaExceededException.class);
        assertThat(serversOf("/f")).containsExactly(fast.id());
    }

    @Test
    void whatLeavesADrainedServerGoesBeyondAQuota() throws IOException {
        session.setQuota("/", -1, List.of(new SetQuota.ClassLimit(1, 4096)));
        long node = session.file("/f", MIB).id();
        session.wire().call(new Drain.Request(fast.id(), true), Drain.Reply::decode);
        BlockReference copy =
                session.wire()
                        .call(
                                new Grant.Request(
                                        node, 0, TestSession.NOTHING, MIB, true, new int[0]),
                                Grant.Reply::decode)
                        .grants()
                        .get(0);
        assertThat(mover.moveAll(List.of(TestMover.swap(node, extents("/f").get(0), copy))))
                .containsExactly(0);
        assertThat(serversOf("/f")).containsExactly(slow.id());
    }

    @Test
    void whatIsPinnedStaysHoweverColdItIs() throws IOException {
        session.mkdir("/pinned");
        session.mkdir("/pinned/below");
        session.setXattr("/pinned", Xattrs.PINNED, "");
        session.file("/pinned/below/f", 4 * MIB);
        session.table("/pinned/t");
        pass(IDLE);
        files(13);
        pass(IDLE);
        assertThat(mover.work(fast.id())).hasSize(7).doesNotContain("/pinned/below/f");
        assertThat(serversOf("/pinned/below/f")).containsExactly(fast.id());
        session.setXattr("/pinned", Xattrs.PINNED, SetXattr.REMOVE, new byte[0]);
        pass(IDLE);
        session.file("/more", 7 * MIB);
        pass(IDLE);
        assertThat(mover.work(fast.id())).contains("/pinned/below/f");
    }

    @Test
    void whatAQuotaKeepsDoesNotStandInTheWayOfOthers() throws IOException {
        session.mkdir("/kept");
        session.setQuota("/kept", -1, List.of(new SetQuota.ClassLimit(1, 4096)));
        session.file("/kept/f", 8 * MIB);
        pass(IDLE);
        files(9);
        pass(IDLE);
        assertThat(mover.work(fast.id())).hasSize(7).doesNotContain("/kept/f");
        assertThat(mover.use(0).used()).isEqualTo(10L * MIB);
    }

    @Test
    void aQuotaOfOneClassLeadsToTheNext() throws IOException {
        FakeStorage slowest = storage(2, 40);
        session.setQuota("/", -1, List.of(new SetQuota.ClassLimit(1, 4096)));
        long node = session.file("/f", MIB).id();
        assertThat(mover.grant(node, MIB, 1, 255).server()).isEqualTo(slowest.id());
    }

    @Test
    void oneServerHasOneMoverUntilThatHasGone() throws IOException {
        files(17);
        pass(IDLE);
        TestSession other = namenode.session("other");
        TestMover second = new TestMover(other);
        assertThat(mover.decided(fast.id(), MIB).extents()).hasSize(1);
        assertThat(second.decided(fast.id(), MIB).server()).isZero();
        assertThat(second.decided(0, MIB).extents()).isEmpty();
        assertThat(mover.status().movers())
                .singleElement()
                .satisfies(
                        each -> {
                            assertThat(each.server()).isEqualTo(fast.id());
                            assertThat(each.planned()).isEqualTo(MIB);
                        });
        session.endSession();
        session = other;
        assertThat(second.decided(0, MIB).server()).isEqualTo(fast.id());
        assertThat(second.work(fast.id())).hasSize(7);
    }

    @Test
    void aMoverThatIsSilentLosesItsClaim() throws IOException {
        files(17);
        pass(IDLE);
        TestSession other = namenode.session("other");
        assertThat(new TestMover(other).decided(fast.id(), MIB).server()).isEqualTo(fast.id());
        pass(Duration.ofSeconds(31));
        assertThat(mover.work(fast.id())).hasSize(7);
        other.close();
    }

    @Test
    void theStateOfAPausedClusterOutlivesTheNamenode() throws IOException {
        files(17);
        pass(IDLE);
        set(TierSet.PAUSED, true, 0, 0, 0);
        set(TierSet.MARKS | TierSet.RATE, false, 70, 60, 5 * MIB);
        assertThat(mover.work(fast.id())).isEmpty();
        namenode.restart();
        reconnect();
        assertThat(mover.status().paused()).isTrue();
        assertThat(mover.status().highPercent()).isEqualTo(70);
        namenode.snapshot();
        namenode.restart();
        reconnect();
        pass(IDLE);
        assertThat(mover.work(fast.id())).isEmpty();
        set(TierSet.PAUSED, false, 0, 0, 0);
        assertThat(mover.plan(fast.id(), MIB).bytesPerSecond()).isEqualTo(5 * MIB);
        mover.work(fast.id());
        assertThat(mover.use(0).used()).isEqualTo(12L * MIB);
        set(TierSet.MARKS, false, 0, 0, 0);
        assertThat(mover.status().lowPercent()).isEqualTo(50);
        assertThatThrownBy(() -> set(TierSet.MARKS, false, 60, 60, 0))
                .isInstanceOf(InvalidArgumentException.class);
    }

    private void reconnect() throws IOException {
        session.wire().reconnect(namenode::connect);
        fast.register(namenode::connect);
        slow.register(namenode::connect);
    }

    private void set(int mask, boolean paused, int high, int low, long rate) throws IOException {
        session.wire()
                .call(
                        new TierSet.Request(mask, paused, high, low, rate),
                        unused -> new TierSet.Reply());
    }

    @Test
    void whatLiesBelowAPathAndNotInAClassIsListed() throws IOException {
        session.mkdir("/d");
        session.mkdir("/d/slow");
        session.setStorageClass("/d/slow", 1);
        session.file("/d/a", MIB);
        session.file("/d/slow/b", MIB);
        session.file("/e", MIB);
        assertThat(below("/d", 1).owners()).extracting(Movable.Owner::path).containsExactly("/d/a");
        assertThat(below("/d", 0).owners()).isEmpty();
        assertThat(below("/d", 0).pinned()).isEqualTo(1);
        assertThat(below("/e", 1).owners()).extracting(Movable.Owner::path).containsExactly("/e");
        assertThatThrownBy(() -> below("", 1)).isInstanceOf(CrailException.class);
    }

    private Movable.Reply below(String path, int storageClass) throws IOException {
        return session.wire()
                .call(
                        new Movable.Request(0, 0, 64, TestSession.bytes(path), storageClass),
                        Movable.Reply::decode);
    }

    @Test
    void valuesMoveToo() throws IOException {
        session.table("/t");
        for (int i = 0; i < 17; i++) {
            session.putBlocks("/t", "k" + i, TestRequests.fill(session.grantValue("/t", MIB), MIB));
        }
        pass(IDLE);
        assertThat(mover.work(fast.id())).hasSize(7);
        assertThat(mover.use(0).used()).isEqualTo(10L * MIB);
    }
}
