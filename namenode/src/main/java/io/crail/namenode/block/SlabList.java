// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import org.jspecify.annotations.Nullable;

/** Slabs of one server with free blocks of one size, linked through the slabs themselves. */
final class SlabList {
    private @Nullable Slab head;

    boolean isEmpty() {
        return head == null;
    }

    @Nullable Slab first() {
        return head;
    }

    void add(Slab slab) {
        slab.list = this;
        slab.next = head;
        if (head != null) {
            head.previous = slab;
        }
        head = slab;
    }

    void remove(Slab slab) {
        Slab before = slab.previous;
        Slab after = slab.next;
        if (before == null) {
            head = after;
        } else {
            before.next = after;
        }
        if (after != null) {
            after.previous = before;
        }
        slab.previous = null;
        slab.next = null;
        slab.list = null;
    }
}
