// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.GrantCopies;
import io.crail.protocol.message.Move;
import io.crail.protocol.message.MoveCopies;
import io.crail.protocol.message.TierPlan;
import io.crail.protocol.message.TierStatus;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Asks and swaps as a mover does, without any bytes. */
final class TestMover {
    static final int BATCH = 64 << 20;

    private final TestSession session;

    TestMover(TestSession session) {
        this.session = session;
    }

    TierPlan.Reply plan(int server, int bytes) throws IOException {
        return session.wire().call(new TierPlan.Request(server, bytes), TierPlan.Reply::decode);
    }

    /** The next plan that says what to move, or when to ask again. */
    TierPlan.Reply decided(int server, int bytes) throws IOException {
        TierPlan.Reply plan = plan(server, bytes);
        while (plan.extents().isEmpty() && plan.waitMillis() == 0) {
            plan = plan(server, bytes);
        }
        return plan;
    }

    TierStatus.Reply status() throws IOException {
        return session.wire().call(new TierStatus.Request(), TierStatus.Reply::decode);
    }

    TierStatus.ClassUse use(int storageClass) throws IOException {
        return status().classes().stream()
                .filter(each -> each.storageClass() == storageClass)
                .findFirst()
                .orElseThrow();
    }

    /** A block for the copy of one block, or why there is none. */
    BlockReference grant(long node, int bytes, int firstClass, int lastClass) throws IOException {
        GrantCopies.Reply reply =
                grantAll(firstClass, lastClass, List.of(new GrantCopies.Copy(node, bytes)));
        check(reply.statuses()[0]);
        return reply.grants().get(0);
    }

    GrantCopies.Reply grantAll(int firstClass, int lastClass, List<GrantCopies.Copy> copies)
            throws IOException {
        return session.wire()
                .call(
                        new GrantCopies.Request(firstClass, lastClass, copies),
                        GrantCopies.Reply::decode);
    }

    int[] moveAll(List<Move.Request> moves) throws IOException {
        return session.wire()
                .call(new MoveCopies.Request(moves), MoveCopies.Reply::decode)
                .statuses();
    }

    static Move.Request swap(long node, Extent extent, BlockReference copy) {
        return new Move.Request(
                node,
                extent.offset(),
                extent.block().id(),
                extent.block().generation(),
                new CommittedExtent(copy, extent.length(), extent.tailCrc()));
    }

    private static void check(int status) throws CrailException {
        if (status != 0) {
            throw CrailException.of(ErrorCode.ofWire(status), "one of many");
        }
    }

    /** Grants, and swaps, all of a plan together. */
    void carryOut(TierPlan.Reply plan) throws IOException {
        List<GrantCopies.Copy> copies = new ArrayList<>();
        for (int i = 0; i < plan.extents().size(); i++) {
            copies.add(
                    new GrantCopies.Copy(
                            plan.owners().get(i).node(), plan.extents().get(i).block().length()));
        }
        GrantCopies.Reply granted = grantAll(plan.firstClass(), plan.lastClass(), copies);
        List<Move.Request> moves = new ArrayList<>();
        for (int i = 0; i < copies.size(); i++) {
            check(granted.statuses()[i]);
            moves.add(swap(copies.get(i).node(), plan.extents().get(i), granted.grants().get(i)));
        }
        for (int status : moveAll(moves)) {
            check(status);
        }
    }

    /** Works until there is nothing to do; returns the paths of what was moved, in order. */
    List<String> work(int server) throws IOException {
        LinkedHashSet<String> moved = new LinkedHashSet<>();
        TierPlan.Reply plan = decided(server, BATCH);
        while (!plan.extents().isEmpty()) {
            plan.owners().forEach(owner -> moved.add(owner.path()));
            carryOut(plan);
            plan = decided(server, BATCH);
        }
        return new ArrayList<>(moved);
    }
}
