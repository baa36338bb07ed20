// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.block.BlockMap;
import io.crail.namenode.tree.ExtentList;
import io.crail.protocol.block.BlockId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Makes a namenode's state wrong behind its log, for tests of what finds that. */
public final class Damage {
    private Damage() {}

    /** Makes a free block, in a slab that is free, one that is in use and that nobody has. */
    public static BlockId orphan(NamenodeServer namenode, int server, int length, boolean committed)
            throws IOException {
        return namenode.inEngine(
                engine -> {
                    BlockMap blocks = engine.state().blocks();
                    int segment = blocks.segments(server)[0];
                    int record = 0; // Blocks are granted from the last slab on.
                    long generation = blocks.generation(server, segment, record);
                    blocks.grant(server, segment, record, length, (int) generation);
                    if (committed) {
                        blocks.commit(server, segment, record, length, generation);
                    }
                    return new BlockId(server, segment, record);
                });
    }

    /** Makes a block one that waits to be freed, and loses the message that says so. */
    public static void losesRevoke(NamenodeServer namenode, BlockId id, int length)
            throws IOException {
        boolean unused =
                namenode.inEngine(
                        engine -> {
                            BlockMap blocks = engine.state().blocks();
                            long generation =
                                    blocks.generation(id.server(), id.segment(), id.record());
                            boolean revoked =
                                    blocks.unreference(
                                            id.server(),
                                            id.segment(),
                                            id.record(),
                                            length,
                                            generation);
                            blocks.revocations().take(id.server(), 10, (a, b, c, d, e) -> {});
                            return revoked;
                        });
    }

    /** Makes a block free although its server has not said so. */
    public static void takesForFree(NamenodeServer namenode, BlockId id, int length)
            throws IOException {
        losesRevoke(namenode, id, length);
        boolean unused =
                namenode.inEngine(
                        engine -> {
                            BlockMap blocks = engine.state().blocks();
                            long generation =
                                    blocks.generation(id.server(), id.segment(), id.record());
                            return blocks.freed(
                                    id.server(), id.segment(), id.record(), length, generation + 1);
                        });
    }

    /** The first block of the node at a path. */
    public static BlockId block(NamenodeServer namenode, String path) throws IOException {
        return namenode.inEngine(
                engine -> {
                    List<BlockId> found = new ArrayList<>();
                    long at = 0;
                    while (at >= 0) {
                        at =
                                engine.state()
                                        .tree()
                                        .visit(
                                                at,
                                                node -> {
                                                    ExtentList list = node.extents();
                                                    if (list != null && node.path().equals(path)) {
                                                        found.add(
                                                                new BlockId(
                                                                        list.server(0),
                                                                        list.segment(0),
                                                                        list.record(0)));
                                                    }
                                                });
                    }
                    return found.get(0);
                });
    }
}
