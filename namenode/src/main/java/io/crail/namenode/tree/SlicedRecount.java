// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Sums up a container's children anew, some at a time, while the tree changes in between.
 *
 * <p>At any time the sum is that of the children up to a name, as they are now: {@link Recounts}
 * tells of each change of a child, and one of a child that has been passed is added here as it is
 * to the container's own sums. A child that comes behind that name is met later, and one that goes
 * from there never was counted. So when the last child is passed, the sum is what a single step
 * would find at that moment.
 *
 * <p>A child of many blocks is passed before they are summed up, as they were at that moment: in a
 * {@linkplain ExtentList#frozen frozen} list, which costs a reference for every {@value
 * ExtentList#PART} of them. What changes it afterwards is added as for all that have been passed,
 * so that the sum is right again as soon as the list is at its end. Owned by the engine thread.
 */
public final class SlicedRecount {
    /** A child with no more blocks than this takes one look. */
    static final int FEW_BLOCKS = 16;

    /** Children that are passed at once: each may leave a list to be summed up. */
    private static final int CHILDREN = 64;

    private final ContainerNode container;
    private final TotalsRecount recount;
    private final Totals sums = new Totals();

    /** Blocks of children that have been passed, and how far the first list is summed up. */
    private final ArrayDeque<ExtentList> unsummed = new ArrayDeque<>();

    private int summed;
    private byte @Nullable [] last;
    private boolean complete;
    private long counted;

    SlicedRecount(ContainerNode container, TotalsRecount recount) {
        this.container = container;
        this.recount = recount;
    }

    /**
     * Counts some more children.
     *
     * @param limit most children, or blocks of those that have many, to look at
     * @return how many were looked at
     */
    public int goOn(int limit) {
        long before = counted;
        while (!complete && counted - before < limit) {
            int left = limit - (int) (counted - before);
            ExtentList list = unsummed.peekFirst();
            if (list != null) {
                sum(list, left);
            } else {
                // Also once more behind the last list: children may have come meanwhile.
                boolean more = container.page(last, Math.min(left, CHILDREN), this::pass);
                complete = !more && unsummed.isEmpty();
            }
        }
        return (int) (counted - before);
    }

    private void pass(Node child) {
        last = child.name();
        counted++;
        ExtentList blocks = recount.add(sums, child, FEW_BLOCKS);
        if (blocks != null) {
            unsummed.addLast(blocks.frozen());
        }
    }

    private void sum(ExtentList list, int limit) {
        int end = Math.min(list.count(), summed + limit);
        recount.addBlocks(sums, list, summed, end);
        counted += end - summed;
        summed = end;
        if (end == list.count()) {
            unsummed.removeFirst();
            summed = 0;
        }
    }

    /** Whether all children have been counted. */
    public boolean isComplete() {
        return complete;
    }

    /** What was looked at, whether it is still there or not. */
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
