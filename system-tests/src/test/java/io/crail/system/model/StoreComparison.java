// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailFile;
import io.crail.client.CrailIterator;
import io.crail.client.CrailStream;
import io.crail.client.CrailTable;
import io.crail.client.DirectoryEntry;
import io.crail.client.TableEntry;
import io.crail.client.Value;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import io.crail.system.model.StoreModel.Node;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Whether a store is what its model says. */
final class StoreComparison {
    private final ModelRun run;

    StoreComparison(ModelRun run) {
        this.run = run;
    }

    void sameValue(String path, String key, Optional<Value> found) {
        StoreModel.Value expected = Objects.requireNonNull(run.model.find(path)).values.get(key);
        run.require(found.isPresent() == (expected != null), path + "[" + key + "]: " + found);
        if (expected != null) {
            Value value = found.orElseThrow();
            run.require(
                    value.version() == expected.version(),
                    path + "[" + key + "] is of another version");
            run.require(
                    Arrays.equals(value.toByteArray(), expected.bytes()),
                    path + "[" + key + "] has other bytes");
        }
    }

    void sameStatus(String path, Node node, NodeStatus status) {
        run.require(status.type() == node.type, path + " is " + status.type());
        run.require(status.mode() == node.mode, path + " has mode " + status.mode());
        run.require(
                node.type != NodeType.FILE || status.length() == node.content.length,
                path + " has length " + status.length());
    }

    void sameXattrs(String path, Node node) throws Exception {
        Map<String, byte[]> found = run.client().getXattrs(path);
        run.require(found.keySet().equals(node.xattrs.keySet()), path + " has " + found.keySet());
        found.forEach(
                (name, value) ->
                        run.require(
                                Arrays.equals(value, node.xattrs.get(name)),
                                path + " has another " + name));
    }

    void sameListing(String path, Node directory) throws Exception {
        List<String> names = new ArrayList<>();
        for (CrailIterator<DirectoryEntry> all = run.client().list(path); all.hasNext(); ) {
            DirectoryEntry entry = all.next();
            names.add(entry.name());
            Node node = directory.children.get(entry.name());
            run.require(node != null, path + " lists " + entry.name());
            sameStatus(path + "/" + entry.name(), Objects.requireNonNull(node), entry.status());
        }
        run.require(
                names.equals(List.copyOf(directory.children.keySet())), path + " lists " + names);
    }

    /** Every name, every byte. */
    void compareAll() throws Exception {
        sameListing("/", run.model.root());
        for (String path : run.model.paths(NodeType.DIRECTORY)) {
            sameListing(path, Objects.requireNonNull(run.model.find(path)));
        }
        for (String path : run.model.paths(NodeType.TABLE)) {
            compareTable(path, node(path));
        }
        for (String path : run.model.paths(NodeType.FILE)) {
            try (CrailFile file = run.client().open(path)) {
                run.require(
                        Arrays.equals(file.newInputStream().readAllBytes(), node(path).content),
                        path + " differs");
            }
        }
        MultiFileOperations multiFiles = new MultiFileOperations(run);
        for (String path : run.model.paths(NodeType.MULTIFILE)) {
            sameListing(path, node(path));
            multiFiles.readAsOne(run.client().multiFile(path));
        }
        StreamOperations streams = new StreamOperations(run);
        for (String path : run.model.paths(NodeType.STREAM)) {
            try (CrailStream stream = run.client().stream(path)) {
                streams.same(stream, node(path), node(path).first);
            }
        }
        for (NodeType type : NodeType.values()) {
            for (String path : run.model.paths(type)) {
                sameXattrs(path, node(path));
            }
        }
    }

    private Node node(String path) {
        return Objects.requireNonNull(run.model.find(path));
    }

    private void compareTable(String path, Node table) throws Exception {
        CrailTable found = run.client().table(path);
        List<String> keys = new ArrayList<>();
        for (CrailIterator<TableEntry> all = found.scan(false); all.hasNext(); ) {
            keys.add(ModelRun.text(all.next().key()));
        }
        run.require(keys.equals(List.copyOf(table.values.keySet())), path + " holds " + keys);
        for (Map.Entry<String, StoreModel.Value> each : table.values.entrySet()) {
            sameValue(
                    path, each.getKey(), found.get(each.getKey().getBytes(StandardCharsets.UTF_8)));
        }
    }
}
