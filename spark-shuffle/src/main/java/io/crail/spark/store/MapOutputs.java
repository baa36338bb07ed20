// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import io.crail.client.CrailClient;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The map outputs that are open in this JVM, for all its tasks: each reduce task needs something of
 * each map, so that without it a shuffle of a thousand maps to a thousand reducers would be a
 * million openings. Thread-safe.
 *
 * <p>An output that nobody uses stays open until there are too many, its indexes take too much
 * memory, or its shuffle is over; then those that were not used for the longest time go. One that
 * could not be opened is forgotten, so that the next task tries again.
 */
public final class MapOutputs {
    /**
     * What makes an output.
     *
     * @param shuffle number of the shuffle
     * @param path of the file
     */
    private record Key(int shuffle, String path) {}

    /** Belongs to the monitor of the outputs. */
    private static final class Entry {
        private final CompletableFuture<MapOutput> opened;
        private int users;
        private long memory;
        private boolean dropped;

        Entry(CompletableFuture<MapOutput> opened) {
            this.opened = opened;
        }
    }

    /** How an output is opened. */
    @FunctionalInterface
    interface Loader {
        /** Opens the output at a path, which its shuffle says has so many partitions. */
        CompletableFuture<MapOutput> load(String path, int partitions);
    }

    private final Loader loader;
    private final int limit;
    private final long memoryLimit;
    private final Map<Key, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
    private long memory;

    /**
     * Nothing open.
     *
     * @param limit outputs that stay open while nobody uses them
     * @param memoryLimit bytes of their indexes
     */
    public MapOutputs(CrailClient client, int limit, long memoryLimit) {
        this(new MapOutputLoader(client)::load, limit, memoryLimit);
    }

    MapOutputs(Loader loader, int limit, long memoryLimit) {
        this.loader = loader;
        this.limit = limit;
        this.memoryLimit = memoryLimit;
    }

    /** The right to use an output, to be given back once. */
    public final class Lease implements AutoCloseable {
        private final Key key;
        private final Entry entry;
        private boolean closed;

        private Lease(Key key, Entry entry) {
            this.key = key;
            this.entry = entry;
        }

        /** Done when the output is open; fails with the error of the store. */
        public CompletableFuture<MapOutput> opened() {
            return entry.opened;
        }

        /** The output is not what it should be: whoever needs it next opens it again. */
        public void distrust() {
            synchronized (MapOutputs.this) {
                if (entries.remove(key, entry)) {
                    drop(entry);
                }
            }
        }

        @Override
        public void close() {
            synchronized (MapOutputs.this) {
                if (!closed) {
                    closed = true;
                    entry.users--;
                    closeIfUnused(entry);
                    shrink();
                }
            }
        }
    }

    /** Begins to open an output, unless it is open. */
    public synchronized Lease open(int shuffle, String path, int partitions) {
        Key key = new Key(shuffle, path);
        @Nullable Entry entry = entries.get(key);
        if (entry == null || entry.opened.isCompletedExceptionally()) {
            if (entry != null) {
                drop(entry);
            }
            return new Lease(key, opened(key, loader.load(path, partitions)));
        }
        entry.users++;
        return new Lease(key, entry);
    }

    /** It has a user before it is weighed: it may be open already, and too heavy to be kept. */
    private Entry opened(Key key, CompletableFuture<MapOutput> loading) {
        Entry fresh = new Entry(loading);
        fresh.users = 1;
        entries.put(key, fresh);
        var unused = loading.thenAccept(output -> weigh(fresh, output));
        shrink();
        return fresh;
    }

    private synchronized void weigh(Entry entry, MapOutput output) {
        if (!entry.dropped) {
            entry.memory = output.index().footprint();
            memory += entry.memory;
            shrink();
        }
    }

    /** Lets go of all outputs of a shuffle. */
    public void forget(int shuffle) {
        dropIf(key -> key.shuffle == shuffle);
    }

    /** Lets go of everything. */
    public void forgetAll() {
        dropIf(key -> true);
    }

    private synchronized void dropIf(Predicate<Key> condition) {
        List<Entry> dropped = new ArrayList<>();
        entries.entrySet()
                .removeIf(each -> condition.test(each.getKey()) && dropped.add(each.getValue()));
        dropped.forEach(this::drop);
    }

    private void shrink() {
        Iterator<Entry> oldest = entries.values().iterator();
        while ((entries.size() > limit || memory > memoryLimit) && oldest.hasNext()) {
            Entry entry = oldest.next();
            if (entry.users == 0) {
                oldest.remove();
                drop(entry);
            }
        }
    }

    private void drop(Entry entry) {
        entry.dropped = true;
        memory -= entry.memory;
        closeIfUnused(entry);
    }

    private static void closeIfUnused(Entry entry) {
        if (entry.dropped && entry.users == 0) {
            var unused = entry.opened.thenAccept(output -> output.file().close());
        }
    }

    /** Outputs that are open or being opened. */
    public synchronized int size() {
        return entries.size();
    }
}
