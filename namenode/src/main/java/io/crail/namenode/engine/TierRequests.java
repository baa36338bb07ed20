// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.namenode.state.References;
import io.crail.namenode.state.SteerTiering;
import io.crail.namenode.state.Tiering;
import io.crail.namenode.tier.Plan;
import io.crail.namenode.tier.TierConfig;
import io.crail.namenode.tier.TierPlanner;
import io.crail.namenode.tree.Node;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.TierPlan;
import io.crail.protocol.message.TierSet;
import io.crail.protocol.message.TierStatus;
import java.util.Objects;

/**
 * What movers ask, and what operators ask of movers (docs/adr/0020-tiering.md). A plan is not
 * logged: its swaps are.
 */
final class TierRequests {
    /** Of a path that is told for messages only. */
    private static final int PATH_END = 120;

    private final Core core;
    private final TierPlanner planner;

    TierRequests(Core core) {
        this.core = core;
        this.planner = new TierPlanner(core.config().tiers(), core::workNanos);
    }

    void plan(Request request) throws CrailException {
        TierPlan.Request wanted = TierPlan.Request.decode(request.control());
        if (wanted.server() != 0) {
            DrainRequests.checkServer(core, wanted.server());
        }
        Plan plan =
                planner.plan(
                        core.state(),
                        request.session(),
                        wanted.server(),
                        wanted.bytes(),
                        core.nanos());
        reply(plan, request);
    }

    private void reply(Plan plan, Request request) {
        WireWriter reply = request.beginReply();
        reply.i32(plan.server()).u8(plan.sourceClass()).u8(plan.firstClass());
        reply.u8(plan.lastClass()).i32(plan.waitMillis());
        reply.i64(core.state().tiering().bytesPerSecond());
        reply.u16(plan.size());
        for (int i = 0; i < plan.size(); i++) {
            Node node = plan.node(i);
            int mark = reply.beginRecord();
            new Movable.Owner(node.id(), end(node.path()), node.attributes().checksums())
                    .encode(reply);
            reply.endRecord(mark);
        }
        References references = core.state().references();
        long session = request.session().id();
        reply.u16(plan.size()).u16(Extent.WIRE_SIZE);
        for (int i = 0; i < plan.size(); i++) {
            references.extent(
                    reply, session, Objects.requireNonNull(plan.node(i).extents()), plan.index(i));
        }
        core.endReply(request.connection());
    }

    /** What is told of a path: hundreds of long ones would not fit an answer. */
    private static String end(String path) {
        return path.length() <= PATH_END ? path : "..." + path.substring(path.length() - PATH_END);
    }

    void status(Request request) throws CrailException {
        status().encode(request.beginReply());
        core.endReply(request.connection());
    }

    TierStatus.Reply status() {
        return planner.status(core.state(), core.nanos());
    }

    void set(Request request) throws CrailException {
        TierSet.Request wanted = TierSet.Request.decode(request.control());
        Tiering now = core.state().tiering();
        boolean paused = (wanted.mask() & TierSet.PAUSED) != 0 ? wanted.paused() : now.paused();
        boolean marks = (wanted.mask() & TierSet.MARKS) != 0;
        int high = marks ? wanted.highPercent() : now.highPercent();
        int low = marks ? wanted.lowPercent() : now.lowPercent();
        if (high != 0 || low != 0) {
            TierConfig.checkMarks(high, low);
        }
        if (wanted.mask() == 0) {
            throw new InvalidArgumentException("nothing is to be changed");
        }
        boolean rate = (wanted.mask() & TierSet.RATE) != 0;
        long bytes = rate ? wanted.bytesPerSecond() : now.bytesPerSecond();
        core.commit(request, new SteerTiering(new Tiering(paused, high, low, bytes)));
    }

    /** Bytes of an extent are in another block now. */
    void moved(int fromClass, int toClass, long bytes) {
        planner.moved(fromClass, toClass, bytes);
    }
}
