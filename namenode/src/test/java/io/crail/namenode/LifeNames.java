// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.namenode.TreeModel.Node;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.node.NodeType;
import java.io.IOException;

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
                        | world.random.nextInt(3) / 2 * Create.EXISTING_OK;
        String path = world.path();
        ErrorCode expected = world.model.checkCreate(path, type, flags);
        Message message = TestSession.createRequest(path, type, flags, 0);
        if (expected == null
                && world.model.find(path) != null
                && (flags & Create.EXISTING_OK) != 0) {
            // Changes nothing, and so is not remembered.
            client.session.wire().ask(message, FrameLink.NO_PAYLOAD).orThrow();
        } else if (world.mutate(client, message, expected) != null) {
            world.model.create(path, type, flags);
        }
    }

    void delete(LifeClient client) throws IOException {
        String path = world.path(null);
        boolean recursive = world.random.nextInt(6) == 0;
        ErrorCode expected = world.model.checkDelete(path, recursive);
        if (world.mutate(client, new Delete.Request(TestSession.bytes(path), recursive), expected)
                != null) {
            forgetLeases(world.model.delete(path));
        }
    }

    void rename(LifeClient client) throws IOException {
        String from = world.path(null);
        String to = world.path();
        boolean replace = world.random.nextBoolean();
        ErrorCode expected = world.model.checkRename(from, to, replace);
        Message message =
                new Rename.Request(
                        TestSession.bytes(from),
                        TestSession.bytes(to),
                        replace ? Rename.REPLACE : 0);
        if (expected == null && from.equals(to)) {
            client.session.wire().ask(message, FrameLink.NO_PAYLOAD).orThrow();
        } else if (world.mutate(client, message, expected) != null) {
            world.model.rename(from, to);
        }
    }

    void attributes(LifeClient client) throws IOException {
        String path = world.path(null);
        ErrorCode expected = world.model.find(path) == null ? ErrorCode.NO_SUCH_NODE : null;
        world.mutate(
                client,
                new SetAttributes.Request(
                        TestSession.bytes(path),
                        SetAttributes.MODE | SetAttributes.ACCESSED | SetAttributes.OWNER,
                        world.random.nextInt(01000),
                        0,
                        0,
                        world.random.nextInt(1000),
                        -1,
                        "user" + world.random.nextInt(5),
                        ""),
                expected);
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

    /** Leases below a removed directory end some time later. */
    private void forgetLeases(Node removed) {
        for (LifeClient client : world.clients) {
            client.leases.removeIf(lease -> isBelow(lease.node, removed));
        }
    }

    private static boolean isBelow(Node node, Node top) {
        for (Node up = node; up != null; up = up.parent) {
            if (up == top) {
                return node != top;
            }
        }
        return false;
    }
}
