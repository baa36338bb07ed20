// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sums up a container's children anew, some at a time, while the tree changes in between.
 *
 * <p>At any time the sum is that of the children up to a name, as they are now: {@link Recounts}
 * tells of each change of a child, and one of a child that has been passed is added here as it is
 * to the container's own sums. A child that comes behind that name is met later, and one that goes
 * from there never was counted. So when the last child is passed, the sum is what a single step
 * would find at that moment. Owned by the engine thread.
 */
public final class SlicedRecount {
    private final ContainerNode container;
    private final TotalsRecount recount;
    private final Totals sums = new Totals();
    private byte @Nullable [] last;
    private long counted;
    private boolean complete;

    SlicedRecount(ContainerNode container, TotalsRecount recount) {
        this.container = container;
        this.recount = recount;
    }

    /**
     * Counts some more children.
     *
     * @param limit most children to look at
     * @return how many were looked at
     */
    public int goOn(int limit) {
        long before = counted;
        complete =
                !container.page(
                        last,
                        limit,
                        child -> {
                            recount.add(sums, child);
                            last = child.name();
                            counted++;
                        });
        return (int) (counted - before);
    }

    /** Whether all children have been counted. */
    public boolean isComplete() {
        return complete;
    }

    /** Children that were counted, whether they are still there or not. */
    public long counted() {
        return counted;
    }

    /** What {@link ContainerNode#below} should be, once complete. */
    public Totals found() {
        return sums;
    }

    boolean isOf(ContainerNode other) {
        return container == other;
    }

    /** The sums of a child, if it has been passed; a change of them is to be added. */
    @Nullable Totals sumsWith(ContainerNode parent, Node child) {
        boolean passed =
                parent == container
                        && last != null
                        && Arrays.compareUnsigned(child.name(), last) <= 0;
        return passed ? sums : null;
    }
}
