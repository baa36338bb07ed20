// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.BlockUse;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;

/**
 * A granted block that a writer fills from its start, or goes on filling. Lengths are bytes of the
 * block: committed &lt;= completed &lt;= assigned &lt;= block length.
 */
final class OpenBlock {
    private final BlockReference reference;

    /** Position in the file of the block's first byte. */
    private final long base;

    private final BlockUse use;

    private int assigned;
    private int completed;
    private int completedTail;
    private int committed;
    private boolean sealed;

    OpenBlock(BlockReference reference, long position, int alreadyCommitted) {
        this.reference = reference;
        this.base = position - alreadyCommitted;
        this.use = alreadyCommitted == 0 ? BlockUse.fresh() : BlockUse.continued();
        this.assigned = alreadyCommitted;
        this.completed = alreadyCommitted;
        this.committed = alreadyCommitted;
    }

    BlockReference reference() {
        return reference;
    }

    long base() {
        return base;
    }

    BlockUse use() {
        return use;
    }

    int assigned() {
        return assigned;
    }

    int committed() {
        return committed;
    }

    int completed() {
        return completed;
    }

    int room() {
        return sealed ? 0 : reference.length() - assigned;
    }

    void assign(int bytes) {
        assigned += bytes;
        assert assigned <= reference.length();
    }

    /** The bytes up to {@code length} are at the server; {@code tail} is what a commit states. */
    void complete(int length, int tail) {
        completed = length;
        completedTail = tail;
    }

    boolean isFullyCompleted() {
        return completed == assigned && room() == 0;
    }

    /** The block ends with what is committed of it. */
    void seal() {
        assigned = committed;
        completed = committed;
        sealed = true;
    }

    boolean hasUncommitted() {
        return completed > committed;
    }

    CommittedExtent toCommit() {
        return new CommittedExtent(reference, completed, completedTail);
    }

    void commit(int length) {
        committed = length;
    }

    /** Whether nothing more will be committed of it. */
    boolean isDone() {
        return room() == 0 && committed == assigned;
    }
}
