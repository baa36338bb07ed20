// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ErrorCode;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.TreeModel.Node;
import io.crail.namenode.TreeModel.Value;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MultiPut;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Remove;
import io.crail.protocol.node.NodeType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Requests about keys and values. */
final class LifeValues {
    private static final int QUOTA_EXCEEDED = ErrorCode.QUOTA_EXCEEDED.wire();

    private final LifeWorld world;
    private long lastVersion;

    LifeValues(LifeWorld world) {
        this.world = world;
    }

    void put(LifeClient client) throws IOException {
        String table = world.path(NodeType.TABLE);
        String key = world.key();
        Value old = world.model.value(table, key);
        int condition = world.random.nextInt(3);
        long version = old == null || world.random.nextInt(3) == 0 ? 1 : old.version();
        ErrorCode expected = world.model.checkTable(table);
        if (expected == null) {
            expected = condition(old, condition, version);
        }
        expected = expected == null ? world.model.checkPutQuota(table, key) : expected;
        long lifetime = world.lifetime();
        String text = "v".repeat(world.random.nextInt(40)) + lastVersion;
        if (world.random.nextInt(10) == 0) {
            text = "";
        }
        Answer answer =
                world.mutate(
                        client,
                        TestRequests.putRequest(table, key, condition, version, lifetime),
                        TestSession.bytes(text),
                        expected,
                        Set.of());
        if (answer != null) {
            world.model.put(
                    table,
                    key,
                    new Value(text, text.length(), newVersion(answer), world.deadline(lifetime)));
        }
    }

    void remove(LifeClient client) throws IOException {
        String table = world.path(NodeType.TABLE);
        String key = world.key();
        ErrorCode expected = world.model.checkTable(table);
        Message message =
                new Remove.Request(
                        TestSession.bytes(table), TestSession.bytes(key), Conditions.NONE, 0);
        if (expected == null && world.model.value(table, key) == null) {
            client.session.wire().ask(message, FrameLink.NO_PAYLOAD).orThrow();
        } else if (world.mutate(client, message, expected) != null) {
            Node node = world.model.find(table);
            if (node != null) {
                node.values.remove(key);
            }
        }
    }

    void putBlocks(LifeClient client) throws IOException {
        String table = world.path(NodeType.TABLE);
        ErrorCode expected = world.model.checkTable(table);
        if (client.valueGrants.isEmpty() || world.random.nextInt(4) == 0) {
            long bytes = 1L + world.random.nextInt(100_000);
            Message message =
                    new Grant.Request(
                            0,
                            0,
                            TestSession.bytes(table),
                            bytes,
                            world.random.nextBoolean(),
                            new int[0]);
            Answer answer =
                    world.mutate(
                            client, message, FrameLink.NO_PAYLOAD, expected, LifeWorld.NO_ROOM);
            if (answer != null) {
                client.valueGrants.addAll(Grant.Reply.decode(answer.reader()).grants());
            }
            return;
        }
        long lifetime = world.lifetime();
        String key = world.key();
        expected = expected == null ? world.model.checkPutQuota(table, key) : expected;
        BlockReference block = client.valueGrants.remove(0);
        int used = 1 + world.random.nextInt(block.length());
        Message message =
                new Put.Request(
                        TestSession.bytes(table),
                        TestSession.bytes(key),
                        Conditions.NONE,
                        0,
                        lifetime,
                        Get.EXTENTS,
                        List.of(TestRequests.extent(block, used)),
                        List.of(),
                        world.random.nextInt(2) * (1L + world.random.nextInt(100_000)),
                        new int[0]);
        Answer answer =
                world.mutate(
                        client,
                        message,
                        FrameLink.NO_PAYLOAD,
                        expected,
                        EnumSet.of(ErrorCode.SERVER_LOST, ErrorCode.QUOTA_EXCEEDED));
        if (answer != null) {
            client.valueGrants.addAll(Put.Reply.decode(answer.reader()).grants());
            world.model.put(
                    table,
                    key,
                    new Value(null, used, newVersion(answer), world.deadline(lifetime)));
        }
    }

    /** Entries one after the other, with the model's values as they are after those before. */
    void putMany(LifeClient client) throws IOException {
        String table = world.path(NodeType.TABLE);
        ErrorCode wrong = world.model.checkTable(table);
        List<MultiPut.Entry> entries = new ArrayList<>();
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        List<String> texts = new ArrayList<>();
        Set<String> put = new HashSet<>();
        for (int i = 1 + world.random.nextInt(6); i > 0; i--) {
            String key = world.key();
            Value old = wrong == null ? world.model.value(table, key) : null;
            int condition = world.random.nextInt(3);
            // A version that an entry before has made is not known yet.
            boolean touched = put.contains(key);
            long version = old == null || world.random.nextInt(3) == 0 ? 1 : old.version();
            boolean exists = touched || old != null;
            boolean holds =
                    switch (condition) {
                        case Conditions.IF_ABSENT -> !exists;
                        case Conditions.IF_VERSION ->
                                !touched && old != null && old.version() == version;
                        default -> true;
                    };
            String text = "m".repeat(world.random.nextInt(30));
            entries.add(new MultiPut.Entry(bytes(key), condition, version, -1, text.length()));
            texts.add(text);
            payload.writeBytes(bytes(text));
            if (holds) {
                put.add(key);
            }
        }
        Message message = new MultiPut.Request(bytes(table), entries);
        if (wrong == null && put.isEmpty()) {
            // Nothing changes, and so nothing is remembered.
            take(
                    client.session.wire().ask(message, payload.toByteArray()).orThrow(),
                    table,
                    entries,
                    texts);
            return;
        }
        Answer answer = world.mutate(client, message, payload.toByteArray(), wrong, Set.of());
        if (answer == null) {
            return;
        }
        if (!take(answer, table, entries, texts)) {
            client.done.removeLast(); // A quota refused them all: nothing is remembered.
        }
    }

    private static byte[] bytes(String text) {
        return TestSession.bytes(text);
    }

    /** Entry after entry, each after what those before it have done; whether any was put. */
    private boolean take(
            Answer answer, String table, List<MultiPut.Entry> entries, List<String> texts)
            throws IOException {
        List<MultiPut.Result> results = MultiPut.Reply.decode(answer.reader()).results();
        boolean any = false;
        for (int i = 0; i < entries.size(); i++) {
            MultiPut.Entry entry = entries.get(i);
            String key = TestSession.text(entry.key());
            Value old = world.model.value(table, key);
            ErrorCode should = condition(old, entry.condition(), entry.expectedVersion());
            int status = results.get(i).status();
            boolean full = should == null && old == null && status == QUOTA_EXCEEDED;
            if (!full && status != (should == null ? 0 : should.wire())) {
                throw new AssertionError(entry + " gave " + results.get(i) + " and not " + should);
            }
            if (status == 0) {
                any = true;
                world.model.put(
                        table,
                        key,
                        new Value(
                                texts.get(i),
                                texts.get(i).length(),
                                newVersion(results.get(i).version()),
                                world.deadline(-1)));
            }
        }
        return any;
    }

    private long newVersion(Answer answer) throws IOException {
        return newVersion(Put.Reply.decode(answer.reader()).version());
    }

    private long newVersion(long version) {
        if (version <= lastVersion) {
            throw new AssertionError("version " + version + " came after " + lastVersion);
        }
        lastVersion = version;
        return version;
    }

    private static @Nullable ErrorCode condition(@Nullable Value old, int condition, long version) {
        boolean holds =
                switch (condition) {
                    case Conditions.IF_ABSENT -> old == null;
                    case Conditions.IF_VERSION -> old != null && old.version() == version;
                    default -> true;
                };
        return holds ? null : ErrorCode.CONDITION_FAILED;
    }
}
