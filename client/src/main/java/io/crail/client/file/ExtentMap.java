// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.protocol.block.Extent;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The extents of a node that are known, by offset; bounded. Thread-safe. */
final class ExtentMap {
    private static final int MAX_EXTENTS = 8192;

    private final TreeMap<Long, Extent> extents = new TreeMap<>();

    synchronized void add(List<Extent> fresh) {
        for (Extent extent : fresh) {
            if (extent.length() > 0) {
                extents.put(extent.offset(), extent);
            }
        }
        while (extents.size() > MAX_EXTENTS) {
            // Sequential readers do not come back; others fetch again.
            extents.pollFirstEntry();
        }
    }

    /** The extent that holds a position, or null if it is not known. */
    synchronized @Nullable Extent holding(long position) {
        Map.Entry<Long, Extent> entry = extents.floorEntry(position);
        return entry != null && position < entry.getValue().end() ? entry.getValue() : null;
    }

    /** How many bytes of a range are in known extents on servers of which something holds. */
    synchronized long bytesAt(long from, long to, IntPredicate servers) {
        long bytes = 0;
        Long first = extents.floorKey(from);
        for (Extent each : extents.tailMap(first == null ? from : first).values()) {
            if (each.offset() >= to) {
                break;
            }
            long common = Math.min(to, each.end()) - Math.max(from, each.offset());
            if (common > 0 && servers.test(each.block().server())) {
                bytes += common;
            }
        }
        return bytes;
    }

    /** Forgets what ends at the given length: a longer file may go on in that block. */
    synchronized void forgetTail(long length) {
        Map.Entry<Long, Extent> last = extents.lastEntry();
        if (last != null && last.getValue().end() >= length) {
            extents.pollLastEntry();
        }
    }

    synchronized void forget(Extent stale) {
        extents.remove(stale.offset());
    }

    /** Forgets everything: the references belong to a session that is gone. */
    synchronized void clear() {
        extents.clear();
    }
}
