// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

/**
 * What few nodes have: a time to live, a binding to a session. Stands in the place of the shared
 * attributes and refers to them. Changed by {@link Tree} only.
 */
final class Extras extends AttributeSource {
    static final long NO_DEADLINE = Long.MAX_VALUE;
    static final int NOT_IN_HEAP = -1;

    final Node node;
    final Lifetimes lifetimes;
    AttributePool.Interned shared;

    /** By the clock of {@link Lifetimes}. */
    long deadline = NO_DEADLINE;

    int heapIndex = NOT_IN_HEAP;

    /** The session with which the node goes, or 0. */
    long session;

    Extras(Node node, Lifetimes lifetimes, AttributePool.Interned shared) {
        this.node = node;
        this.lifetimes = lifetimes;
        this.shared = shared;
    }

    boolean isEmpty() {
        return deadline == NO_DEADLINE && session == 0;
    }

    @Override
    Attributes get() {
        return shared.get();
    }

    @Override
    AttributePool.Interned shared() {
        return shared;
    }

    @Override
    Extras extras() {
        return this;
    }
}
