// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.error.ErrorCode;
import io.crail.protocol.node.NodeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a store is, said as simply as possible: directories are sorted maps, files and values are
 * arrays of bytes. Each change has a check, which tells the error it must end with, or null.
 */
final class StoreModel {
    /** A directory, a file or a table. */
    static final class Node {
        final NodeType type;
        final TreeMap<String, Node> children = new TreeMap<>();
        final TreeMap<String, Value> values = new TreeMap<>();
        byte[] content = {};
        int mode;

        Node(NodeType type, int mode) {
            this.type = type;
            this.mode = mode;
        }

        boolean isEmpty() {
            return children.isEmpty() && values.isEmpty();
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
            if (node.type != NodeType.DIRECTORY) {
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
            return checkFree(walk);
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

    void create(String path, NodeType type, byte[] content, int mode) {
        Node made = new Node(type, mode);
        made.content = content;
        link(path, made);
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

    /** Paths of all nodes of a type. */
    List<String> paths(NodeType type) {
        List<String> paths = new ArrayList<>();
        collect(root, "", type, paths);
        return paths;
    }

    private static void collect(Node node, String path, NodeType type, List<String> paths) {
        for (Map.Entry<String, Node> child : node.children.entrySet()) {
            String below = path + "/" + child.getKey();
            if (child.getValue().type == type) {
                paths.add(below);
            }
            collect(child.getValue(), below, type, paths);
        }
    }
}
