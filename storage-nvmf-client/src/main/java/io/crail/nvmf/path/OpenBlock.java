// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.protocol.block.BlockReference;

/** A block that is being written over one connection: its record, and its units written in part. */
final class OpenBlock {
    private final RecordWriter record;
    private final EdgeWriter edges;

    /**
     * @param fresh whether nothing was ever written to it, under its generation
     */
    OpenBlock(BlockReference block, boolean fresh) {
        this.record = new RecordWriter(block, fresh);
        this.edges = new EdgeWriter(block);
    }

    RecordWriter record() {
        return record;
    }

    EdgeWriter edges() {
        return edges;
    }

    /** Whether anything of it is under way. */
    boolean isBusy() {
        return record.isBusy() || edges.isBusy();
    }
}
