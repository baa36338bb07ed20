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
 * block, the latest generation: so it is bounded by the number of blocks, however often the
 * namenode repeats itself.
 *
 * <p>Thread-safe.
 */
final class FreedQueue {
    private record Key(int segment, int record) {}

    private final Map<Key, Freed> entries = new LinkedHashMap<>();

    synchronized void add(Revoke revoke, long generation) {
        entries.put(
                new Key(revoke.segment(), revoke.record()),
                new Freed(revoke.segment(), revoke.record(), revoke.length(), generation));
    }

    /** Up to {@code max} entries, oldest first; they stay until {@link #confirmed}. */
    synchronized List<Freed> batch(int max) {
        List<Freed> batch = new ArrayList<>(Math.min(max, entries.size()));
        for (Freed freed : entries.values()) {
            if (batch.size() == max) {
                break;
            }
            batch.add(freed);
        }
        return batch;
    }

    /** The namenode knows; what was freed once more meanwhile stays. */
    synchronized void confirmed(List<Freed> batch) {
        for (Freed freed : batch) {
            entries.remove(new Key(freed.segment(), freed.record()), freed);
        }
    }
}
