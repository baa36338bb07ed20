// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.AttributeChange;
import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.client.PutOptions;
import io.crail.client.RenameOption;
import io.crail.client.Value;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.node.NodeType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Nodes and values with a time to live, and nodes bound to sessions of other processes, in a
 * directory of their own. Each answer tells whether something was there; the times before and after
 * the call tell whether it had to be, or must not have been ({@link Life}).
 */
final class LifetimeOperations {
    private static final String HOME = "/living";
    private static final String TABLE = HOME + "/table";
    private static final String CHILD = "/child";
    private static final int SLOTS = 6;
    private static final int KEYS = 4;
    private static final int LONGEST_MILLIS = 3000;
    private static final Set<ErrorCode> ENDED =
            Set.of(ErrorCode.NO_SUCH_NODE, ErrorCode.LEASE_LOST, ErrorCode.STREAM_FAILED);

    /** Asks the store. */
    @FunctionalInterface
    private interface Call {
        void run() throws Exception;
    }

    private final ModelRun run;
    private final long origin = System.nanoTime();

    /** By path; directories hold their content in a file below. */
    private final Map<String, Life> nodes = new HashMap<>();

    private final Set<String> directories = new HashSet<>();
    private final Map<String, Life> values = new HashMap<>();

    LifetimeOperations(ModelRun run) throws Exception {
        this.run = run;
        run.client().mkdir(HOME);
        run.client().createTable(TABLE);
        run.model.create(HOME, NodeType.DIRECTORY, new byte[0]).foreign = true;
    }

    private long now() {
        return System.nanoTime() - origin;
    }

    void next() throws Exception {
        String path = HOME + "/l" + run.random.nextInt(SLOTS);
        switch (run.random.nextInt(10)) {
            case 0, 1, 2 -> make(path);
            case 3 -> renew(path);
            case 4 -> remove(path);
            case 5 -> rename(path, HOME + "/l" + run.random.nextInt(SLOTS));
            case 6 -> list();
            case 7 -> putValue();
            case 8 -> getValue("k" + run.random.nextInt(KEYS));
            default -> look(path);
        }
    }

    /** Mostly so short that some end before they are looked at again. */
    private Duration lifetime() {
        return run.random.nextInt(5) == 0
                ? Duration.ZERO
                : Duration.ofMillis(1 + run.random.nextInt(LONGEST_MILLIS));
    }

    private byte[] content() {
        return Arrays.copyOf(run.bytes(), run.random.nextInt(6000));
    }

    // What an answer says.

    /** Fails if what was seen, or not, contradicts what is known. */
    private void judge(String what, @Nullable Life life, boolean seen, long begin) {
        long end = now();
        if (life == null) {
            run.require(!seen, what + " should not be there");
        } else if (seen) {
            run.require(
                    life.mayBeSeen(begin),
                    what + " is there " + (begin - life.latest()) / 1_000_000 + " ms too long");
        } else {
            run.require(
                    life.mayBeGone(end),
                    what + " went " + (life.earliest() - end) / 1_000_000 + " ms too soon");
        }
    }

    /** Does something that finds the node, or fails because it is not there. */
    private boolean finds(String path, Call call) throws Exception {
        Life life = nodes.get(path);
        long begin = now();
        boolean seen = true;
        try {
            call.run();
        } catch (CrailException e) {
            if (!ENDED.contains(e.code())) {
                throw e;
            }
            seen = false;
        }
        judge(path, life, seen, begin);
        if (!seen) {
            forget(path);
        }
        return seen;
    }

    private void forget(String path) {
        nodes.remove(path);
        directories.remove(path);
    }

    // Nodes.

    /** Makes a file, or a directory with a file that has no lifetime of its own. */
    private void make(String path) throws Exception {
        if (nodes.containsKey(path)) {
            look(path);
            return;
        }
        boolean directory = run.random.nextBoolean();
        byte[] content = content();
        Duration lifetime = lifetime();
        CreateOptions options = CreateOptions.builder().lifetime(lifetime).build();
        CrailClient client = run.client();
        long begin = now();
        try {
            if (directory) {
                client.mkdir(path, options);
                write(client, path + CHILD, CreateOptions.DEFAULT, content);
            } else {
                write(client, path, options, content);
            }
        } catch (CrailException e) {
            boolean over = !lifetime.isZero() && now() >= begin + lifetime.toNanos();
            if (!over || !ENDED.contains(e.code())) {
                throw e;
            }
            return; // It ended before it was complete.
        }
        nodes.put(path, Life.of(content, lifetime, begin, now()));
        if (directory) {
            directories.add(path);
        }
    }

    private static void write(
            CrailClient client, String path, CreateOptions options, byte[] content)
            throws Exception {
        try (CrailOutputStream out = client.createFile(path, options)) {
            out.write(content);
        }
    }

    /** Reads it; true if it was there. */
    private boolean look(String path) throws Exception {
        String file = directories.contains(path) ? path + CHILD : path;
        Life life = nodes.get(path);
        return finds(
                path,
                () -> {
                    try (var open = run.client().open(file)) {
                        byte[] bytes = open.newInputStream().readAllBytes();
                        run.require(
                                life == null || Arrays.equals(bytes, life.content()),
                                path + " has other bytes");
                    }
                });
    }

    private void renew(String path) throws Exception {
        Duration lifetime = lifetime();
        long begin = now();
        if (finds(
                path,
                () -> run.client().setAttributes(path, AttributeChange.NONE.lifetime(lifetime)))) {
            byte[] content = Objects.requireNonNull(nodes.get(path)).content();
            nodes.put(path, Life.of(content, lifetime, begin, now()));
        }
    }

    private void remove(String path) throws Exception {
        if (finds(path, () -> run.client().delete(path, true))) {
            forget(path);
        }
    }

    /** It takes its end along; what it replaces has gone with its own. */
    private void rename(String from, String to) throws Exception {
        boolean both = directories.contains(from) || directories.contains(to);
        if (from.equals(to) || (nodes.containsKey(to) && both)) {
            return;
        }
        if (finds(from, () -> run.client().rename(from, to, RenameOption.REPLACE))) {
            Life moved = Objects.requireNonNull(nodes.get(from));
            boolean directory = directories.contains(from);
            forget(from);
            nodes.put(to, moved);
            if (directory) {
                directories.add(to);
            }
        }
    }

    private void list() throws Exception {
        long begin = now();
        Set<String> listed = new HashSet<>();
        for (CrailIterator<DirectoryEntry> all = run.client().list(HOME); all.hasNext(); ) {
            String name = all.next().name();
            if (!TABLE.endsWith("/" + name)) {
                listed.add(HOME + "/" + name);
            }
        }
        for (String path : listed) {
            judge(path, nodes.get(path), true, begin);
        }
        for (String path : List.copyOf(nodes.keySet())) {
            if (!listed.contains(path)) {
                judge(path, nodes.get(path), false, begin);
                forget(path);
            }
        }
    }

    // Values.

    private void putValue() throws Exception {
        String key = "k" + run.random.nextInt(KEYS);
        byte[] content = content();
        Duration lifetime = lifetime();
        boolean absent = run.random.nextBoolean();
        PutOptions options = absent ? PutOptions.IF_ABSENT : PutOptions.DEFAULT;
        long begin = now();
        boolean put = true;
        try {
            run.client()
                    .table(TABLE)
                    .put(bytes(key), ByteBuffer.wrap(content), options.withLifetime(lifetime));
        } catch (CrailException e) {
            if (e.code() != ErrorCode.CONDITION_FAILED || !absent) {
                throw e;
            }
            put = false;
        }
        if (absent) {
            judge("value of " + key, values.get(key), !put, begin);
        }
        if (put) {
            values.put(key, Life.of(content, lifetime, begin, now()));
        }
    }

    private static byte[] bytes(String key) {
        return key.getBytes(StandardCharsets.UTF_8);
    }

    private void getValue(String key) throws Exception {
        Life life = values.get(key);
        CrailTable table = run.client().table(TABLE);
        long begin = now();
        Optional<Value> found = table.get(bytes(key));
        judge("value of " + key, life, found.isPresent(), begin);
        if (found.isEmpty()) {
            values.remove(key);
        } else if (life != null) {
            run.require(
                    Arrays.equals(found.get().toByteArray(), life.content()),
                    "value of " + key + " has other bytes");
        }
    }

    // What happens outside.

    /** Another process has made this directory, with a file below, bound to its session. */
    void bound(String name, byte[] content) throws Exception {
        String path = HOME + "/" + name;
        nodes.put(path, Life.endless(content));
        directories.add(path);
        run.require(look(path), path + " is not there, though its process lives");
    }

    /** That process, which must still have it, is killed now. */
    void killing(String name, Duration sessionTimeout) throws Exception {
        String path = HOME + "/" + name;
        run.require(look(path), path + " is not there, though its process lives");
        Life life = Objects.requireNonNull(nodes.get(path));
        nodes.put(path, life.endingWithin(sessionTimeout, now()));
    }

    /** The time that a killed namenode was away. */
    long beginCrash() {
        return now();
    }

    void endCrash(long begin, Duration sessionTimeout) {
        long down = now() - begin;
        nodes.replaceAll((path, life) -> life.afterCrash(down, sessionTimeout));
        values.replaceAll((key, life) -> life.afterCrash(down, sessionTimeout));
    }

    /** Waits until everything is gone that is due already: each in its time. */
    void awaitDue() throws Exception {
        long now = now();
        for (String path : List.copyOf(nodes.keySet())) {
            if (Objects.requireNonNull(nodes.get(path)).mayBeGone(now)) {
                awaitEnd(path);
            }
        }
        for (String key : List.copyOf(values.keySet())) {
            if (Objects.requireNonNull(values.get(key)).mayBeGone(now)) {
                awaitEndOfValue(key);
            }
        }
    }

    /** Waits until nothing is left that has an end. */
    void awaitAll() throws Exception {
        for (String path : List.copyOf(nodes.keySet())) {
            if (Objects.requireNonNull(nodes.get(path)).latest() != Life.NEVER) {
                awaitEnd(path);
            }
        }
        for (String key : List.copyOf(values.keySet())) {
            if (Objects.requireNonNull(values.get(key)).latest() != Life.NEVER) {
                awaitEndOfValue(key);
            }
        }
        for (String path : new ArrayList<>(nodes.keySet())) {
            run.require(look(path), path + " is not there, though it has no end");
        }
    }

    /** Bounded: what is seen after its time fails. */
    private void awaitEnd(String path) throws Exception {
        while (look(path)) {
            Thread.onSpinWait(); // Each turn is a round trip.
        }
    }

    private void awaitEndOfValue(String key) throws Exception {
        do {
            getValue(key);
        } while (values.containsKey(key));
    }
}
