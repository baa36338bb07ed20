// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import io.crail.nvmf.wire.log.ErrorEntry;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;

/**
 * The last commands of a controller that failed, for the log page Error Information (NVMe Base 2.0,
 * section 5.16.1.2): it counts from one, never back, and shows the last one first. Thread-safe.
 */
public final class ErrorLog {
    /** How many are kept; one less is ELPE. */
    public static final int ENTRIES = 64;

    private record Entry(
            long number, int queueId, int commandId, int status, int namespaceId, long block) {}

    private final ArrayDeque<Entry> last = new ArrayDeque<>(ENTRIES);
    private long count;

    /**
     * A command failed.
     *
     * @param block first logical block, 0 if it has none
     */
    public synchronized void add(
            int queueId, int commandId, int status, int namespaceId, long block) {
        if (last.size() == ENTRIES) {
            last.removeLast();
        }
        count++;
        last.addFirst(new Entry(count, queueId, commandId, status, namespaceId, block));
    }

    /** All that were ever added. */
    public synchronized long count() {
        return count;
    }

    /** The whole page; entries that are not there are zeros. */
    public synchronized ByteBuffer page() {
        ByteBuffer page = ByteBuffer.allocate(ENTRIES * ErrorEntry.SIZE);
        int at = 0;
        for (Entry each : last) {
            ErrorEntry.errorCount(page, at, each.number);
            ErrorEntry.queueId(page, at, each.queueId);
            ErrorEntry.commandId(page, at, each.commandId);
            ErrorEntry.status(page, at, each.status);
            ErrorEntry.parameterLocation(page, at, ErrorEntry.NO_LOCATION);
            ErrorEntry.block(page, at, each.block);
            ErrorEntry.namespaceId(page, at, each.namespaceId);
            at += ErrorEntry.SIZE;
        }
        return page;
    }
}
