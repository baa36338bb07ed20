// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.frame.WireReader;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts files together whose extents are in several records of a snapshot: first the file's own,
 * with the last extents, then the pieces before them, in order.
 */
final class LongFiles {
    private final Map<Long, Parts> files = new HashMap<>();

    /** What is there so far, and what comes behind it when {@code expected} extents are. */
    private record Parts(ExtentList extents, ExtentList tail, int expected) {}

    /** Returns the list of a file whose record holds only {@code tail}. */
    ExtentList begin(long id, ExtentList tail, int expected) {
        ExtentList extents = new ExtentList();
        files.put(id, new Parts(extents, tail, expected));
        return extents;
    }

    /** Takes a record of extents. */
    void part(WireReader reader) throws ProtocolException {
        long id = reader.i64();
        int first = reader.i32();
        Parts parts = files.get(id);
        if (parts == null || parts.extents.count() != first) {
            throw new ProtocolException(
                    "snapshot: extents of node " + id + " from " + first + " are out of place");
        }
        parts.extents.decode(reader);
    }

    /** Completes the files, which have no names yet. */
    void finish(State state) throws ProtocolException {
        for (Map.Entry<Long, Parts> entry : files.entrySet()) {
            Parts parts = entry.getValue();
            if (parts.extents.count() != parts.expected) {
                throw new ProtocolException(
                        "snapshot: node %d has %d extents before its last ones, not %d"
                                .formatted(entry.getKey(), parts.extents.count(), parts.expected));
            }
            FileNode file = (FileNode) state.node(entry.getKey());
            state.tree()
                    .files()
                    .changeExtents(file, file.version(), list -> list.appendAll(parts.tail));
        }
        files.clear();
    }
}
