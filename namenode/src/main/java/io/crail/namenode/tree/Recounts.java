// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Recounts under way. They are few: whoever asks for one more than {@link #MOST} ends that which
 * nobody has gone on with for longest, and whose asker may be gone; if he is not, it begins anew.
 */
final class Recounts {
    static final int MOST = 16;

    /** Last used last. */
    private final ArrayDeque<SlicedRecount> running = new ArrayDeque<>();

    /** The recount of a container: that which is under way, else a new one. */
    SlicedRecount of(ContainerNode container, TotalsRecount recount) {
        SlicedRecount found = null;
        for (Iterator<SlicedRecount> all = running.iterator(); found == null && all.hasNext(); ) {
            SlicedRecount one = all.next();
            if (one.isOf(container)) {
                found = one;
                all.remove();
            }
        }
        if (found == null) {
            found = new SlicedRecount(container, recount);
        }
        if (running.size() == MOST) {
            running.removeFirst();
        }
        running.addLast(found);
        return found;
    }

    void end(SlicedRecount recount) {
        running.remove(recount);
    }

    /** A child comes with these sums below its parent, or with a sign of -1 goes. */
    void changed(ContainerNode parent, Node child, Totals by, int sign) {
        for (SlicedRecount recount : running) {
            Totals sums = recount.sumsWith(parent, child);
            if (sums != null) {
                sums.add(by, sign);
            }
        }
    }
}
