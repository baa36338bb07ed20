// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailTable;
import io.crail.client.GetResult;
import io.crail.client.PutEntry;
import io.crail.client.PutOptions;
import io.crail.client.PutResult;
import io.crail.error.ErrorCode;
import io.crail.protocol.node.NodeType;
import io.crail.system.model.StoreModel.Node;
import io.crail.system.model.StoreModel.Value;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Putting, getting and removing values, one or many at a time. */
final class TableOperations {
    private static final int MAX_MANY = 10;
    private static final long NO_VERSION = 12_345_678_901L;

    private final ModelRun run;

    TableOperations(ModelRun run) {
        this.run = run;
    }

    void put() throws Exception {
        String path = run.path(NodeType.TABLE);
        byte[] key = run.key();
        byte[] value = run.bytes();
        long[] version = new long[1];
        if (run.change(
                "put " + path,
                run.model.check(path, NodeType.TABLE),
                () -> version[0] = run.client().table(path).put(key, value))) {
            putModel(path, ModelRun.text(key), value, version[0]);
        }
    }

    private void putModel(String path, String key, byte[] value, long version) {
        Node table = Objects.requireNonNull(run.model.find(path));
        Value old = table.values.put(key, new Value(value, version));
        run.require(old == null || old.version() < version, "version " + version + " is not new");
    }

    private @Nullable Value value(String path, String key) {
        Node table = run.model.find(path);
        return table == null ? null : table.values.get(key);
    }

    void putConditionally() throws Exception {
        String path = run.path(NodeType.TABLE);
        byte[] key = run.key();
        byte[] value = run.bytes();
        Value old = value(path, ModelRun.text(key));
        boolean absent = run.random.nextBoolean();
        long wanted = old != null && run.random.nextBoolean() ? old.version() : NO_VERSION;
        List<Long> made = new ArrayList<>();
        if (run.change(
                "put conditionally " + path,
                run.model.check(path, NodeType.TABLE),
                () -> {
                    CrailTable target = run.client().table(path);
                    Optional<Long> version =
                            absent
                                    ? target.putIfAbsent(key, ByteBuffer.wrap(value))
                                    : target.putIfVersion(key, ByteBuffer.wrap(value), wanted);
                    version.ifPresent(made::add);
                })) {
            boolean expected = absent ? old == null : old != null && old.version() == wanted;
            run.require(expected != made.isEmpty(), "a condition was judged wrongly");
            if (expected) {
                putModel(path, ModelRun.text(key), value, made.get(0));
            }
        }
    }

    void get() throws Exception {
        String path = run.path(NodeType.TABLE);
        byte[] key = run.key();
        run.change(
                "get " + path,
                run.model.check(path, NodeType.TABLE),
                () ->
                        run.comparison.sameValue(
                                path, ModelRun.text(key), run.client().table(path).get(key)));
    }

    void remove() throws Exception {
        String path = run.path(NodeType.TABLE);
        byte[] key = run.key();
        boolean[] existed = new boolean[1];
        if (run.change(
                "remove from " + path,
                run.model.check(path, NodeType.TABLE),
                () -> existed[0] = run.client().table(path).remove(key))) {
            Node table = Objects.requireNonNull(run.model.find(path));
            boolean expected = table.values.remove(ModelRun.text(key)) != null;
            run.require(existed[0] == expected, "remove says " + existed[0]);
        }
    }

    void multiGet() throws Exception {
        String path = run.path(NodeType.TABLE);
        List<byte[]> keys = new ArrayList<>();
        for (int i = 1 + run.random.nextInt(MAX_MANY); i > 0; i--) {
            keys.add(run.key()); // The same one again, perhaps.
        }
        run.change(
                "get many of " + path,
                run.model.check(path, NodeType.TABLE),
                () -> {
                    List<GetResult> found = run.client().table(path).multiGet(keys);
                    run.require(found.size() == keys.size(), found.size() + " results");
                    for (int i = 0; i < keys.size(); i++) {
                        run.comparison.sameValue(
                                path, ModelRun.text(keys.get(i)), found.get(i).value());
                    }
                });
    }

    /** An entry that is put, and whether its condition holds. */
    private record Wish(PutEntry entry, byte[] value, boolean holds) {}

    void multiPut() throws Exception {
        String path = run.path(NodeType.TABLE);
        Map<String, Wish> wishes = new LinkedHashMap<>();
        for (int i = 1 + run.random.nextInt(MAX_MANY); i > 0; i--) {
            String key = ModelRun.text(run.key());
            wishes.put(key, wish(key, value(path, key)));
        }
        List<PutResult> results = new ArrayList<>();
        if (run.change(
                "put many to " + path,
                run.model.check(path, NodeType.TABLE),
                () ->
                        results.addAll(
                                run.client()
                                        .table(path)
                                        .multiPut(
                                                wishes.values().stream()
                                                        .map(Wish::entry)
                                                        .toList())))) {
            run.require(results.size() == wishes.size(), results.size() + " results");
            int at = 0;
            for (Map.Entry<String, Wish> each : wishes.entrySet()) {
                judge(path, each.getKey(), each.getValue(), results.get(at++));
            }
        }
    }

    private Wish wish(String key, @Nullable Value old) {
        byte[] value = run.bytes();
        PutOptions options = PutOptions.DEFAULT;
        boolean holds = true;
        switch (run.random.nextInt(4)) {
            case 0 -> {
                options = PutOptions.IF_ABSENT;
                holds = old == null;
            }
            case 1 -> {
                holds = old != null && run.random.nextBoolean();
                options = PutOptions.ifVersion(holds && old != null ? old.version() : NO_VERSION);
            }
            default -> {}
        }
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        return new Wish(new PutEntry(bytes, ByteBuffer.wrap(value), options), value, holds);
    }

    private void judge(String path, String key, Wish wish, PutResult result) {
        if (result instanceof PutResult.Failed failed) {
            run.require(
                    !wish.holds() && failed.cause().code() == ErrorCode.CONDITION_FAILED,
                    path + "[" + key + "]: " + failed.cause());
        } else if (result instanceof PutResult.Done done) {
            run.require(wish.holds(), path + "[" + key + "] was put against its condition");
            putModel(path, key, wish.value(), done.version());
        }
    }
}
