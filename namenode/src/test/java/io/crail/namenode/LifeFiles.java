// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ErrorCode;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.LifeClient.Lease;
import io.crail.namenode.TreeModel.Node;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.Commit;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Open;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Requests about the bytes of files. */
final class LifeFiles {
    private final LifeWorld world;

    LifeFiles(LifeWorld world) {
        this.world = world;
    }

    void write(LifeClient client) throws IOException {
        String path = world.path();
        int flags =
                Create.OPEN
                        | world.random.nextInt(2) * Create.PARENTS
                        | world.random.nextInt(2) * Create.OVERWRITE
                        | world.random.nextInt(6) / 5 * Create.SESSION_BOUND;
        ErrorCode expected = world.model.checkCreate(path, NodeType.FILE, flags);
        expected = expected == null ? world.model.checkCreateQuota(path) : expected;
        long lifetime = world.lifetime();
        long bytes = world.random.nextInt(3) * (long) world.random.nextInt(200_000);
        Answer answer =
                world.mutate(
                        client,
                        TestRequests.createRequest(path, NodeType.FILE, flags, bytes, lifetime),
                        FrameLink.NO_PAYLOAD,
                        expected,
                        LifeWorld.NO_ROOM);
        if (answer != null) {
            Create.Reply reply = Create.Reply.decode(answer.reader());
            Node node = world.model.create(path, NodeType.FILE, flags);
            node.deadline = world.deadline(lifetime);
            node.bound = (flags & Create.SESSION_BOUND) != 0 ? client : null;
            Lease lease = new Lease(node, reply.status().id(), reply.handle(), 0);
            lease.unused.addAll(reply.grants());
            node.lease = lease;
            client.leases.add(lease);
        }
    }

    void grantMore(LifeClient client) throws IOException {
        Lease lease = anyLease(client);
        if (lease != null) {
            Message message =
                    new Grant.Request(
                            lease.id,
                            lease.handle,
                            TestSession.NOTHING,
                            1 + world.random.nextInt(50_000),
                            world.random.nextBoolean(),
                            new int[0]);
            Answer answer =
                    world.mutate(
                            client,
                            message,
                            FrameLink.NO_PAYLOAD,
                            lease.check(),
                            LifeWorld.NO_ROOM);
            if (answer != null) {
                lease.unused.addAll(Grant.Reply.decode(answer.reader()).grants());
            }
        }
    }

    void commit(LifeClient client) throws IOException {
        Lease lease = anyLease(client);
        if (lease == null) {
            return;
        }
        boolean close = world.random.nextInt(4) == 0;
        List<CommittedExtent> items = new ArrayList<>();
        BlockReference last = lease.last;
        int used = lease.lastUsed;
        long length = lease.base;
        if (last != null && used < last.length() && world.random.nextBoolean()) {
            int more = used + 1 + world.random.nextInt(last.length() - used);
            length += more - used;
            used = more;
            items.add(TestRequests.extent(last, used));
        }
        int blocks = Math.min(lease.unused.size(), world.random.nextInt(3));
        for (BlockReference block : lease.unused.subList(0, blocks)) {
            last = block;
            used = 1 + world.random.nextInt(block.length());
            length += used;
            items.add(TestRequests.extent(block, used));
        }
        Message message =
                new Commit.Request(
                        lease.id,
                        lease.handle,
                        lease.base,
                        close ? Commit.CLOSE : 0,
                        items,
                        List.of());
        Answer answer =
                world.mutate(
                        client,
                        message,
                        FrameLink.NO_PAYLOAD,
                        lease.check(),
                        EnumSet.of(ErrorCode.SERVER_LOST, ErrorCode.QUOTA_EXCEEDED));
        if (answer != null) {
            lease.unused.subList(0, blocks).clear();
            lease.last = last;
            lease.lastUsed = used;
            lease.base = length;
            lease.node.length = length;
            if (close) {
                lease.node.lease = null;
                client.leases.remove(lease);
            }
        } else if (lease.check() != null || world.random.nextBoolean()) {
            client.leases.remove(lease);
            if (lease.node.lease == lease) {
                world.mutate(client, new Abandon.Request(lease.id, lease.handle, false), null);
                lease.node.lease = null;
            }
        }
    }

    void append(LifeClient client) throws IOException {
        String path = world.path(NodeType.FILE);
        Node node = world.model.find(path);
        ErrorCode expected =
                node == null
                        ? ErrorCode.NO_SUCH_NODE
                        : node.type != NodeType.FILE
                                ? ErrorCode.WRONG_NODE_TYPE
                                : node.lease != null ? ErrorCode.LEASE_HELD : null;
        open(client, path, expected);
    }

    void open(LifeClient client, String path, @Nullable ErrorCode expected) throws IOException {
        Node node = world.model.find(path);
        Message message =
                new Open.Request(TestSession.bytes(path), Open.APPEND, world.random.nextInt(9000));
        Answer answer =
                world.mutate(client, message, FrameLink.NO_PAYLOAD, expected, LifeWorld.NO_ROOM);
        if (answer != null && node != null) {
            Open.Reply reply = Open.Reply.decode(answer.reader());
            Lease lease = new Lease(node, reply.status().id(), reply.handle(), node.length);
            lease.unused.addAll(reply.grants());
            if (!reply.extents().isEmpty()) {
                lease.last = reply.extents().get(0).block();
                lease.lastUsed = reply.extents().get(0).length();
            }
            node.lease = lease;
            client.leases.add(lease);
        }
    }

    void abandon(LifeClient client) throws IOException {
        Lease lease = anyLease(client);
        if (lease != null) {
            world.mutate(client, new Abandon.Request(lease.id, lease.handle, false), lease.check());
            client.leases.remove(lease);
            if (lease.node.lease == lease) {
                lease.node.lease = null;
            }
        }
    }

    void openForReading(LifeClient client) throws IOException {
        String path = world.path(NodeType.FILE);
        Node node = world.model.find(path);
        ErrorCode expected =
                node == null
                        ? ErrorCode.NO_SUCH_NODE
                        : node.type != NodeType.FILE ? ErrorCode.WRONG_NODE_TYPE : null;
        Answer answer =
                world.mutate(
                        client, new Open.Request(TestSession.bytes(path), Open.READ, 0), expected);
        if (answer != null) {
            Open.Reply open = Open.Reply.decode(answer.reader());
            client.reads.add(open.handle());
            client.opened.put(open.handle(), Splicer.Opened.of(client.session, open));
        }
    }

    void keepAlive(LifeClient client) throws IOException {
        long[] closed =
                client.reads.isEmpty()
                        ? new long[] {-1}
                        : new long[] {
                            client.reads.remove(world.random.nextInt(client.reads.size()))
                        };
        client.opened.remove(closed[0]);
        List<BlockId> returned = new ArrayList<>();
        if (!client.valueGrants.isEmpty() && world.random.nextBoolean()) {
            returned.add(client.valueGrants.remove(0).id());
        }
        world.mutate(client, new KeepAlive.Request(closed, returned), null);
    }

    private @Nullable Lease anyLease(LifeClient client) {
        return client.leases.isEmpty()
                ? null
                : client.leases.get(world.random.nextInt(client.leases.size()));
    }
}
