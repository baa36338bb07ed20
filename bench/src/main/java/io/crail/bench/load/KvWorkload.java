// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.bench.limit.Door;
import io.crail.bench.limit.Exchange;
import io.crail.bench.limit.MemoryCopy;
import io.crail.bench.limit.Peer;
import io.crail.bench.stage.Servers;
import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import io.crail.client.GetResult;
import io.crail.client.PutEntry;
import io.crail.client.PutResult;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** Operations on random keys of one table, all of which have a value. */
final class KvWorkload implements Workload {
    private final CrailClient client;
    private final Peer peer;
    private final KvSpec spec;
    private final CrailTable table;
    private final byte[][] keys;
    private final boolean inBlocks;
    private final List<AutoCloseable> resources = new ArrayList<>();

    /** Makes the table; the client stays the caller's. */
    KvWorkload(CrailClient client, Peer peer, KvSpec spec, String path) throws IOException {
        this.client = client;
        this.peer = peer;
        this.spec = spec;
        this.table = client.createTable(path);
        this.keys = new byte[spec.keys()][];
        ByteBuffer value = Buffers.full(1, spec.size())[0];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = String.format(Locale.ROOT, "key-%012d", i).getBytes(StandardCharsets.UTF_8);
            table.put(keys[i], value.clear());
        }
        this.inBlocks = client.clientStatistics().blockWrites() > 0;
    }

    /** Whether values lie in blocks: the namenode decides that by their length. */
    boolean inBlocks() {
        return inBlocks;
    }

    /** Whether calls and bytes went the way that they should. */
    boolean isForced() {
        return Forced.namenode(client, spec.way()) && Forced.data(client, spec.way());
    }

    @Override
    public Work limit(int thread) throws IOException {
        boolean spins = spec.cores().spins(spec.threads());
        Door door = peer.door(spec.way() == Servers.Way.LOCAL);
        if (!inBlocks) {
            Exchange.Terms terms =
                    spec.operation().reads()
                            ? Exchange.Terms.fetch(spec.message(), false, spins)
                            : Exchange.Terms.store(spec.message(), false, spins);
            return exchange(door, terms, 1)::run;
        }
        Exchange call = exchange(door, Exchange.Terms.echo(spins), 1);
        if (spec.way() == Servers.Way.LOCAL) {
            MemoryCopy memory = new MemoryCopy(peer, true);
            SplittableRandom random = new SplittableRandom(thread);
            return Work.blocking(
                    () -> {
                        call.run(1);
                        copy(memory, random);
                        return true;
                    });
        }
        Exchange.Terms terms =
                spec.operation().reads()
                        ? Exchange.Terms.fetch(spec.size(), true, spins)
                        : Exchange.Terms.store(spec.size(), true, spins);
        Exchange data = exchange(door, terms, spec.values());
        return Work.blocking(
                () -> {
                    call.run(1);
                    data.run(spec.values());
                    return true;
                });
    }

    private Exchange exchange(Door door, Exchange.Terms terms, int depth) throws IOException {
        Exchange exchange = new Exchange(door, terms, depth);
        resources.add(exchange);
        return exchange;
    }

    private void copy(MemoryCopy memory, SplittableRandom random) {
        for (int i = 0; i < spec.values(); i++) {
            long position = (long) random.nextInt(keys.length) * spec.size();
            if (spec.operation().reads()) {
                memory.read(position, spec.size());
            } else {
                memory.write(position, spec.size());
            }
        }
    }

    @Override
    public Work product(int thread) {
        SplittableRandom random = new SplittableRandom(spec.threads() + thread);
        ByteBuffer value = Buffers.full(1, spec.size())[0];
        return switch (spec.operation()) {
            case PUT ->
                    Work.blocking(
                            () -> {
                                table.put(key(random), value.clear());
                                return true;
                            });
            case GET -> Work.blocking(() -> get(key(random), value.clear()));
            case MULTI_PUT -> Work.blocking(() -> multiPut(random, value.clear()));
            case MULTI_GET -> Work.blocking(() -> multiGet(random));
        };
    }

    private byte[] key(SplittableRandom random) {
        return keys[random.nextInt(keys.length)];
    }

    private boolean get(byte[] key, ByteBuffer target) throws IOException {
        long length = table.getInto(key, target);
        if (length != spec.size()) {
            throw new InternalException(
                    "get from " + table.path() + ": a value has " + length + " bytes");
        }
        return true;
    }

    private boolean multiPut(SplittableRandom random, ByteBuffer value) throws IOException {
        List<PutEntry> entries = new ArrayList<>(spec.values());
        int first = random.nextInt(keys.length);
        for (int i = 0; i < spec.values(); i++) {
            // Each entry reads a buffer of its own position; the bytes are the same.
            entries.add(new PutEntry(keys[(first + i) % keys.length], value.duplicate()));
        }
        for (PutResult result : table.multiPut(entries)) {
            if (result instanceof PutResult.Failed failed) {
                throw failed.cause();
            }
        }
        return true;
    }

    private boolean multiGet(SplittableRandom random) throws IOException {
        List<byte[]> wanted = new ArrayList<>(spec.values());
        int first = random.nextInt(keys.length);
        for (int i = 0; i < spec.values(); i++) {
            wanted.add(keys[(first + i) % keys.length]);
        }
        for (GetResult result : table.multiGet(wanted)) {
            if (result instanceof GetResult.Failed failed) {
                throw failed.cause();
            }
            if (!(result instanceof GetResult.Found found)
                    || found.content().bytes().remaining() != spec.size()) {
                throw new InternalException("get from " + table.path() + ": a value is another");
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        Resources.close(resources);
    }
}
