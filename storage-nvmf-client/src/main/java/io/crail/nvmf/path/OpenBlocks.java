// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.protocol.block.BlockReference;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The blocks that are being written over one connection, those used last at the end. Blocks of
 * which something is under way stay; of others a bounded number does, since the record of one that
 * was let go has to be read again. Those under way are bounded by the transfers. Thread-safe.
 */
final class OpenBlocks {
    private record Key(int record, long generation) {}

    private final int limit;
    private final Map<Key, OpenBlock> blocks = new LinkedHashMap<>(16, 0.75f, true);

    OpenBlocks(int limit) {
        this.limit = limit;
    }

    /**
     * The state of a block that is to be written.
     *
     * @param fresh whether nothing was ever written to it, under its generation: true for the first
     *     write at most, and only if that begins before all others
     */
    synchronized OpenBlock use(BlockReference block, boolean fresh) {
        OpenBlock open =
                blocks.computeIfAbsent(
                        new Key(block.record(), block.generation()),
                        key -> new OpenBlock(block, fresh));
        if (blocks.size() > limit) {
            Iterator<OpenBlock> eldest = blocks.values().iterator();
            while (blocks.size() > limit && eldest.hasNext()) {
                OpenBlock candidate = eldest.next();
                if (candidate != open && !candidate.isBusy()) {
                    eldest.remove();
                }
            }
        }
        return open;
    }

    synchronized int size() {
        return blocks.size();
    }
}
