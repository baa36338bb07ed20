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
        String text = "v".repeat(world.random.nextInt(40)) + lastVersion;
        if (world.random.nextInt(10) == 0) {
            text = "";
        }
        Answer answer =
                world.mutate(
                        client,
                        TestSession.putRequest(table, key, condition, version),
                        TestSession.bytes(text),
                        expected,
                        Set.of());
        if (answer != null) {
            world.model.put(table, key, new Value(text, text.length(), newVersion(answer)));
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
                            client, message, FrameLink.NO_PAYLOAD, expected, LifeWorld.NO_SPACE);
            if (answer != null) {
                client.valueGrants.addAll(Grant.Reply.decode(answer.reader()).grants());
            }
            return;
        }
        String key = world.key();
        BlockReference block = client.valueGrants.remove(0);
        int used = 1 + world.random.nextInt(block.length());
        Message message =
                new Put.Request(
                        TestSession.bytes(table),
                        TestSession.bytes(key),
                        Conditions.NONE,
                        0,
                        -1,
                        Get.EXTENTS,
                        List.of(TestSession.extent(block, used)),
                        List.of());
        Answer answer =
                world.mutate(
                        client,
                        message,
                        FrameLink.NO_PAYLOAD,
                        expected,
                        EnumSet.of(ErrorCode.SERVER_LOST));
        if (answer != null) {
            world.model.put(table, key, new Value(null, used, newVersion(answer)));
        }
    }

    /** Entries one after the other, with the model's values as they are after those before. */
    void putMany(LifeClient client) throws IOException {
        String table = world.path(NodeType.TABLE);
        ErrorCode wrong = world.model.checkTable(table);
        List<MultiPut.Entry> entries = new ArrayList<>();
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        List<String> texts = new ArrayList<>();
        List<@Nullable ErrorCode> expected = new ArrayList<>();
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
            expected.add(holds ? null : ErrorCode.CONDITION_FAILED);
            if (holds) {
                put.add(key);
            }
        }
        Message message = new MultiPut.Request(bytes(table), entries);
        if (wrong == null && put.isEmpty()) {
            // Nothing changes, and so nothing is remembered.
            check(client.session.wire().ask(message, payload.toByteArray()).orThrow(), expected);
            return;
        }
        Answer answer = world.mutate(client, message, payload.toByteArray(), wrong, Set.of());
        if (answer == null) {
            return;
        }
        List<MultiPut.Result> results = check(answer, expected);
        for (int i = 0; i < results.size(); i++) {
            if (expected.get(i) == null) {
                long version = newVersion(results.get(i).version());
                String text = texts.get(i);
                world.model.put(
                        table,
                        TestSession.text(entries.get(i).key()),
                        new Value(text, text.length(), version));
            }
        }
    }

    private static byte[] bytes(String text) {
        return TestSession.bytes(text);
    }

    private static List<MultiPut.Result> check(Answer answer, List<@Nullable ErrorCode> expected)
            throws IOException {
        List<MultiPut.Result> results = MultiPut.Reply.decode(answer.reader()).results();
        for (int i = 0; i < expected.size(); i++) {
            ErrorCode should = expected.get(i);
            if (results.get(i).status() != (should == null ? 0 : should.wire())) {
                throw new AssertionError(results + " should be " + expected);
            }
        }
        return results;
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
