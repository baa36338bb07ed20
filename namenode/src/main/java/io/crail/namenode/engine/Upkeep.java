// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ReadOnlyException;
import io.crail.namenode.session.Handle;
import io.crail.namenode.session.MemberGroup;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.DropUnlinked;
import io.crail.namenode.state.EndSession;
import io.crail.namenode.state.ExpireMembers;
import io.crail.namenode.state.ExpireNodes;
import io.crail.namenode.state.PassTime;
import io.crail.namenode.state.ReapMembers;
import io.crail.namenode.state.ReapNode;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Lifetimes;
import io.crail.namenode.tree.Node;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What happens by itself: sessions end, removed trees are taken apart, unlinked files go. */
final class Upkeep {
    private static final Logger LOG = LoggerFactory.getLogger(Upkeep.class);

    private static final long SESSIONS_EVERY = 250_000_000L;
    private static final long UNLINKED_EVERY = 10_000_000_000L;
    private static final long REAP_NANOS = 1_000_000L;
    private static final long EXPIRE_NANOS = 1_000_000L;
    private static final long RECORD_MILLIS = 10_000;
    private static final int REAP_STEP = 128;
    private static final int REAP_BLOCKS = 2048;

    private final Core core;
    private long nextSessions;
    private long nextUnlinked;

    Upkeep(Core core) {
        this.core = core;
        this.nextSessions = core.nanos();
        this.nextUnlinked = core.nanos() + UNLINKED_EVERY;
    }

    /** After a pause or restart of the namenode every session gets a full period. */
    void forgiveAll() {
        for (Session session : core.state().sessions().all()) {
            session.heard(core.nanos());
        }
    }

    /** Returns whether more can be done at once. */
    boolean tick() throws ReadOnlyException {
        if (core.isReadOnly()) {
            return false;
        }
        if (core.nanos() - nextSessions >= 0) {
            nextSessions = core.nanos() + SESSIONS_EVERY;
            endSilentSessions();
        }
        if (core.nanos() - nextUnlinked >= 0) {
            nextUnlinked = core.nanos() + UNLINKED_EVERY;
            dropUnlinked();
        }
        boolean more = expire();
        more |= reap();
        return reapMembers() || more;
    }

    /**
     * Removes what is due, in steps, for a millisecond at most; what is not due costs nothing. And
     * records the time now and then, so that a crash gives no node much more of it.
     */
    private boolean expire() throws ReadOnlyException {
        long until = core.workNanos() + EXPIRE_NANOS;
        Lifetimes lifetimes = core.state().tree().lifetimes();
        while (lifetimes.due() != null && core.workNanos() < until) {
            core.commit(new ExpireNodes(lifetimes.now(), core.millis(), due(lifetimes)));
        }
        if (lifetimes.isUnrecorded() && lifetimes.now() - lifetimes.recorded() >= RECORD_MILLIS) {
            core.commit(new PassTime(lifetimes.now()));
        }
        return lifetimes.due() != null;
    }

    private static List<ExpireNodes.Named> due(Lifetimes lifetimes) {
        List<ExpireNodes.Named> nodes = new ArrayList<>();
        int blocks = 0;
        while (nodes.size() < REAP_STEP && blocks < REAP_BLOCKS) {
            Node node = lifetimes.pollDue();
            if (node == null) {
                break;
            }
            ContainerNode parent = node.parent();
            if (parent == null) {
                throw new IllegalStateException("node " + node.id() + " has an end but no name");
            }
            nodes.add(new ExpireNodes.Named(parent.id(), node.name()));
            blocks += node.blocks();
        }
        return nodes;
    }

    private void endSilentSessions() throws ReadOnlyException {
        List<Session> silent = new ArrayList<>();
        for (Session session : core.state().sessions().all()) {
            long nanos = session.identity().timeoutMillis() * 1_000_000L;
            if (core.nanos() - session.lastHeardNanos() > nanos) {
                silent.add(session);
            }
        }
        for (Session session : silent) {
            LogFields.session(
                    session.id(),
                    () ->
                            LOG.info(
                                    "session {} ({}) ends: silent for more than {} ms",
                                    session.id(),
                                    session.identity().name(),
                                    session.identity().timeoutMillis()));
            core.commit(new EndSession(session.id(), core.millis()));
        }
    }

    private void dropUnlinked() throws ReadOnlyException {
        long limit = core.millis() - core.config().unlinkedRetention().toMillis();
        Set<Long> expired = new LinkedHashSet<>();
        for (Session session : core.state().sessions().all()) {
            for (Handle handle : session.handles().values()) {
                if (handle.file().isUnlinked() && handle.file().unlinkedMillis() < limit) {
                    expired.add(handle.file().id());
                }
            }
        }
        for (long id : expired) {
            LOG.info("node {} was removed while open, and its retention is over", id);
            core.commit(new DropUnlinked(id));
        }
        for (Session session : core.state().sessions().all()) {
            for (MemberGroup group : List.copyOf(session.groups().values())) {
                if (group.hasUnlinkedBefore(limit)) {
                    LOG.info(
                            "members that session {} has open were removed, and their retention is"
                                    + " over",
                            session.id());
                    core.commit(new ExpireMembers(session.id(), group.id(), limit));
                }
            }
        }
    }

    /** Takes released members from their readers, a fraction of a millisecond at a time. */
    private boolean reapMembers() throws ReadOnlyException {
        long until = core.workNanos() + REAP_NANOS;
        ArrayDeque<FileNode> released = core.state().released();
        while (!released.isEmpty() && core.workNanos() < until) {
            int count = 0;
            int blocks = 0;
            for (FileNode member : released) {
                if (count == REAP_STEP || blocks >= REAP_BLOCKS) {
                    break;
                }
                count++;
                blocks += member.isUnlinked() ? member.blocks() : 0;
            }
            core.commit(new ReapMembers(count));
        }
        return !released.isEmpty();
    }

    private boolean reap() throws ReadOnlyException {
        long until = core.workNanos() + REAP_NANOS;
        Node node = core.state().tree().nextDetached();
        while (node != null && core.workNanos() < until) {
            core.commit(new ReapNode(node.id(), step(node)));
            node = core.state().tree().nextDetached();
        }
        return node != null;
    }

    /** So many entries that they and their blocks are freed in a fraction of a millisecond. */
    private static int step(Node node) {
        if (!(node instanceof ContainerNode container)) {
            return REAP_BLOCKS;
        }
        int[] sums = new int[2];
        container.page(
                null,
                REAP_STEP,
                entry -> {
                    if (sums[1] < REAP_BLOCKS) {
                        sums[0]++;
                        sums[1] += Math.min(entry.blocks(), REAP_BLOCKS);
                    }
                });
        return sums[0];
    }
}
