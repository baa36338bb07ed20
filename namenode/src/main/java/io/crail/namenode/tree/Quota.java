// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.tree;

import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What may lie below a container at most.
 *
 * @param nodes number of nodes, itself not counted; -1 = any
 * @param bytes bytes of blocks by storage class, {@link #ALL_CLASSES} = of all together; classes
 *     without an entry are not limited
 */
public record Quota(long nodes, SortedMap<Integer, Long> bytes) {
    /** Stands for all storage classes together. */
    public static final int ALL_CLASSES = 0xFFFF;

    public static final long NO_LIMIT = -1;

    public static final Quota NONE = new Quota(NO_LIMIT, new TreeMap<>());

    public boolean isNone() {
        return nodes == NO_LIMIT && bytes.isEmpty();
    }

    /** For log and snapshot. */
    public void encode(WireWriter writer) {
        writer.i64(nodes).i32(bytes.size());
        for (Map.Entry<Integer, Long> each : bytes.entrySet()) {
            writer.u16(each.getKey()).i64(each.getValue());
        }
    }

    public static Quota decode(WireReader reader) throws ProtocolException {
        long nodes = reader.i64();
        SortedMap<Integer, Long> bytes = new TreeMap<>();
        for (int left = reader.length32(); left > 0; left--) {
            bytes.put(reader.u16(), reader.i64());
        }
        return new Quota(nodes, bytes);
    }
}
