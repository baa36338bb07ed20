// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.error.ErrorCode;
import io.crail.protocol.node.NodeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a store is, said as simply as possible: directories and multifiles are sorted maps, files
 * and values are arrays of bytes, streams are lists of them. Each change has a check, which tells
 * the error it must end with, or null.
 */
final class StoreModel {
    /** A node of any type but KEYVALUE. */
    static final class Node {
        final NodeType type;
        final TreeMap<String, Node> children = new TreeMap<>();
        final TreeMap<String, Value> values = new TreeMap<>();
        final TreeMap<String, byte[]> xattrs = new TreeMap<>();
        byte[] content = {};
        int mode;

        /** Whose session takes the node along when it ends, -1 for nobody's. */
        int bound = -1;

        /** Whether somebody else looks after it and what is below. */
        boolean foreign;

        // Of a multifile: the last name that the namenode made.
        String lastMade = "";

        // Of a stream: what was appended, from the first that was not removed on.
        final List<byte[]> records = new ArrayList<>();
        long first;
        long maxRecords;

        Node(NodeType type, int mode) {
            this.type = type;
            this.mode = mode;
        }

        boolean isEmpty() {
            return children.isEmpty() && values.isEmpty();
        }

        boolean hasNames() {
            return type == NodeType.DIRECTORY || type == NodeType.MULTIFILE;
        }

        /** Offset of the next record. */
        long next() {
            return first + records.size();
        }

        /** The first records go. */
        void trimTo(long offset) {
            records.subList(0, (int) (offset - first)).clear();
            first = offset;
        }
    }

    /** The value of a key. */
    record Value(byte[] bytes, long version) {}

    private record Walk(@Nullable Node node, @Nullable Node parent, int missing, boolean blocked) {}

    private final Node root = new Node(NodeType.DIRECTORY, 0755);

    private static List<String> names(String path) {
        return List.of(path.substring(1).split("/", -1));
    }

    private static String lastName(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
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

    Node root() {
        return root;
    }

    @Nullable Node find(String path) {
        return walk(path).node;
    }

    @Nullable ErrorCode checkCreate(String path, NodeType type, boolean overwrite) {
        Walk walk = walk(path);
        Node node = walk.node;
        if (node == null) {
            ErrorCode free = checkFree(walk);
            return free == null ? checkFlat(walk, type) : free;
        }
        if (!overwrite) {
            return ErrorCode.NODE_EXISTS;
        }
        if (node.type != type) {
            return ErrorCode.WRONG_NODE_TYPE;
        }
        return node.isEmpty() ? null : ErrorCode.NOT_EMPTY;
    }

    private static @Nullable ErrorCode checkFree(Walk walk) {
        if (walk.blocked) {
            return ErrorCode.WRONG_NODE_TYPE;
        }
        return walk.missing > 1 ? ErrorCode.NO_SUCH_NODE : null;
    }

    /** A multifile holds nothing but files. */
    private static @Nullable ErrorCode checkFlat(Walk walk, NodeType type) {
        return walk.parent != null
                        && walk.parent.type == NodeType.MULTIFILE
                        && type != NodeType.FILE
                ? ErrorCode.WRONG_NODE_TYPE
                : null;
    }

    /** A member whose name the namenode makes. */
    @Nullable ErrorCode checkMember(String path) {
        Walk walk = walk(path);
        if (walk.node == null) {
            return walk.blocked ? ErrorCode.WRONG_NODE_TYPE : ErrorCode.NO_SUCH_NODE;
        }
        return walk.node.type == NodeType.MULTIFILE ? null : ErrorCode.WRONG_NODE_TYPE;
    }

    Node create(String path, NodeType type, byte[] content) {
        Node made = new Node(type, type.isContainer() ? 0755 : 0644);
        made.content = content;
        link(path, made);
        return made;
    }

    private void link(String path, Node node) {
        int slash = path.lastIndexOf('/');
        Node parent = slash == 0 ? root : find(path.substring(0, slash));
        if (parent == null) {
            throw new IllegalStateException("no parent of " + path);
        }
        parent.children.put(lastName(path), node);
    }

    @Nullable ErrorCode checkDelete(String path, boolean recursive) {
        Node node = find(path);
        if (node == null) {
            return ErrorCode.NO_SUCH_NODE;
        }
        return node.isEmpty() || recursive ? null : ErrorCode.NOT_EMPTY;
    }

    void delete(String path) {
        Node parent = walk(path).parent;
        if (parent != null) {
            parent.children.remove(lastName(path));
        }
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
        ErrorCode free = checkFree(target);
        if (free != null) {
            return free;
        }
        if (to.startsWith(from + "/")) {
            return ErrorCode.INVALID_ARGUMENT;
        }
        ErrorCode flat = checkFlat(target, source.type);
        if (flat != null) {
            return flat;
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
        Node moved = find(from);
        if (moved != null && moved != find(to)) {
            delete(from);
            link(to, moved);
        }
    }

    @Nullable ErrorCode check(String path, NodeType type) {
        Node node = find(path);
        if (node == null) {
            return ErrorCode.NO_SUCH_NODE;
        }
        return node.type == type ? null : ErrorCode.WRONG_NODE_TYPE;
    }

    /** Paths of all nodes of a type that are not foreign. */
    List<String> paths(NodeType type) {
        List<String> paths = new ArrayList<>();
        collect(root, "", type, paths);
        return paths;
    }

    private static void collect(Node node, String path, NodeType type, List<String> paths) {
        for (Map.Entry<String, Node> child : node.children.entrySet()) {
            if (child.getValue().foreign) {
                continue;
            }
            String below = path + "/" + child.getKey();
            if (child.getValue().type == type) {
                paths.add(below);
            }
            collect(child.getValue(), below, type, paths);
        }
    }

    /** The session of that number has ended. */
    void unbound(int session) {
        removeBound(root, session);
    }

    private static void removeBound(Node node, int session) {
        node.children.values().removeIf(child -> child.bound == session);
        node.children.values().forEach(child -> removeBound(child, session));
    }

    /** Bytes of files and streams, which lie in blocks. */
    long bytes() {
        return bytes(root);
    }

    private static long bytes(Node node) {
        long sum = node.content.length;
        for (byte[] record : node.records) {
            sum += record.length + (4 << 10);
        }
        for (Node child : node.children.values()) {
            sum += bytes(child);
        }
        return sum;
    }
}
