// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.state.ServerIdentity;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.Totals;
import io.crail.protocol.node.NodeType;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;

/** Counts what lies below every container anew, and compares that with what the tree has kept. */
final class Recount {
    private final State state;
    private int containers;

    private Recount(State state) {
        this.state = state;
    }

    /** What lies somewhere. */
    private static final class Sums {
        final Map<NodeType, Long> nodes = new EnumMap<>(NodeType.class);
        final Map<Integer, Long> bytes = new TreeMap<>();
        long length;

        void add(Sums other) {
            other.nodes.forEach((type, count) -> nodes.merge(type, count, Long::sum));
            other.bytes.forEach((rank, sum) -> bytes.merge(rank, sum, Long::sum));
            length += other.length;
        }

        long of(NodeType type) {
            return nodes.getOrDefault(type, 0L);
        }

        @Override
        public String toString() {
            return "%d directories, %d files, %d tables, %d values, %d bytes, %s"
                    .formatted(
                            of(NodeType.DIRECTORY),
                            of(NodeType.FILE),
                            of(NodeType.TABLE),
                            of(NodeType.KEYVALUE),
                            length,
                            bytes);
        }
    }

    /**
     * Fails if a sum is wrong.
     *
     * @return how many containers were looked at
     */
    static int check(State state) {
        Recount recount = new Recount(state);
        Sums all = recount.below(state.tree().root());
        all.nodes.merge(NodeType.DIRECTORY, 1L, Long::sum);
        compare("all", all, state.tree().totals());
        for (Node removed : state.tree().detached()) {
            recount.at(removed);
        }
        return recount.containers;
    }

    private Sums below(ContainerNode container) {
        Sums sums = new Sums();
        container.page(null, Integer.MAX_VALUE, child -> sums.add(at(child)));
        compare(container.path(), sums, container.below());
        containers++;
        return sums;
    }

    private Sums at(Node node) {
        Sums sums = node instanceof ContainerNode container ? below(container) : new Sums();
        NodeType counted = switch (node.type()) { // As Totals count them.
                    case MULTIFILE -> NodeType.DIRECTORY;
                    case STREAM -> NodeType.FILE;
                    default -> node.type();
                };
        sums.nodes.merge(counted, 1L, Long::sum);
        sums.length += node.length();
        ExtentList extents = node.extents();
        for (int i = 0; extents != null && i < extents.count(); i++) {
            sums.bytes.merge(
                    storageClass(extents.server(i)), (long) extents.blockLength(i), Long::sum);
        }
        return sums;
    }

    private int storageClass(int server) {
        ServerIdentity identity = state.servers().get(server);
        if (identity == null) {
            throw new AssertionError("blocks of an unknown server " + server);
        }
        return identity.storageClass();
    }

    private static void compare(String what, Sums is, Totals kept) {
        Sums said = new Sums();
        said.nodes.put(NodeType.DIRECTORY, kept.directories());
        said.nodes.put(NodeType.FILE, kept.files());
        said.nodes.put(NodeType.TABLE, kept.tables());
        said.nodes.put(NodeType.KEYVALUE, kept.keyValues());
        said.length = kept.length();
        for (int storageClass : kept.byClass().classes()) {
            said.bytes.put(storageClass, kept.allocated(storageClass));
        }
        long allocated = is.bytes.values().stream().mapToLong(Long::longValue).sum();
        if (!is.toString().equals(said.toString()) || allocated != kept.allocated()) {
            throw new AssertionError("below %s lie %s; kept: %s".formatted(what, is, said));
        }
    }
}
