// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailIterator;
import io.crail.client.CrailTable;
import io.crail.client.DirectoryEntry;
import io.crail.client.TableEntry;
import io.crail.client.Value;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import io.crail.system.faults.StoreModel.Node;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Whether a store is what its model says. */
final class StoreComparison {
    /** Fails the test if something is not so. */
    @FunctionalInterface
    interface Check {
        void require(boolean same, String what);
    }

    private final CrailClient client;
    private final StoreModel model;
    private final Check check;

    StoreComparison(CrailClient client, StoreModel model, Check check) {
        this.client = client;
        this.model = model;
        this.check = check;
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    void sameValue(String path, String key, Optional<Value> found) {
        StoreModel.Value expected = Objects.requireNonNull(model.find(path)).values.get(key);
        check.require(found.isPresent() == (expected != null), path + "[" + key + "]: " + found);
        if (expected != null) {
            Value value = found.orElseThrow();
            check.require(
                    value.version() == expected.version(),
                    path + "[" + key + "] is of another version");
            check.require(
                    Arrays.equals(value.toByteArray(), expected.bytes()),
                    path + "[" + key + "] has other bytes");
        }
    }

    void sameStatus(String path, Node node, NodeStatus status) {
        check.require(status.type() == node.type, path + " is " + status.type());
        check.require(status.mode() == node.mode, path + " has mode " + status.mode());
        check.require(
                node.type != NodeType.FILE || status.length() == node.content.length,
                path + " has length " + status.length());
    }

    void sameListing(String path, Node directory) throws Exception {
        List<String> names = new ArrayList<>();
        for (CrailIterator<DirectoryEntry> all = client.list(path); all.hasNext(); ) {
            DirectoryEntry entry = all.next();
            names.add(entry.name());
            Node node = directory.children.get(entry.name());
            check.require(node != null, path + " lists " + entry.name());
            sameStatus(path + "/" + entry.name(), Objects.requireNonNull(node), entry.status());
        }
        check.require(
                names.equals(List.copyOf(directory.children.keySet())), path + " lists " + names);
    }

    /** Every name, every byte. */
    void compareAll() throws Exception {
        sameListing("/", model.root());
        for (String path : model.paths(NodeType.DIRECTORY)) {
            sameListing(path, Objects.requireNonNull(model.find(path)));
        }
        for (String path : model.paths(NodeType.TABLE)) {
            compareTable(path, Objects.requireNonNull(model.find(path)));
        }
        for (String path : model.paths(NodeType.FILE)) {
            try (CrailFile file = client.open(path)) {
                check.require(
                        Arrays.equals(
                                file.newInputStream().readAllBytes(),
                                Objects.requireNonNull(model.find(path)).content),
                        path + " differs");
            }
        }
    }

    private void compareTable(String path, Node table) throws Exception {
        CrailTable found = client.table(path);
        List<String> keys = new ArrayList<>();
        for (CrailIterator<TableEntry> all = found.scan(false); all.hasNext(); ) {
            keys.add(text(all.next().key()));
        }
        check.require(keys.equals(List.copyOf(table.values.keySet())), path + " holds " + keys);
        for (Map.Entry<String, StoreModel.Value> each : table.values.entrySet()) {
            sameValue(
                    path, each.getKey(), found.get(each.getKey().getBytes(StandardCharsets.UTF_8)));
        }
    }
}
