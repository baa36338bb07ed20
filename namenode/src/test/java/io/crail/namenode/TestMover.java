// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Move;
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

    List<BlockReference> grant(long node, int bytes, int firstClass, int lastClass)
            throws IOException {
        return session.wire()
                .call(
                        new Grant.Request(
                                node,
                                0,
                                TestSession.NOTHING,
                                bytes,
                                true,
                                new int[0],
                                firstClass,
                                lastClass),
                        Grant.Reply::decode)
                .grants();
    }

    void move(long node, Extent extent, int firstClass, int lastClass) throws IOException {
        BlockReference copy = grant(node, extent.block().length(), firstClass, lastClass).get(0);
        session.wire()
                .call(
                        new Move.Request(
                                node,
                                extent.offset(),
                                extent.block().id(),
                                extent.block().generation(),
                                new CommittedExtent(copy, extent.length(), extent.tailCrc())),
                        unused -> new Move.Reply());
    }

    void carryOut(TierPlan.Reply plan) throws IOException {
        for (int i = 0; i < plan.extents().size(); i++) {
            move(
                    plan.owners().get(i).node(),
                    plan.extents().get(i),
                    plan.firstClass(),
                    plan.lastClass());
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
