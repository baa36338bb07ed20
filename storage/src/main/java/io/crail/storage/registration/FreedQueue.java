// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.registration;

import io.crail.protocol.message.AwaitCommands.Revoke;
import io.crail.protocol.message.BlocksFreed.Freed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Blocks whose revocation has ended and which the namenode has not confirmed yet. One entry per
 * block, the latest one: so it is bounded by the number of blocks, however often the namenode
 * repeats itself.
 *
 * <p>Thread-safe.
 */
final class FreedQueue {
    /**
     * What one report tells.
     *
     * @param blocks the blocks, oldest first
     * @param newest sequence number of the last one
     */
    record Batch(List<Freed> blocks, long newest) {}

    private record Key(int segment, int record) {}

    private record Entry(Freed freed, long sequence) {}

    private final Map<Key, Entry> entries = new LinkedHashMap<>();
    private long sequence;

    synchronized void add(Revoke revoke, long generation) {
        Key key = new Key(revoke.segment(), revoke.record());
        Freed freed = new Freed(revoke.segment(), revoke.record(), revoke.length(), generation);
        entries.remove(key); // To the end of the queue.
        entries.put(key, new Entry(freed, ++sequence));
    }

    /** Up to {@code max} blocks; they stay until {@link #confirmed}. */
    synchronized Batch batch(int max) {
        List<Freed> blocks = new ArrayList<>(Math.min(max, entries.size()));
        long newest = 0;
        for (Entry entry : entries.values()) {
            if (blocks.size() == max) {
                break;
            }
            blocks.add(entry.freed);
            newest = entry.sequence;
        }
        return new Batch(List.copyOf(blocks), newest);
    }

    /** The namenode knows. What was asked for again meanwhile is reported again. */
    synchronized void confirmed(Batch batch) {
        for (Freed freed : batch.blocks) {
            entries.computeIfPresent(
                    new Key(freed.segment(), freed.record()),
                    (key, entry) -> entry.sequence <= batch.newest ? null : entry);
        }
    }
}
