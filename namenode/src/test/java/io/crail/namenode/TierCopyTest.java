// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.QuotaExceededException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.GrantCopies;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.SetQuota;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where copies of what moves between two storage classes may go: classes, quotas, room. */
final class TierCopyTest extends TwoClasses {
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
}
