// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailClient;
import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.node.NodeType;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What all operations of a run share: the clients, the dice, the model, and how a change is
 * compared. Any difference is an error that tells the seed.
 */
final class ModelRun {
    /** A change of the store. */
    @FunctionalInterface
    interface Change {
        void run() throws Exception;
    }

    private static final int NAMES = 4;
    private static final List<NodeType> TYPES = List.of(NodeType.values());
    private static final int KEYS = 12;
    private static final int MAX_BYTES = 100 << 20;

    final ModelClients clients;
    final Random random;
    final StoreModel model = new StoreModel();
    final StoreComparison comparison;
    private final long seed;
    private int count;

    ModelRun(ModelClients clients, long seed) {
        this.clients = clients;
        this.seed = seed;
        this.random = new Random(seed);
        this.comparison = new StoreComparison(this);
    }

    void nextOperation() {
        count++;
    }

    /** Whichever is asked, the answer must be the same. */
    CrailClient client() {
        return clients.any(random);
    }

    AssertionError differs(String what) {
        return new AssertionError("operation " + count + " of seed " + seed + ": " + what);
    }

    void require(boolean same, String what) {
        if (!same) {
            throw differs(what);
        }
    }

    /** Does the change, which must end with this error; true if it was done. */
    boolean change(String what, @Nullable ErrorCode expected, Change change) throws Exception {
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
    String path() {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            path.append('/').append(name());
        }
        return path.toString();
    }

    String name() {
        return "n" + random.nextInt(NAMES);
    }

    /** Mostly a path of that type. */
    String path(NodeType type) {
        List<String> there = model.paths(type);
        return there.isEmpty() || random.nextInt(10) == 0
                ? path()
                : there.get(random.nextInt(there.size()));
    }

    /** The path of any node, or of none. */
    String anyPath() {
        return path(TYPES.get(random.nextInt(TYPES.size())));
    }

    /** Bytes for a file, a value or a record; none at all when the store holds much already. */
    byte[] bytes() {
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

    byte[] contentOfFile() {
        return isFull() ? new byte[0] : bytes();
    }

    boolean isFull() {
        return model.bytes() > MAX_BYTES;
    }

    byte[] key() {
        return ("key " + random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] key) {
        return new String(key, StandardCharsets.UTF_8);
    }

    /** In pieces, some of them synced, from heap and direct memory. */
    void write(CrailOutputStream out, byte[] content) throws Exception {
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
}
