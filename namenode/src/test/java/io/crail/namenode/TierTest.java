// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.message.TierPlan;
import io.crail.protocol.node.Xattrs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What moves between two storage classes, and what does not. */
final class TierTest extends TwoClasses {
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
    void whatLiesAboveItsClassGoesFirst() throws IOException {
        files(17);
        session.setStorageClass("/f16", 1);
        pass(IDLE);
        assertThat(mover.work(fast.id())).hasSize(7).contains("/f16").doesNotContain("/f8");
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
