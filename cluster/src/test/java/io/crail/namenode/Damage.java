// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.block.BlockMap;
import io.crail.protocol.block.BlockId;
import java.io.IOException;

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
}
