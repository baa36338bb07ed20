// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.namenode.state.State;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.UseClock;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;

/**
 * Finds the coldest nodes that have blocks on a server, in two walks over all nodes: the first adds
 * up how many bytes are how cold, the second picks those that are colder than what gives enough.
 * Both in slices of the hash of the node ids: a node that is there all the time is seen, and one
 * that comes or goes is seen or not. Ages are those at the beginning, so that a node does not grow
 * colder between the walks; one that was used since is not picked.
 *
 * <p>Of the warmest step that is needed no more is picked than is needed, to be moved last, and of
 * all colder ones everything: so what stays is not colder than what goes, as exactly as ages are
 * told apart.
 */
final class Sweep {
    /** Of nodes with more extents, as many are looked at. */
    private static final int LOOKS = 4096;

    /** Ids that wait to be moved; the walk goes on when there are fewer. */
    private static final int MAX_PICKED = 4096;

    private final int server;
    private final int storageClass;
    private final Bounds bounds;
    private final int started;
    private final long idle;
    private final ColdAges ages = new ColdAges();
    private final ArrayDeque<Long> colder = new ArrayDeque<>();
    private final ArrayDeque<Long> warmest = new ArrayDeque<>();
    private boolean counted;
    private boolean ended;
    private long cursor;
    private int step;
    private long left;

    /**
     * A sweep that has not begun.
     *
     * @param seconds the use clock
     * @param idle seconds for which what is cold was not used
     * @param bounds of the nodes in that class
     */
    Sweep(int server, int storageClass, int seconds, long idle, Bounds bounds) {
        this.server = server;
        this.storageClass = storageClass;
        this.started = seconds;
        this.idle = idle;
        this.bounds = bounds;
    }

    /** Whether all that was picked has been taken, and no more will be. */
    boolean isEnded() {
        return ended && colder.isEmpty() && warmest.isEmpty();
    }

    /** Whether a node can be taken now: those of the warmest step come when there are no others. */
    boolean hasNext() {
        return !colder.isEmpty() || (ended && !warmest.isEmpty());
    }

    /** The next node to be moved; there must be one. */
    long next() {
        return colder.isEmpty() ? warmest.remove() : colder.remove();
    }

    /**
     * Goes on for a slice of time, at least for one slice of nodes.
     *
     * @param needed bytes to be moved from the server
     * @param until when to stop, by {@code clock}
     */
    void advance(State state, long needed, LongSupplier clock, long until) {
        do {
            if (!counted) {
                cursor = state.tree().visit(cursor, this::count);
                if (cursor < 0) {
                    begin(needed);
                }
            } else {
                cursor = state.tree().visit(cursor, node -> pick(state, node));
                ended = cursor < 0;
            }
        } while (!ended && colder.size() < MAX_PICKED && clock.getAsLong() - until < 0);
    }

    private void begin(long needed) {
        counted = true;
        cursor = 0;
        ended = ages.total() == 0;
        step = ages.coldest(needed);
        left = Math.max(1, needed - ages.above(step));
    }

    private void count(Node node) {
        int cold = step(node);
        if (cold >= 0) {
            ages.add(cold, bytes(node));
        }
    }

    private void pick(State state, Node node) {
        int cold = step(node);
        boolean last = cold == step;
        if (cold < step || (last && (left <= 0 || warmest.size() >= MAX_PICKED))) {
            return;
        }
        long bytes = bytes(node);
        if (bytes > 0 && state.tree().isNamed(node)) {
            left -= last ? bytes : 0;
            (last ? warmest : colder).add(node.id());
        }
    }

    /** How cold a node is, negative if it must stay. */
    private int step(Node node) {
        ExtentList list = node.extents();
        return list == null || !isCold(node, list)
                ? -1
                : isMisplaced(node) ? ColdAges.MISPLACED : ColdAges.step(age(list));
    }

    private int age(ExtentList list) {
        return started - UseClock.lastUse(list);
    }

    private boolean isMisplaced(Node node) {
        return node.attributes().storageClass() > storageClass;
    }

    /** Whether a node may go, if it is among the coldest: now, as well as when it was picked. */
    boolean isCold(Node node, ExtentList list) {
        return list.count() > 0
                && !Movability.isInUse(node)
                && (age(list) >= idle || isMisplaced(node))
                && UseClock.lastUse(list) <= started
                && !bounds.hold(node, list);
    }

    /** Bytes of its blocks on the server; of a long list as its sample has it. */
    private long bytes(Node node) {
        ExtentList list = node.extents();
        if (list == null) {
            return 0;
        }
        int count = list.count();
        int stride = 1 + count / LOOKS;
        long bytes = 0;
        for (int i = 0; i < count; i += stride) {
            if (list.server(i) == server) {
                bytes += list.blockLength(i);
            }
        }
        return bytes * stride;
    }
}
