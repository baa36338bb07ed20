// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.namenode.state.State;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.protocol.node.Xattrs;
import java.util.List;

/**
 * What keeps a node where it is however cold it is: somebody has pinned it, or a directory above
 * it; or a quota lets none of the classes behind have more of it. Asked of every node of a walk:
 * two comparisons while nobody has pinned anything, and there are no quotas.
 */
final class Bounds {
    private final State state;
    private final List<Integer> behind;

    /**
     * The bounds of nodes in one class.
     *
     * @param behind the classes behind it that have servers
     */
    Bounds(State state, List<Integer> behind) {
        this.state = state;
        this.behind = List.copyOf(behind);
    }

    boolean hold(Node node, ExtentList list) {
        return (state.tree().extras().xattrBytes() > 0 && isPinned(node))
                || (state.tree().extras().hasQuotas()
                        && behind.stream().noneMatch(each -> mayGo(node, list, each)));
    }

    private static boolean isPinned(Node node) {
        for (Node up = node; up != null; up = up.parent()) {
            if (up.xattrs().containsKey(Xattrs.PINNED)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a first block of it may go; what is beyond that is seen when it is granted. */
    private static boolean mayGo(Node node, ExtentList list, int storageClass) {
        for (ContainerNode up = node.parent(); up != null; up = up.parent()) {
            Long limit = up.quota().bytes().get(storageClass);
            if (limit != null && up.below().allocated(storageClass) + list.blockLength(0) > limit) {
                return false;
            }
        }
        return true;
    }
}
