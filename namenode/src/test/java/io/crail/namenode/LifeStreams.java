// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ErrorCode;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.TreeModel.Node;
import io.crail.namenode.tree.StreamNode;
import io.crail.namenode.tree.StreamRun;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.StreamAppend;
import io.crail.protocol.message.StreamCreate;
import io.crail.protocol.message.StreamTrim;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests about streams. */
final class LifeStreams {
    private static final int KEPT = 10;

    private final LifeWorld world;

    LifeStreams(LifeWorld world) {
        this.world = world;
    }

    void create(LifeClient client) throws IOException {
        String path = world.path();
        int flags =
                world.random.nextInt(2) * Create.PARENTS
                        | world.random.nextInt(2) * Create.OVERWRITE
                        | world.random.nextInt(6) / 5 * Create.SESSION_BOUND;
        long lifetime = world.lifetime();
        boolean limited = world.random.nextBoolean();
        ErrorCode expected = world.model.checkCreate(path, NodeType.STREAM, flags);
        expected = expected == null ? world.model.checkCreateQuota(path) : expected;
        Message message =
                new StreamCreate.Request(
                        0,
                        limited ? KEPT : 0,
                        0,
                        TestRequests.createRequest(path, NodeType.STREAM, flags, 0, lifetime));
        Answer answer = world.mutate(client, message, expected);
        if (answer != null) {
            Node made = world.model.create(path, NodeType.STREAM, flags);
            made.id = StreamCreate.Reply.decode(answer.reader()).create().status().id();
            made.limited = limited;
            made.deadline = world.deadline(lifetime);
            made.bound = (flags & Create.SESSION_BOUND) != 0 ? client : null;
        }
    }

    void append(LifeClient client) throws IOException {
        Node node = any();
        if (node == null) {
            return;
        }
        if (!client.valueGrants.isEmpty() && world.random.nextBoolean()) {
            appendBlocks(client, node);
        } else if (world.random.nextInt(6) == 0) {
            grant(client, node);
        } else {
            appendInline(client, node);
        }
    }

    private void appendInline(LifeClient client, Node node) throws IOException {
        List<String> records = new ArrayList<>();
        for (int i = world.random.nextInt(4); i >= 0; i--) {
            records.add("r".repeat(world.random.nextInt(40)) + node.next());
        }
        byte[] frames = TestRequests.frames(records);
        Message message = TestRequests.appendRequest(node.id, records.size(), List.of(), 0, 0);
        if (world.random.nextInt(10) == 0) {
            frames[0]++; // Another length.
            world.mutate(client, message, frames, ErrorCode.INVALID_ARGUMENT, Set.of());
            return;
        }
        appended(node, records, world.mutate(client, message, frames, null, Set.of()));
    }

    private void appendBlocks(LifeClient client, Node node) throws IOException {
        BlockReference block = client.valueGrants.remove(0);
        List<@Nullable String> records = new ArrayList<>();
        for (int i = world.random.nextInt(4); i >= 0; i--) {
            records.add(null);
        }
        int bytes = 100 + world.random.nextInt(block.length() - 100);
        List<CommittedExtent> extents = List.of(TestRequests.extent(block, bytes));
        int more = world.random.nextInt(3);
        Message message =
                TestRequests.appendRequest(node.id, records.size(), extents, more, 1 << 14);
        Answer answer =
                world.mutate(
                        client,
                        message,
                        FrameLink.NO_PAYLOAD,
                        null,
                        EnumSet.of(ErrorCode.SERVER_LOST, ErrorCode.QUOTA_EXCEEDED));
        appended(node, records, answer);
        if (answer != null) {
            client.valueGrants.addAll(StreamAppend.Reply.decode(answer.reader()).grants());
        }
    }

    private void grant(LifeClient client, Node node) throws IOException {
        Message message = TestRequests.appendRequest(node.id, 0, List.of(), 2, 5000);
        Answer answer =
                world.mutate(client, message, FrameLink.NO_PAYLOAD, null, LifeWorld.NO_ROOM);
        if (answer != null) {
            client.valueGrants.addAll(StreamAppend.Reply.decode(answer.reader()).grants());
        }
    }

    private void appended(Node node, List<@Nullable String> records, @Nullable Answer answer)
            throws IOException {
        if (answer == null) {
            return;
        }
        long offset = StreamAppend.Reply.decode(answer.reader()).offset();
        if (offset != node.next()) {
            throw new AssertionError("record " + node.next() + " got the offset " + offset);
        }
        node.records.addAll(records);
        if (node.limited) {
            node.trimTo(firstKept(node));
        }
    }

    /** Which run boundary retention went to is the namenode's; that it is right is checked. */
    private long firstKept(Node node) {
        StreamNode stream =
                (StreamNode)
                        Objects.requireNonNull(
                                world.namenode.engine().state().tree().byId(node.id));
        long first = stream.first();
        boolean enough = stream.runs() == 1 || stream.next() - first <= KEPT;
        if (first < node.first || first >= stream.next() || !enough) {
            throw new AssertionError("retention went to " + first + " of " + stream.next());
        }
        return first;
    }

    void trim(LifeClient client) throws IOException {
        Node node = any();
        if (node == null) {
            return;
        }
        long offset = node.first - 1 + world.random.nextInt((int) (node.next() - node.first) + 3);
        ErrorCode expected = offset > node.next() ? ErrorCode.OFFSET_OUT_OF_RANGE : null;
        Message message = new StreamTrim.Request(node.id, Math.max(0, offset));
        if (world.mutate(client, message, expected) != null) {
            node.trimTo(offset);
        }
    }

    private @Nullable Node any() {
        List<String> streams = world.model.paths(NodeType.STREAM);
        return streams.isEmpty()
                ? null
                : world.model.find(streams.get(world.random.nextInt(streams.size())));
    }

    /** The line of the model for a stream of the namenode. */
    String line(String path, StreamNode stream) {
        List<@Nullable String> records = new ArrayList<>();
        for (int i = 0; i < stream.runs(); i++) {
            StreamRun run = stream.run(i);
            List<@Nullable String> each = records(run);
            int gone = (int) Math.max(0, Math.min(run.records(), stream.first() - run.first()));
            records.addAll(each.subList(gone, each.size()));
        }
        return TreeLines.streamLine(path, stream.first(), records);
    }

    private List<@Nullable String> records(StreamRun run) {
        List<@Nullable String> records = new ArrayList<>();
        if (!run.isInline()) {
            for (int i = 0; i < run.records(); i++) {
                records.add(null);
            }
            return records;
        }
        ByteBuffer frames = world.namenode.engine().state().inline().view(run.handle()).duplicate();
        frames.order(java.nio.ByteOrder.LITTLE_ENDIAN);
        while (frames.hasRemaining()) {
            byte[] bytes = new byte[frames.getInt()];
            frames.getInt();
            frames.get(bytes);
            records.add(new String(bytes, StandardCharsets.UTF_8));
        }
        return records;
    }
}
