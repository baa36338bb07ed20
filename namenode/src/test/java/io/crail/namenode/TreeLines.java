// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.node.NodeType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A tree as lines, a node or a value in each: so a model is compared with what is. */
final class TreeLines {
    private TreeLines() {}

    /** The whole of a model. */
    static List<String> of(TreeModel model) {
        List<String> lines = new ArrayList<>();
        lines(model.root, "", lines);
        return lines;
    }

    private static void lines(TreeModel.Node node, String path, List<String> lines) {
        if (node.type == NodeType.STREAM) {
            lines.add(streamLine(path, node.first, node.records) + xattrs(node.xattrs));
            return;
        }
        lines.add(
                line(path, node.type, node.length, node.lease != null)
                        + xattrs(node.xattrs)
                        + limit(node.nodeLimit));
        for (Map.Entry<String, TreeModel.Node> child : node.children.entrySet()) {
            lines(child.getValue(), path + "/" + child.getKey(), lines);
        }
        for (Map.Entry<String, TreeModel.Value> each : node.values.entrySet()) {
            TreeModel.Value value = each.getValue();
            lines.add(
                    valueLine(path, each.getKey(), value.length(), value.version(), value.text()));
        }
    }

    static String line(String path, NodeType type, long length, boolean leased) {
        return path + ": " + type + " " + length + (leased ? " leased" : "");
    }

    static String limit(long nodes) {
        return nodes == Long.MAX_VALUE ? "" : " limit " + nodes;
    }

    static String xattrs(Map<String, String> xattrs) {
        return xattrs.isEmpty() ? "" : " " + xattrs;
    }

    static String streamLine(String path, long first, List<@Nullable String> records) {
        return path + ": STREAM from " + first + " " + records;
    }

    static String valueLine(
            String path, String key, long length, long version, @Nullable String text) {
        return path + "[" + key + "]: " + length + " v" + version + " " + text;
    }
}
