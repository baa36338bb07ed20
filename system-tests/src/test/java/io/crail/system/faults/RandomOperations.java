// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.client.RenameOption;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import io.crail.system.faults.StoreModel.Node;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Random operations on a store and its model; any difference is an error that tells the seed. */
final class RandomOperations {
    /** A change of the store. */
    @FunctionalInterface
    private interface Change {
        void run() throws Exception;
    }

    private static final int NAMES = 4;
    private static final int KEYS = 12;
    private static final int MAX_FILES_BYTES = 100 << 20;

    private final CrailClient client;
    private final long seed;
    private final Random random;
    private final StoreModel model = new StoreModel();
    private final StoreComparison comparison;
    private int count;

    RandomOperations(CrailClient client, long seed) {
        this.client = client;
        this.seed = seed;
        this.random = new Random(seed);
        this.comparison = new StoreComparison(client, model, this::require);
    }

    private AssertionError differs(String what) {
        return new AssertionError("operation " + count + " of seed " + seed + ": " + what);
    }

    private void require(boolean same, String what) {
        if (!same) {
            throw differs(what);
        }
    }

    StoreComparison comparison() {
        return comparison;
    }

    /** Does the change, which must end with this error; true if it was done. */
    private boolean change(String what, @Nullable ErrorCode expected, Change change)
            throws Exception {
        try {
            change.run();
        } catch (CrailException e) {
            if (e.code() == expected) {
                return false;
            }
            AssertionError error = differs(what + " instead of " + expected + " gave " + e);
            error.initCause(e);
            throw error;
        }
        require(expected == null, what + " succeeded instead of " + expected);
        return true;
    }

    /** A path of one to three names, existing or not. */
    private String path() {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            path.append("/n").append(random.nextInt(NAMES));
        }
        return path.toString();
    }

    /** Mostly a path of that type. */
    private String path(NodeType type) {
        List<String> there = model.paths(type);
        return there.isEmpty() || random.nextInt(10) == 0
                ? path()
                : there.get(random.nextInt(there.size()));
    }

    private byte[] bytes() {
        int size =
                switch (random.nextInt(20)) {
                    case 0 -> random.nextInt(1_500_000);
                    case 1, 2, 3 -> random.nextInt(100_000);
                    case 4 -> 0;
                    default -> random.nextInt(9_000);
                };
        byte[] bytes = new byte[size];
        random.nextBytes(bytes);
        return bytes;
    }

    private byte[] key() {
        return ("key " + random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    void next() throws Exception {
        count++;
        switch (random.nextInt(24)) {
            case 0, 1 -> make(NodeType.DIRECTORY);
            case 2 -> make(NodeType.TABLE);
            case 3, 4, 5 -> createFile();
            case 6, 7 -> append();
            case 8 -> delete();
            case 9 -> rename();
            case 10 -> setMode();
            case 11, 12, 13 -> readRange();
            case 14, 15, 16 -> put();
            case 17 -> putConditionally();
            case 18, 19, 20 -> get();
            case 21 -> remove();
            case 22 -> lookup();
            default -> list();
        }
    }

    private void make(NodeType type) throws Exception {
        String path = path();
        boolean made =
                change(
                        "make " + type + " " + path,
                        model.checkCreate(path, type, false),
                        () -> {
                            if (type == NodeType.TABLE) {
                                client.createTable(path);
                            } else {
                                client.mkdir(path);
                            }
                        });
        if (made) {
            model.create(path, type, new byte[0], 0755);
        }
    }

    private void createFile() throws Exception {
        String path = random.nextBoolean() ? path() : path(NodeType.FILE);
        byte[] content = filesBytes() > MAX_FILES_BYTES ? new byte[0] : bytes();
        boolean made =
                change(
                        "create " + path,
                        model.checkCreate(path, NodeType.FILE, true),
                        () -> {
                            try (CrailOutputStream out =
                                    client.createFile(path, CreateOptions.OVERWRITE)) {
                                write(out, content);
                            }
                        });
        if (made) {
            model.create(path, NodeType.FILE, content, 0644);
        }
    }

    private long filesBytes() {
        return model.paths(NodeType.FILE).stream()
                .mapToLong(path -> Objects.requireNonNull(model.find(path)).content.length)
                .sum();
    }

    /** In pieces, some of them synced, from heap and direct memory. */
    private void write(CrailOutputStream out, byte[] content) throws Exception {
        int at = 0;
        while (at < content.length) {
            int piece = Math.min(content.length - at, 1 + random.nextInt(300_000));
            if (random.nextBoolean()) {
                out.write(content, at, piece);
            } else {
                out.append(ByteBuffer.allocateDirect(piece).put(content, at, piece).flip());
            }
            at += piece;
            if (random.nextInt(4) == 0) {
                long committed = out.sync().length();
                require(committed == out.position(), "sync says " + committed);
            }
        }
    }

    private void append() throws Exception {
        String path = path(NodeType.FILE);
        byte[] more = Arrays.copyOf(bytes(), random.nextInt(20_000));
        boolean done =
                change(
                        "append to " + path,
                        model.check(path, NodeType.FILE),
                        () -> {
                            try (CrailOutputStream out = client.append(path)) {
                                write(out, more);
                            }
                        });
        if (done) {
            Node file = Objects.requireNonNull(model.find(path));
            int before = file.content.length;
            file.content = Arrays.copyOf(file.content, before + more.length);
            System.arraycopy(more, 0, file.content, before, more.length);
        }
    }

    private void delete() throws Exception {
        String path = path();
        boolean recursive = random.nextInt(4) == 0;
        if (change(
                "delete " + path,
                model.checkDelete(path, recursive),
                () -> client.delete(path, recursive))) {
            model.delete(path);
        }
    }

    private void rename() throws Exception {
        String from = path();
        String to = path();
        boolean replace = random.nextBoolean();
        RenameOption[] options =
                replace ? new RenameOption[] {RenameOption.REPLACE} : new RenameOption[0];
        if (change(
                "rename " + from + " to " + to,
                model.checkRename(from, to, replace),
                () -> client.rename(from, to, options))) {
            model.rename(from, to);
        }
    }

    private void setMode() throws Exception {
        String path = path();
        int mode = random.nextInt(0_1000);
        ErrorCode expected = model.find(path) == null ? ErrorCode.NO_SUCH_NODE : null;
        if (change(
                "chmod " + path,
                expected,
                () -> client.setAttributes(path, AttributeChange.NONE.mode(mode)))) {
            Objects.requireNonNull(model.find(path)).mode = mode;
        }
    }

    private void readRange() throws Exception {
        String path = path(NodeType.FILE);
        Node file = model.find(path);
        change(
                "read " + path,
                model.check(path, NodeType.FILE),
                () -> {
                    try (CrailFile open = client.open(path)) {
                        byte[] content = Objects.requireNonNull(file).content;
                        require(open.length() == content.length, path + " has " + open.length());
                        int from = content.length == 0 ? 0 : random.nextInt(content.length);
                        int size = random.nextInt(content.length - from + 1);
                        ByteBuffer target =
                                random.nextBoolean()
                                        ? ByteBuffer.allocate(size)
                                        : ByteBuffer.allocateDirect(size);
                        open.readFully(from, target);
                        require(
                                target.flip().equals(ByteBuffer.wrap(content, from, size)),
                                path + " differs from " + from + " on");
                    }
                });
    }

    private void put() throws Exception {
        String path = path(NodeType.TABLE);
        byte[] key = key();
        byte[] value = bytes();
        long[] version = new long[1];
        if (change(
                "put " + path,
                model.check(path, NodeType.TABLE),
                () -> version[0] = client.table(path).put(key, value))) {
            putModel(path, key, value, version[0]);
        }
    }

    private void putModel(String path, byte[] key, byte[] value, long version) {
        Node table = Objects.requireNonNull(model.find(path));
        StoreModel.Value old = table.values.put(text(key), new StoreModel.Value(value, version));
        require(old == null || old.version() < version, "version " + version + " is not new");
    }

    private void putConditionally() throws Exception {
        String path = path(NodeType.TABLE);
        byte[] key = key();
        byte[] value = bytes();
        Node table = model.find(path);
        StoreModel.Value old = table == null ? null : table.values.get(text(key));
        boolean absent = random.nextBoolean();
        long wanted = old != null && random.nextBoolean() ? old.version() : 12_345;
        List<Long> made = new ArrayList<>();
        if (change(
                "put conditionally " + path,
                model.check(path, NodeType.TABLE),
                () -> {
                    CrailTable target = client.table(path);
                    Optional<Long> version =
                            absent
                                    ? target.putIfAbsent(key, ByteBuffer.wrap(value))
                                    : target.putIfVersion(key, ByteBuffer.wrap(value), wanted);
                    version.ifPresent(made::add);
                })) {
            boolean expected = absent ? old == null : old != null && old.version() == wanted;
            require(expected != made.isEmpty(), "a condition was judged wrongly");
            if (expected) {
                putModel(path, key, value, made.get(0));
            }
        }
    }

    private void get() throws Exception {
        String path = path(NodeType.TABLE);
        byte[] key = key();
        change(
                "get " + path,
                model.check(path, NodeType.TABLE),
                () -> comparison.sameValue(path, text(key), client.table(path).get(key)));
    }

    private void remove() throws Exception {
        String path = path(NodeType.TABLE);
        byte[] key = key();
        boolean[] existed = new boolean[1];
        if (change(
                "remove from " + path,
                model.check(path, NodeType.TABLE),
                () -> existed[0] = client.table(path).remove(key))) {
            boolean expected =
                    Objects.requireNonNull(model.find(path)).values.remove(text(key)) != null;
            require(existed[0] == expected, "remove says " + existed[0]);
        }
    }

    private void lookup() throws Exception {
        String path = path();
        Optional<NodeStatus> found = client.lookup(path);
        Node node = model.find(path);
        require(found.isPresent() == (node != null), path + ": " + found);
        if (node != null) {
            comparison.sameStatus(path, node, found.orElseThrow());
        }
    }

    private void list() throws Exception {
        String path = path(NodeType.DIRECTORY);
        if (model.check(path, NodeType.DIRECTORY) == null) {
            comparison.sameListing(path, Objects.requireNonNull(model.find(path)));
        }
    }
}
