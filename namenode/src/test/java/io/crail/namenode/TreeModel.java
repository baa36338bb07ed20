// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ErrorCode;
import io.crail.protocol.message.Create;
import io.crail.protocol.node.NodeType;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The namespace as its users understand it: what a request has to answer, and what the tree is
 * after it. Methods that check return the expected error, or null for success; methods that change
 * are called after a success. Names are ASCII, so that their order is that of their bytes.
 */
final class TreeModel {
    /** A node. */
    static final class Node {
        final NodeType type;
        final TreeMap<String, Node> children = new TreeMap<>();
        final TreeMap<String, Value> values = new TreeMap<>();
        @Nullable Node parent;
        long length;

        final TreeMap<String, String> xattrs = new TreeMap<>();

        /** Nodes that may lie below it. */
        long nodeLimit = Long.MAX_VALUE;

        /** When it goes, by the namenode's clock of lifetimes. */
        long deadline = Long.MAX_VALUE;

        /** With whom it goes, whatever that is to the test; null: with nobody. */
        @Nullable Object bound;

        /** Of a STREAM: its id, and what is there from the record {@link #first} on. */
        long id;

        boolean limited;
        long first;
        final List<@Nullable String> records = new ArrayList<>();

        /** The one writer, whatever that is to the test; null without. */
        @Nullable Object lease;

        Node(NodeType type) {
            this.type = type;
        }

        /** Offset of the next record. */
        long next() {
            return first + records.size();
        }

        void trimTo(long offset) {
            if (offset > first) {
                records.subList(0, (int) (offset - first)).clear();
                first = offset;
            }
        }

        boolean hasNames() {
            return type == NodeType.DIRECTORY || type == NodeType.MULTIFILE;
        }

        long nodesBelow() {
            return values.size()
                    + children.values().stream().mapToLong(c -> 1 + c.nodesBelow()).sum();
        }

        boolean isEmpty() {
            return children.isEmpty() && values.isEmpty();
        }
    }

    /** A value: its text if inline, and its length. */
    record Value(@Nullable String text, long length, long version, long deadline) {}

    /** Where a path leads. */
    private record Walk(@Nullable Node node, @Nullable Node parent, int missing, boolean blocked) {}

    final Node root = new Node(NodeType.DIRECTORY);

    private static List<String> names(String path) {
        List<String> names = new ArrayList<>();
        for (String name : path.substring(1).split("/", -1)) {
            if (!name.isEmpty()) {
                names.add(name);
            }
        }
        return names;
    }

    private static String lastName(String path) {
        List<String> names = names(path);
        return names.get(names.size() - 1);
    }

    private Walk walk(String path) {
        Node node = root;
        Node parent = null;
        List<String> names = names(path);
        for (int i = 0; i < names.size(); i++) {
            if (!node.hasNames()) {
                return new Walk(null, parent, names.size() - i, true);
            }
            parent = node;
            node = parent.children.get(names.get(i));
            if (node == null) {
                return new Walk(null, parent, names.size() - i, false);
            }
        }
        return new Walk(node, parent, 0, false);
    }

    @Nullable Node find(String path) {
        return walk(path).node;
    }

    // Creating.

    @Nullable ErrorCode checkCreate(String path, NodeType type, int flags) {
        Walk walk = walk(path);
        Node node = walk.node;
        if (node != null) {
            return checkExisting(node, type, flags);
        }
        if (walk.blocked) {
            return ErrorCode.WRONG_NODE_TYPE;
        }
        if (walk.missing > 1 && (flags & Create.PARENTS) == 0) {
            return ErrorCode.NO_SUCH_NODE;
        }
        return isFlat(walk.parent) && (walk.missing > 1 || type != NodeType.FILE)
                ? ErrorCode.WRONG_NODE_TYPE
                : null;
    }

    /** A member that the namenode shall name. */
    @Nullable ErrorCode checkMember(String path) {
        Walk walk = walk(path);
        if (walk.node == null && !walk.blocked) {
            return ErrorCode.NO_SUCH_NODE;
        }
        return isFlat(walk.node) ? null : ErrorCode.WRONG_NODE_TYPE;
    }

    /** Members of a multifile by name; empty for anything else. */
    NavigableMap<String, Node> members(String path) {
        Node node = find(path);
        return isFlat(node) && node != null ? node.children : new TreeMap<>();
    }

    private static boolean isFlat(@Nullable Node node) {
        return node != null && node.type == NodeType.MULTIFILE;
    }

    private @Nullable ErrorCode checkExisting(Node node, NodeType type, int flags) {
        if ((flags & Create.EXISTING_OK) != 0) {
            if (node.type != type) {
                return ErrorCode.NODE_EXISTS;
            }
            return (flags & Create.OPEN) != 0 ? ErrorCode.INVALID_ARGUMENT : null;
        }
        if (node == root || (flags & Create.OVERWRITE) == 0) {
            return ErrorCode.NODE_EXISTS;
        }
        if (node.type != type) {
            return ErrorCode.WRONG_NODE_TYPE;
        }
        return node.isEmpty() ? null : ErrorCode.NOT_EMPTY;
    }

    /** The node made, or the existing one. */
    Node create(String path, NodeType type, int flags) {
        Node existing = find(path);
        if (existing != null && (flags & Create.EXISTING_OK) != 0) {
            return existing;
        }
        Node parent = root;
        List<String> names = names(path);
        for (String name : names.subList(0, names.size() - 1)) {
            Node next = parent.children.get(name);
            parent = next == null ? link(parent, name, new Node(NodeType.DIRECTORY)) : next;
        }
        return link(parent, lastName(path), new Node(type));
    }

    private static Node link(Node parent, String name, Node node) {
        Node old = parent.children.put(name, node);
        if (old != null) {
            old.parent = null;
            old.lease = null;
        }
        node.parent = parent;
        return node;
    }

    // Deleting and renaming.

    @Nullable ErrorCode checkDelete(String path, boolean recursive) {
        Node node = find(path);
        if (node == null) {
            return ErrorCode.NO_SUCH_NODE;
        }
        return node.isEmpty() || recursive ? null : ErrorCode.NOT_EMPTY;
    }

    Node delete(String path) {
        Walk walk = walk(path);
        Node node = walk.node;
        if (node == null || walk.parent == null) {
            throw new IllegalArgumentException(path);
        }
        walk.parent.children.remove(lastName(path));
        node.parent = null;
        node.lease = null;
        return node;
    }

    @Nullable ErrorCode checkRename(String from, String to, boolean replace) {
        Node source = find(from);
        if (source == null) {
            return ErrorCode.NO_SUCH_NODE;
        }
        Walk target = walk(to);
        if (target.node == source) {
            return null;
        }
        if (target.blocked) {
            return ErrorCode.WRONG_NODE_TYPE;
        }
        if (target.missing > 1) {
            return ErrorCode.NO_SUCH_NODE;
        }
        for (Node up = target.parent; up != null; up = up.parent) {
            if (up == source) {
                return ErrorCode.INVALID_ARGUMENT;
            }
        }
        if (isFlat(target.parent) && source.type != NodeType.FILE) {
            return ErrorCode.WRONG_NODE_TYPE;
        }
        Node old = target.node;
        if (old == null) {
            return null;
        }
        if (!replace) {
            return ErrorCode.NODE_EXISTS;
        }
        if (old.type != source.type) {
            return ErrorCode.WRONG_NODE_TYPE;
        }
        return old.isEmpty() ? null : ErrorCode.NOT_EMPTY;
    }

    void rename(String from, String to) {
        Walk source = walk(from);
        Walk target = walk(to);
        Node moved = source.node;
        if (moved == target.node) {
            return;
        }
        if (moved == null || source.parent == null || target.parent == null) {
            throw new IllegalArgumentException(from);
        }
        source.parent.children.remove(lastName(from));
        link(target.parent, lastName(to), moved);
    }

    // Joining and cutting.

    private @Nullable ErrorCode checkFile(String path) {
        Node node = find(path);
        if (node == null) {
            return ErrorCode.NO_SUCH_NODE;
        }
        return node.type == NodeType.FILE ? null : ErrorCode.WRONG_NODE_TYPE;
    }

    /** In the order in which the namenode looks. */
    @Nullable ErrorCode checkConcat(String target, List<String> sources) {
        if (sources.isEmpty()) {
            return ErrorCode.INVALID_ARGUMENT;
        }
        List<String> all = new ArrayList<>(List.of(target));
        all.addAll(sources);
        for (String path : all) {
            ErrorCode wrong = checkFile(path);
            if (wrong != null) {
                return wrong;
            }
        }
        List<@Nullable Node> seen = new ArrayList<>();
        for (String path : all) {
            Node node = find(path);
            if (seen.contains(node)) {
                return ErrorCode.INVALID_ARGUMENT;
            }
            if (node != null && node.lease != null) {
                return ErrorCode.LEASE_HELD;
            }
            seen.add(node);
        }
        return null;
    }

    void concat(String target, List<String> sources) {
        Node grown = find(target);
        for (String source : sources) {
            long more = delete(source).length;
            if (grown != null) {
                grown.length += more;
            }
        }
    }

    @Nullable ErrorCode checkTruncate(String path, long length, boolean outdated) {
        Node node = find(path);
        ErrorCode wrong = checkFile(path);
        if (wrong != null || node == null) {
            return wrong;
        }
        if (node.lease != null) {
            return ErrorCode.LEASE_HELD;
        }
        if (length > node.length) {
            return ErrorCode.OFFSET_OUT_OF_RANGE;
        }
        return outdated ? ErrorCode.CONDITION_FAILED : null;
    }

    // Quotas.

    /** Whether nodes that a create would make exceed a quota. */
    @Nullable ErrorCode checkCreateQuota(String path) {
        Walk walk = walk(path);
        return walk.node != null ? null : checkQuota(walk.parent, walk.missing, null);
    }

    @Nullable ErrorCode checkPutQuota(String table, String key) {
        Node node = find(table);
        return node == null || node.values.containsKey(key) ? null : checkQuota(node, 1, null);
    }

    @Nullable ErrorCode checkRenameQuota(String from, String to) {
        Node moved = find(from);
        Walk target = walk(to);
        if (moved == null || moved == target.node) {
            return null;
        }
        long more = 1 + moved.nodesBelow() - (target.node == null ? 0 : 1);
        return checkQuota(target.parent, more, moved);
    }

    private static @Nullable ErrorCode checkQuota(
            @Nullable Node from, long more, @Nullable Node inside) {
        for (Node up = from; up != null; up = up.parent) {
            for (Node in = inside; in != null; in = in.parent) {
                if (in == up) {
                    return null;
                }
            }
            if (more > 0 && up.nodesBelow() + more > up.nodeLimit) {
                return ErrorCode.QUOTA_EXCEEDED;
            }
        }
        return null;
    }

    // Ends.

    /**
     * Takes away what meets a condition, with all below.
     *
     * @return what had a name before, and has none now
     */
    List<Node> removeIf(Predicate<Node> condition) {
        List<Node> removed = new ArrayList<>();
        removeIf(root, condition, removed);
        for (Node node : removed) {
            node.parent = null;
            node.lease = null;
        }
        return removed;
    }

    private static void removeIf(Node node, Predicate<Node> condition, List<Node> removed) {
        for (Node child : List.copyOf(node.children.values())) {
            if (condition.test(child)) {
                node.children.values().remove(child);
                removed.add(child);
            } else {
                removeIf(child, condition, removed);
            }
        }
    }

    /** What is due at a time goes. */
    List<Node> expire(long now) {
        List<Node> removed = removeIf(node -> node.deadline <= now);
        expireValues(root, now);
        return removed;
    }

    private static void expireValues(Node node, long now) {
        node.values.values().removeIf(value -> value.deadline <= now);
        node.children.values().forEach(child -> expireValues(child, now));
    }

    // Values.

    @Nullable ErrorCode checkTable(String path) {
        Node node = find(path);
        if (node == null) {
            return ErrorCode.NO_SUCH_NODE;
        }
        return node.type == NodeType.TABLE ? null : ErrorCode.WRONG_NODE_TYPE;
    }

    @Nullable Value value(String table, String key) {
        Node node = find(table);
        return node == null ? null : node.values.get(key);
    }

    void put(String table, String key, Value value) {
        Node node = find(table);
        if (node == null) {
            throw new IllegalArgumentException(table);
        }
        node.values.put(key, value);
    }

    /** Paths of all nodes of a type but the root; of any type for null. */
    List<String> paths(@Nullable NodeType type) {
        List<String> paths = new ArrayList<>();
        paths(root, "", type, paths);
        return paths;
    }

    private static void paths(Node node, String path, @Nullable NodeType type, List<String> paths) {
        node.children.forEach(
                (name, child) -> {
                    if (type == null || child.type == type) {
                        paths.add(path + "/" + name);
                    }
                    paths(child, path + "/" + name, type, paths);
                });
    }
}
