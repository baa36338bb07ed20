// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What a mover is told: extents to be moved, or when to ask again. */
public final class Plan {
    /** So many fit an answer, with the paths that are told with them. */
    static final int MAX_EXTENTS = 512;

    private final List<Node> nodes = new ArrayList<>();
    private final List<Integer> indices = new ArrayList<>();
    private final int server;
    private final int limit;
    private int sourceClass;
    private int firstClass;
    private int lastClass;
    private int waitMillis;
    private long bytes;

    Plan(int server, int limit) {
        this.server = server;
        this.limit = limit;
    }

    void between(int source, int first, int last) {
        sourceClass = source;
        firstClass = first;
        lastClass = last;
    }

    void askAgainAfter(int millis) {
        waitMillis = millis;
    }

    boolean isEmpty() {
        return nodes.isEmpty();
    }

    boolean isFull() {
        return bytes >= limit || nodes.size() >= MAX_EXTENTS;
    }

    void add(Node node, int index) {
        ExtentList list = Objects.requireNonNull(node.extents());
        nodes.add(node);
        indices.add(index);
        bytes += list.blockLength(index);
    }

    /** Server that is claimed, 0 = none. */
    public int server() {
        return server;
    }

    public int sourceClass() {
        return sourceClass;
    }

    public int firstClass() {
        return firstClass;
    }

    public int lastClass() {
        return lastClass;
    }

    public int waitMillis() {
        return waitMillis;
    }

    /** Number of extents. */
    public int size() {
        return nodes.size();
    }

    /** Whose the extent at a position is. */
    public Node node(int at) {
        return nodes.get(at);
    }

    /** Its index in its node. */
    public int index(int at) {
        return indices.get(at);
    }

    /** Bytes of the blocks in which the extents lie. */
    public long bytes() {
        return bytes;
    }
}
