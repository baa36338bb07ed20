// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.block;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The block tables of all segments of a tier, by segment number. Thread-safe; only grows. */
public final class Blocks {
    private final Map<Integer, BlockTable> tables = new ConcurrentHashMap<>();

    /** Adds a segment; requests may use it from now on. */
    public void add(BlockTable table) {
        BlockTable before = tables.putIfAbsent(table.number(), table);
        if (before != null) {
            throw new IllegalStateException("segment " + table.number() + " is there already");
        }
    }

    /** The table of a segment, or null if there is no such segment. */
    public @Nullable BlockTable table(int segment) {
        return tables.get(segment);
    }

    public List<BlockTable> all() {
        return List.copyOf(tables.values());
    }
}
