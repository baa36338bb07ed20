// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.TierSet;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Who moves between two storage classes, and how that is steered and listed. */
final class TierMoverTest extends TwoClasses {
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
    void aMoverThatAsksForNothingKeepsItsClaimAndItsPlace() throws IOException {
        files(17);
        pass(IDLE);
        assertThat(mover.plan(fast.id(), 0).extents()).isEmpty();
        pass(Duration.ofSeconds(20));
        assertThat(mover.plan(fast.id(), 0).server()).isEqualTo(fast.id());
        pass(Duration.ofSeconds(20));
        TestSession other = namenode.session("other");
        assertThat(new TestMover(other).decided(fast.id(), MIB).server()).isZero();
        assertThat(mover.status().movers())
                .singleElement()
                .satisfies(each -> assertThat(each.planned()).isZero());
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
}
