// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * What few nodes have: a time to live, a binding to a session, extended attributes, a quota. Stands
 * in the place of the shared attributes and refers to them. Changed by {@link ExtraFields} only.
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

    /** Extended attributes. */
    @Nullable NavigableMap<String, byte[]> xattrs;

    /** What may lie below it at most. */
    @Nullable Quota quota;

    Extras(Node node, Lifetimes lifetimes, AttributePool.Interned shared) {
        this.node = node;
        this.lifetimes = lifetimes;
        this.shared = shared;
    }

    boolean isEmpty() {
        return deadline == NO_DEADLINE
                && session == 0
                && quota == null
                && (xattrs == null || xattrs.isEmpty());
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
