// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

/**
 * Keeps the sums of all subtrees exact: whatever comes, goes or grows is added to every container
 * above it, and to the whole if it is reached from the root.
 */
final class Accounts {
    private final ContainerNode root;
    private final BlockClasses classes;
    private final Totals all = new Totals();
    private final Recounts recounts = new Recounts();

    Accounts(ContainerNode root, BlockClasses classes) {
        this.root = root;
        this.classes = classes;
        all.count(root.type(), 1);
    }

    /** Sums over all nodes that have a name, the root included. */
    Totals all() {
        return all;
    }

    /** Sums that are being made anew meanwhile. */
    Recounts recounts() {
        return recounts;
    }

    /** A node with all below it comes to a container, or with a sign of -1 goes. */
    void node(ContainerNode parent, Node node, int sign) {
        Totals sums = new Totals();
        sums.count(node.type(), 1);
        sums.length = node.length();
        sums.addBlocks(classes.of(node), 1);
        if (node instanceof ContainerNode container) {
            sums.add(container.below, 1);
        }
        add(parent, node, sums, sign);
    }

    private void add(ContainerNode parent, Node node, Totals sums, int sign) {
        Node child = node;
        for (ContainerNode up = parent; up != null; up = up.parent) {
            up.below.add(sums, sign);
            recounts.changed(up, child, sums, sign);
            child = up;
        }
        if (isAttached(parent)) {
            all.add(sums, sign);
        }
    }

    /** A node in a container grows, or shrinks. */
    void bytes(ContainerNode parent, Node node, long length, ClassBytes blocks) {
        Totals sums = new Totals();
        sums.length = length;
        sums.addBlocks(blocks, 1);
        add(parent, node, sums, 1);
    }

    private boolean isAttached(ContainerNode node) {
        ContainerNode up = node;
        while (up.parent != null) {
            up = up.parent;
        }
        return up == root;
    }
}
