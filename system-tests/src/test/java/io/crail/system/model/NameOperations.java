// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CreateOptions;
import io.crail.client.RenameOption;
import io.crail.client.StreamOptions;
import io.crail.client.XattrOption;
import io.crail.error.ErrorCode;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import io.crail.system.model.StoreModel.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** Making, moving, removing and looking at nodes of any type, and what they carry. */
final class NameOperations {
    private static final int MAX_KEPT = 60;

    private final ModelRun run;

    NameOperations(ModelRun run) {
        this.run = run;
    }

    /** Makes a container or a stream; some are bound to the session of their maker. */
    void make(NodeType type) throws Exception {
        String path = run.path();
        int maker = run.random.nextInt(ModelClients.COUNT);
        boolean bound = run.random.nextInt(12) == 0;
        CrailClient client = run.clients.get(maker);
        CreateOptions options = CreateOptions.builder().sessionBound(bound).build();
        long kept = run.random.nextBoolean() ? 0 : 1 + run.random.nextInt(MAX_KEPT);
        boolean made =
                run.change(
                        "make " + type + " " + path,
                        run.model.checkCreate(path, type, false),
                        () -> {
                            switch (type) {
                                case DIRECTORY -> client.mkdir(path, options);
                                case TABLE -> client.createTable(path, options);
                                case MULTIFILE -> client.createMultiFile(path, options);
                                default -> createStream(client, path, kept, options);
                            }
                        });
        if (made) {
            Node node = run.model.create(path, type, new byte[0]);
            node.bound = bound ? maker : -1;
            node.maxRecords = type == NodeType.STREAM ? kept : 0;
        }
    }

    private static void createStream(
            CrailClient client, String path, long kept, CreateOptions options) throws Exception {
        client.createStream(path, StreamOptions.DEFAULT.withMaxRecords(kept).withCreate(options))
                .close();
    }

    void delete() throws Exception {
        String path = run.path();
        boolean recursive = run.random.nextInt(4) == 0;
        if (run.change(
                "delete " + path,
                run.model.checkDelete(path, recursive),
                () -> run.client().delete(path, recursive))) {
            run.model.delete(path);
        }
    }

    void rename() throws Exception {
        String from = run.random.nextBoolean() ? run.path() : run.anyPath();
        // Often over a node of the same type.
        String to = run.random.nextInt(3) == 0 ? run.anyPath() : run.path();
        boolean unbind = run.random.nextInt(4) == 0;
        boolean replace = run.random.nextBoolean();
        List<RenameOption> options = new ArrayList<>();
        if (replace) {
            options.add(RenameOption.REPLACE);
        }
        if (unbind) {
            options.add(RenameOption.UNBIND);
        }
        if (run.change(
                "rename " + from + " to " + to + " " + options,
                run.model.checkRename(from, to, replace),
                () -> run.client().rename(from, to, options.toArray(RenameOption[]::new)))) {
            run.model.rename(from, to);
            if (unbind && !from.equals(to)) {
                Objects.requireNonNull(run.model.find(to)).bound = -1;
            }
        }
    }

    /** A client goes, and what was bound to its session; another comes. */
    void replaceClient() throws Exception {
        int index = run.random.nextInt(ModelClients.COUNT);
        run.clients.replace(index);
        run.model.unbound(index);
    }

    void setMode() throws Exception {
        String path = run.anyPath();
        int mode = run.random.nextInt(0_1000);
        boolean unbind = run.random.nextInt(8) == 0;
        AttributeChange change = AttributeChange.NONE.mode(mode);
        ErrorCode expected = run.model.find(path) == null ? ErrorCode.NO_SUCH_NODE : null;
        if (run.change(
                "chmod " + path,
                expected,
                () -> run.client().setAttributes(path, unbind ? change.unbind() : change))) {
            Node node = Objects.requireNonNull(run.model.find(path));
            node.mode = mode;
            node.bound = unbind ? -1 : node.bound;
        }
    }

    void lookup() throws Exception {
        String path = run.path();
        Optional<NodeStatus> found = run.client().lookup(path);
        Node node = run.model.find(path);
        run.require(found.isPresent() == (node != null), path + ": " + found);
        if (node != null) {
            run.comparison.sameStatus(path, node, found.orElseThrow());
        }
    }

    void list() throws Exception {
        String path = run.path(NodeType.DIRECTORY);
        if (run.model.check(path, NodeType.DIRECTORY) == null) {
            run.comparison.sameListing(path, Objects.requireNonNull(run.model.find(path)));
        }
    }

    // Extended attributes.

    void setXattr() throws Exception {
        String path = run.anyPath();
        String name = "user." + run.name();
        byte[] value = Arrays.copyOf(run.bytes(), run.random.nextInt(300));
        List<XattrOption> options = new ArrayList<>();
        if (run.random.nextInt(3) == 0) {
            options.add(run.random.nextBoolean() ? XattrOption.CREATE : XattrOption.REPLACE);
        }
        Node node = run.model.find(path);
        boolean there = node != null && node.xattrs.containsKey(name);
        ErrorCode expected =
                node == null
                        ? ErrorCode.NO_SUCH_NODE
                        : options.contains(there ? XattrOption.CREATE : XattrOption.REPLACE)
                                ? ErrorCode.CONDITION_FAILED
                                : null;
        boolean[] existed = new boolean[1];
        if (run.change(
                "set " + name + " of " + path + " " + options,
                expected,
                () ->
                        existed[0] =
                                run.client()
                                        .setXattr(
                                                path,
                                                name,
                                                value,
                                                options.toArray(XattrOption[]::new)))) {
            run.require(existed[0] == there, "set says " + existed[0]);
            Objects.requireNonNull(node).xattrs.put(name, value);
        }
    }

    void removeXattr() throws Exception {
        String path = run.anyPath();
        String name = "user." + run.name();
        Node node = run.model.find(path);
        boolean[] existed = new boolean[1];
        if (run.change(
                "remove " + name + " of " + path,
                node == null ? ErrorCode.NO_SUCH_NODE : null,
                () -> existed[0] = run.client().removeXattr(path, name))) {
            boolean there = Objects.requireNonNull(node).xattrs.remove(name) != null;
            run.require(existed[0] == there, "remove says " + existed[0]);
        }
    }

    void readXattrs() throws Exception {
        String path = run.anyPath();
        String name = "user." + run.name();
        Node node = run.model.find(path);
        run.change(
                "xattrs of " + path,
                node == null ? ErrorCode.NO_SUCH_NODE : null,
                () -> {
                    byte[] one = run.client().getXattr(path, name).orElse(null);
                    byte[] expected = Objects.requireNonNull(node).xattrs.get(name);
                    run.require(Arrays.equals(one, expected), path + " has another " + name);
                    run.comparison.sameXattrs(path, node);
                });
    }
}
