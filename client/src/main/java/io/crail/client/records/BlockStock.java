// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.records;

import io.crail.client.engine.Engine;
import io.crail.client.rpc.Session;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.block.BlockReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Blocks granted ahead of their use, so that an append in blocks is one write and one call. Those
 * of a former session are worthless and dropped. On the appender's strand.
 */
final class BlockStock {
    private static final long EXCLUDED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Engine engine;
    private final Session session;
    private final ArrayDeque<BlockReference> blocks = new ArrayDeque<>();
    private final Set<Integer> excluded = new TreeSet<>();
    private long excludedUntil;
    private int incarnation;

    BlockStock(Engine engine, Session session) {
        this.engine = engine;
        this.session = session;
    }

    /** Size of the blocks for so many bytes: the smallest that holds them, or the largest. */
    static int blockBytes(long bytes) {
        int size = BlockGeometry.MIN_BLOCK;
        while (size < bytes && size < BlockGeometry.MAX_BLOCK) {
            size *= 2;
        }
        return size;
    }

    private void checkSession() {
        if (incarnation != session.incarnation()) {
            blocks.clear();
            incarnation = session.incarnation();
        }
    }

    int incarnation() {
        checkSession();
        return incarnation;
    }

    /** Servers that did not answer lately. */
    int[] excluded() {
        if (!excluded.isEmpty() && engine.nanoTime() - excludedUntil >= 0) {
            excluded.clear();
        }
        return excluded.stream().mapToInt(Integer::intValue).toArray();
    }

    int count(int size) {
        checkSession();
        return (int) blocks.stream().filter(block -> block.length() == size).count();
    }

    /** A block of exactly this size, or null. */
    @Nullable BlockReference take(int size) {
        checkSession();
        Iterator<BlockReference> all = blocks.iterator();
        while (all.hasNext()) {
            BlockReference block = all.next();
            if (block.length() == size) {
                all.remove();
                return block;
            }
        }
        return null;
    }

    void add(List<BlockReference> fresh, int of) {
        checkSession();
        if (of == incarnation) {
            blocks.addAll(fresh);
        }
    }

    /** Blocks on this server are not used any more. */
    void exclude(int server) {
        excluded.add(server);
        excludedUntil = engine.nanoTime() + EXCLUDED_NANOS;
        List<BlockId> useless = new ArrayList<>();
        blocks.removeIf(block -> block.server() == server && useless.add(block.id()));
        session.returnBlocks(useless, incarnation);
    }

    /** Gives all servers another chance; whether there is one that needs it. */
    boolean forgive() {
        boolean any = !excluded.isEmpty();
        excluded.clear();
        return any;
    }

    boolean isEmpty() {
        checkSession();
        return blocks.isEmpty();
    }

    /** Gives back all but some. */
    void shrink(int keep) {
        checkSession();
        List<BlockId> spare = new ArrayList<>();
        while (blocks.size() > keep) {
            spare.add(blocks.removeFirst().id());
        }
        session.returnBlocks(spare, incarnation);
    }
}
