// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.namenode.TreeModel.Node;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Requests about names. */
final class LifeNames {
    private final LifeWorld world;

    LifeNames(LifeWorld world) {
        this.world = world;
    }

    void create(LifeClient client) throws IOException {
        NodeType type =
                switch (world.random.nextInt(5)) {
                    case 0 -> NodeType.FILE;
                    case 3 -> NodeType.MULTIFILE;
                    case 1 -> NodeType.TABLE;
                    default -> NodeType.DIRECTORY;
                };
        int flags =
                world.random.nextInt(2) * Create.PARENTS
                        | world.random.nextInt(2) * Create.OVERWRITE
                        | world.random.nextInt(3) / 2 * Create.EXISTING_OK
                        | world.random.nextInt(6) / 5 * Create.SESSION_BOUND;
        String path = world.path();
        ErrorCode expected = world.model.checkCreate(path, type, flags);
        expected = expected == null ? world.model.checkCreateQuota(path) : expected;
        long lifetime = world.lifetime();
        Message message = TestRequests.createRequest(path, type, flags, 0, lifetime);
        if (expected == null
                && world.model.find(path) != null
                && (flags & Create.EXISTING_OK) != 0) {
            // Changes nothing, and so is not remembered.
            client.session.wire().ask(message, FrameLink.NO_PAYLOAD).orThrow();
        } else if (world.mutate(client, message, expected) != null) {
            Node made = world.model.create(path, type, flags);
            made.deadline = world.deadline(lifetime);
            made.bound = (flags & Create.SESSION_BOUND) != 0 ? client : null;
        }
    }

    void delete(LifeClient client) throws IOException {
        String path = world.path(null);
        boolean recursive = world.random.nextInt(6) == 0;
        ErrorCode expected = world.model.checkDelete(path, recursive);
        if (world.mutate(client, new Delete.Request(TestSession.bytes(path), recursive), expected)
                != null) {
            world.forgetLeasesBelow(List.of(world.model.delete(path)));
        }
    }

    void rename(LifeClient client) throws IOException {
        String from = world.path(null);
        String to = world.path();
        boolean replace = world.random.nextBoolean();
        boolean unbind = world.random.nextBoolean();
        ErrorCode expected = world.model.checkRename(from, to, replace);
        expected = expected == null ? world.model.checkRenameQuota(from, to) : expected;
        Message message =
                new Rename.Request(
                        TestSession.bytes(from),
                        TestSession.bytes(to),
                        (replace ? Rename.REPLACE : 0) | (unbind ? Rename.UNBIND : 0));
        if (expected == null && from.equals(to)) {
            client.session.wire().ask(message, FrameLink.NO_PAYLOAD).orThrow();
        } else if (world.mutate(
                        client,
                        message,
                        FrameLink.NO_PAYLOAD,
                        expected,
                        Set.of(ErrorCode.QUOTA_EXCEEDED))
                != null) {
            world.model.rename(from, to);
            Node moved = world.model.find(to);
            if (unbind && moved != null) {
                moved.bound = null;
            }
        }
    }

    void attributes(LifeClient client) throws IOException {
        String path = world.path(null);
        ErrorCode expected = world.model.find(path) == null ? ErrorCode.NO_SUCH_NODE : null;
        world.mutate(
                client,
                new SetAttributes.Request(
                        TestSession.bytes(path),
                        SetAttributes.MODE
                                | SetAttributes.ACCESSED
                                | SetAttributes.OWNER
                                | SetAttributes.STORAGE_CLASS,
                        world.random.nextInt(01000),
                        world.random.nextInt(4) / 3,
                        0,
                        world.random.nextInt(1000),
                        -1,
                        "user" + world.random.nextInt(5),
                        ""),
                expected);
    }

    /** Sets, renews or takes away when a node goes. */
    void lifetime(LifeClient client) throws IOException {
        String path = world.path(null);
        Node node = world.model.find(path);
        long lifetime = world.lifetime();
        boolean unbind = world.random.nextInt(4) == 0;
        Message message =
                new SetAttributes.Request(
                        TestSession.bytes(path),
                        SetAttributes.LIFETIME | (unbind ? SetAttributes.UNBIND : 0),
                        0,
                        0,
                        0,
                        0,
                        lifetime,
                        "",
                        "");
        if (world.mutate(client, message, node == null ? ErrorCode.NO_SUCH_NODE : null) != null
                && node != null) {
            node.deadline = world.deadline(lifetime);
            node.bound = unbind ? null : node.bound;
        }
    }

    /** Limits nodes, which the model counts, or bytes, or nothing any more. */
    void quota(LifeClient client) throws IOException {
        String path = world.path(null);
        Node node = world.model.find(path);
        long nodes = world.random.nextInt(3) == 0 ? -1 : world.random.nextInt(12);
        List<SetQuota.ClassLimit> bytes = new ArrayList<>();
        if (world.random.nextInt(3) == 0) {
            int storageClass = new int[] {0, 1, SetQuota.ALL_CLASSES}[world.random.nextInt(3)];
            bytes.add(new SetQuota.ClassLimit(storageClass, world.random.nextInt(1 << 21)));
        }
        ErrorCode expected =
                node == null
                        ? ErrorCode.NO_SUCH_NODE
                        : node.type == NodeType.FILE || node.type == NodeType.STREAM
                                ? ErrorCode.WRONG_NODE_TYPE
                                : null;
        if (world.mutate(
                                client,
                                new SetQuota.Request(TestSession.bytes(path), nodes, bytes),
                                expected)
                        != null
                && node != null) {
            node.nodeLimit = nodes < 0 ? Long.MAX_VALUE : nodes;
            NodeStatus status = client.session.lookup(path);
            world.floors.put(status.id(), status.allocated());
        }
    }

    void xattr(LifeClient client) throws IOException {
        String path = world.path(null);
        Node node = world.model.find(path);
        String name = "user." + (char) ('a' + world.random.nextInt(3));
        String value = "x".repeat(world.random.nextInt(20));
        int flags =
                new int[] {0, 0, SetXattr.CREATE, SetXattr.REPLACE, SetXattr.REMOVE}
                        [world.random.nextInt(5)];
        boolean exists = node != null && node.xattrs.containsKey(name);
        ErrorCode expected =
                node == null
                        ? ErrorCode.NO_SUCH_NODE
                        : (flags == SetXattr.CREATE && exists)
                                        || (flags == SetXattr.REPLACE && !exists)
                                ? ErrorCode.CONDITION_FAILED
                                : null;
        Message message =
                new SetXattr.Request(
                        TestSession.bytes(path), name, flags, TestSession.bytes(value));
        if (flags == SetXattr.REMOVE && node != null && !exists) {
            // Changes nothing, and so is not remembered.
            client.session.wire().ask(message, FrameLink.NO_PAYLOAD).orThrow();
        } else if (world.mutate(client, message, expected) != null && node != null) {
            if (flags == SetXattr.REMOVE) {
                node.xattrs.remove(name);
            } else {
                node.xattrs.put(name, value);
            }
        }
    }

    void read(LifeClient client) throws IOException {
        String path = world.path(null);
        ErrorCode expected = world.model.find(path) == null ? ErrorCode.NO_SUCH_NODE : null;
        try {
            client.session.lookup(path);
            if (expected != null) {
                throw new AssertionError(path + " should not exist");
            }
        } catch (CrailException e) {
            if (e.code() != expected) {
                throw e;
            }
        }
    }
}
