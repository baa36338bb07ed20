// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/** Is passed blocks; must not call the {@link BlockMap} that calls it. */
@FunctionalInterface
public interface BlockConsumer {
    /**
     * A block.
     *
     * @param server server id
     * @param segment number of the segment
     * @param record index of the block's first slot
     * @param length size of the block in bytes
     * @param generation its generation
     */
    void accept(int server, int segment, int record, int length, long generation);
}
