// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ErrorCode;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.LifeClient.Lease;
import io.crail.namenode.TreeModel.Node;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Requests about the members of multifiles. */
final class LifeMembers {
    private final LifeWorld world;

    LifeMembers(LifeWorld world) {
        this.world = world;
    }

    /** A member that the namenode names, open for writing. */
    void add(LifeClient client) throws IOException {
        String path = world.path(NodeType.MULTIFILE);
        Answer answer =
                world.mutate(
                        client,
                        TestRequests.createRequest(
                                path,
                                NodeType.FILE,
                                Create.OPEN | Create.GENERATE_NAME,
                                world.random.nextInt(50_000)),
                        FrameLink.NO_PAYLOAD,
                        world.model.checkMember(path),
                        LifeWorld.NO_ROOM);
        if (answer != null) {
            Create.Reply reply = Create.Reply.decode(answer.reader());
            String name = Create.generatedName(reply.status().id());
            Node node = world.model.create(path + "/" + name, NodeType.FILE, 0);
            Lease lease = new Lease(node, reply.status().id(), reply.handle(), 0);
            lease.unused.addAll(reply.grants());
            node.lease = lease;
            client.leases.add(lease);
        }
    }

    /** All pages, which together must be what the model says. */
    void open(LifeClient client) throws IOException {
        String path = world.path(NodeType.MULTIFILE);
        ErrorCode wrong = world.model.checkMember(path);
        if (wrong == ErrorCode.WRONG_NODE_TYPE && world.model.find(path) == null) {
            wrong = ErrorCode.NO_SUCH_NODE; // It is read, not made: the obstacle does not matter.
        }
        boolean closedOnly = world.random.nextBoolean();
        int flags = closedOnly ? OpenMembers.CLOSED_ONLY : 0;
        int limit = 1 + world.random.nextInt(4);
        List<String> opened = new ArrayList<>();
        OpenMembers.Reply page = null;
        do {
            page = page(client, path, page, limit, flags, wrong);
            if (page == null) {
                return;
            }
            for (OpenMembers.Member member : page.members()) {
                opened.add(TestSession.text(member.name()) + " " + member.status().length());
            }
        } while (page.more());
        List<String> expected = new ArrayList<>();
        for (Map.Entry<String, Node> child : world.model.members(path).entrySet()) {
            if (!closedOnly || child.getValue().lease == null) {
                expected.add(child.getKey() + " " + child.getValue().length);
            }
        }
        TestNamenode.compare(opened, expected);
    }

    private OpenMembers.@Nullable Reply page(
            LifeClient client,
            String path,
            OpenMembers.@Nullable Reply before,
            int limit,
            int flags,
            @Nullable ErrorCode wrong)
            throws IOException {
        OpenMembers.Request request =
                TestRequests.openMembersRequest(path, before, limit, 2, flags);
        if (wrong == null && isEmpty(path, before, limit, flags)) {
            // Changes nothing, and so is not remembered.
            return OpenMembers.Reply.decode(
                    client.session.wire().ask(request, FrameLink.NO_PAYLOAD).orThrow().reader());
        }
        Answer answer = world.mutate(client, request, wrong);
        if (answer == null) {
            return null;
        }
        OpenMembers.Reply reply = OpenMembers.Reply.decode(answer.reader());
        client.reads.add(reply.handle());
        return reply;
    }

    /** Whether the next so many members are all left out. */
    private boolean isEmpty(String path, OpenMembers.@Nullable Reply before, int limit, int flags) {
        String cursor = before == null ? "" : TestSession.text(before.cursor());
        return world.model.members(path).tailMap(cursor, false).values().stream()
                .limit(limit)
                .allMatch(child -> flags != 0 && child.lease != null);
    }
}
