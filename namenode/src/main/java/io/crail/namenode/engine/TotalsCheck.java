// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Totals;
import io.crail.namenode.tree.TotalsRecount;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.message.Audit;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Compares the sums that containers keep with what is in them. */
final class TotalsCheck {
    /** Counter {@code i} of a mistake is the sum that is read by the reader {@code i}. */
    private static final int BYTES = 5;

    private final TotalsRecount recount;
    private final Tree tree;

    TotalsCheck(TotalsRecount recount, Tree tree) {
        this.recount = recount;
        this.tree = tree;
    }

    /**
     * Tells where a container's sums differ.
     *
     * @param found what they should be now
     */
    void container(ContainerNode container, Totals found, Consumer<Audit.Mistake> out) {
        compare(container, container.below(), found, out);
        if (container == tree.root()) {
            compare(container, tree.totals(), recount.all(), out);
        }
    }

    /** Whether a container's sums are what they should be, by one look at all its children. */
    boolean isRight(ContainerNode container) {
        boolean[] right = {true};
        container(container, recount.below(container), mistake -> right[0] = false);
        return right[0];
    }

    private static void compare(
            ContainerNode of, Totals kept, Totals found, Consumer<Audit.Mistake> out) {
        compare(of, 0, kept.directories(), found.directories(), out);
        compare(of, 1, kept.files(), found.files(), out);
        compare(of, 2, kept.tables(), found.tables(), out);
        compare(of, 3, kept.keyValues(), found.keyValues(), out);
        compare(of, 4, kept.length(), found.length(), out);
        Set<Integer> classes = new TreeSet<>();
        for (int storageClass : kept.byClass().classes()) {
            classes.add(storageClass);
        }
        for (int storageClass : found.byClass().classes()) {
            classes.add(storageClass);
        }
        for (int storageClass : classes) {
            long is = found.allocated(storageClass);
            if (kept.allocated(storageClass) != is) {
                out.accept(mistake(of, BYTES, storageClass, kept.allocated(storageClass), is));
            }
        }
    }

    private static void compare(
            ContainerNode of, int counter, long kept, long found, Consumer<Audit.Mistake> out) {
        if (kept != found) {
            out.accept(mistake(of, counter, 0, kept, found));
        }
    }

    private static Audit.Mistake mistake(
            ContainerNode of, int counter, int storageClass, long kept, long found) {
        return new Audit.Mistake(of.id(), AuditPage.path(of), counter, storageClass, kept, found);
    }
}
