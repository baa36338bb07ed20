// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tier;

import io.crail.namenode.block.BlockMap;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Splicing;
import io.crail.protocol.message.ServerState;

/** What may be moved at all. */
public final class Movability {
    private Movability() {}

    /** A writer may go on in the last block of its file, and commits it by its name. */
    public static boolean isBeingWritten(Node node, int index) {
        return node instanceof FileNode file
                && file.isLeased()
                && index == file.extents().count() - 1;
    }

    /** The copy would have no more of the block than its file. */
    public static boolean isCutWhileRead(Node node, int index) {
        return node instanceof FileNode file && Splicing.isSeenLonger(file, index);
    }

    public static boolean isLost(BlockMap blocks, ExtentList list, int i) {
        return blocks.isLost(list.server(i), list.segment(i), list.record(i), list.generation(i));
    }

    /** Whether the extent can be read now, and swapped. */
    static boolean isMovable(State state, Node node, ExtentList list, int index) {
        return state.blocks().serverState(list.server(index)) == ServerState.LIVE
                && !isLost(state.blocks(), list, index)
                && !isBeingWritten(node, index)
                && !isCutWhileRead(node, index);
    }

    /** Whether a node is left alone: an open handle, a lease, a borrower is a use that goes on. */
    static boolean isInUse(Node node) {
        return node instanceof FileNode file && (file.isOpen() || file.isUnlinked());
    }
}
