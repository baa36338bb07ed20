// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

/** Is passed blocks with their states; must not change the {@link BlockMap} that calls it. */
@FunctionalInterface
public interface BlockVisitor {
    /**
     * A block.
     *
     * @param record index of the block's first slot
     * @param length size of the block in bytes
     * @param state its state
     * @param generation its generation
     */
    void visit(int record, int length, BlockState state, long generation);
}
