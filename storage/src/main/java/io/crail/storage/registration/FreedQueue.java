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
     * @param blocks the freed blocks, oldest first
     * @param held blocks that are not freed because they are pinned, oldest first
     * @param newest sequence number of the last one
     */
    record Batch(List<Freed> blocks, List<Freed> held, long newest) {
        boolean isEmpty() {
            return blocks.isEmpty() && held.isEmpty();
        }
    }

    private record Key(int segment, int record) {}

    private record Entry(Freed block, boolean held, long sequence) {}

    private final Map<Key, Entry> entries = new LinkedHashMap<>();
    private long sequence;

    synchronized void add(Revoke revoke, long generation) {
        add(new Freed(revoke.segment(), revoke.record(), revoke.length(), generation), false);
    }

    /** The block is pinned under the generation that was revoked. */
    synchronized void addHeld(Revoke revoke) {
        add(
                new Freed(revoke.segment(), revoke.record(), revoke.length(), revoke.generation()),
                true);
    }

    private void add(Freed block, boolean held) {
        Key key = new Key(block.segment(), block.record());
        entries.remove(key); // To the end of the queue.
        entries.put(key, new Entry(block, held, ++sequence));
    }

    synchronized boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Up to {@code max} blocks; they stay until {@link #confirmed}. */
    synchronized Batch batch(int max) {
        List<Freed> blocks = new ArrayList<>(Math.min(max, entries.size()));
        List<Freed> held = new ArrayList<>();
        long newest = 0;
        for (Entry entry : entries.values()) {
            if (blocks.size() + held.size() == max) {
                break;
            }
            (entry.held ? held : blocks).add(entry.block);
            newest = entry.sequence;
        }
        return new Batch(List.copyOf(blocks), List.copyOf(held), newest);
    }

    /** The namenode knows. What was asked for again meanwhile is reported again. */
    synchronized void confirmed(Batch batch) {
        batch.blocks.forEach(block -> confirm(block, batch.newest));
        batch.held.forEach(block -> confirm(block, batch.newest));
    }

    private void confirm(Freed block, long newest) {
        entries.computeIfPresent(
                new Key(block.segment(), block.record()),
                (key, entry) -> entry.sequence <= newest ? null : entry);
    }
}
