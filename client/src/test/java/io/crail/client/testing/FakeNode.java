// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A node of the fake namenode. Guarded by its owner. */
final class FakeNode {
    final long id;
    final NodeType type;
    final boolean checksums;
    final List<Extent> extents = new ArrayList<>();
    final Map<String, FakeValue> keys = new TreeMap<>();
    long length;
    long version = 1;
    long leaseHandle;
    boolean created;

    /** A value of a table. */
    record FakeValue(long node, long version, byte[] inline, List<Extent> extents, long length) {}

    FakeNode(long id, NodeType type, boolean checksums) {
        this.id = id;
        this.type = type;
        this.checksums = checksums;
    }

    NodeStatus status() {
        int flags =
                (checksums ? NodeStatus.CHECKSUMS : 0)
                        | (leaseHandle != 0 ? NodeStatus.OPEN_FOR_WRITING : 0);
        return new NodeStatus(
                id, type, flags, 0644, 0, length, length, 0, 0, 0, version, -1, 0, "u", "g", "");
    }

    void commit(List<CommittedExtent> items, FakeGrants grants) {
        for (CommittedExtent item : items) {
            int last = extents.size() - 1;
            if (last >= 0 && extents.get(last).block().id().equals(item.block())) {
                Extent old = extents.get(last);
                extents.set(
                        last, new Extent(old.offset(), item.length(), item.tailCrc(), old.block()));
            } else {
                BlockReference block = grants.take(item.block());
                if (block == null) {
                    throw new IllegalStateException(item.block() + " was not granted");
                }
                extents.add(new Extent(length(), item.length(), item.tailCrc(), block));
            }
        }
        length = length();
        version++;
    }

    private long length() {
        return extents.isEmpty() ? 0 : extents.get(extents.size() - 1).end();
    }
}
