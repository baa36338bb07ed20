// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics.Capacity;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A block map, a second one that only sees what would be logged, storage servers, and a naive
 * model: one object for each block that is not free. Every operation checks the map against them.
 */
final class BlockWorld {
    /** A block that is not free. */
    record Block(BlockId id, int length, long generation, BlockState state) {}

    private static final long MIB = 1 << 20;

    final BlockMap map;
    final BlockMap replayed = new BlockMap(new Random(0));
    final Map<Integer, ModelStorage> storages = new TreeMap<>();
    final Map<BlockId, Block> blocks = new LinkedHashMap<>();

    private record Answer(BlockId id, int length, long generation) {}

    private final List<Answer> answers = new ArrayList<>();
    private final List<Block> orphans = new ArrayList<>();
    private final Random random;
    private int incarnations = 50_000;

    BlockWorld(Random random) throws CrailException {
        this.random = random;
        map = new BlockMap(random);
        add(new ModelStorage(1, 0, "rack-1", "host-1", 2 * MIB, MIB + 12_288));
        add(new ModelStorage(2, 0, "rack-2", "host-2", 3 * MIB));
        add(new ModelStorage(7, 3, "rack-1", "host-3", 2 * MIB));
    }

    private void add(ModelStorage storage) throws CrailException {
        storages.put(storage.id, storage);
        storage.addTo(map);
        storage.addTo(replayed);
        assertThat(storage.reportTo(map)).isZero();
    }

    void step() throws CrailException {
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> allocate();
            case 4, 5 -> commit();
            case 6, 7, 8 -> unreference();
            case 9 -> unreferenceStale();
            case 10, 11 -> revoke(false);
            case 12 -> answer(random.nextInt(1 + answers.size()));
            case 13 -> restartServer();
            case 14 -> killOrReviveServer();
            default -> {
                if (random.nextInt(6) == 0) {
                    replaceSegment();
                }
            }
        }
        check();
    }

    // ---- operations ----

    private void allocate() throws CrailException {
        long bytes = 1 + (long) (random.nextInt(3 << 20) * Math.pow(random.nextDouble(), 3));
        int[] excluded = random.nextInt(4) == 0 ? new int[] {1 + random.nextInt(2)} : new int[0];
        PlacementPolicy policy = pick(List.of(PlacementPolicy.values()));
        int rank = random.nextInt(5) == 0 ? 3 : 0;
        Allocation wish =
                new Allocation(
                        rank,
                        policy,
                        "host-2",
                        "rack-1",
                        bytes,
                        random.nextBoolean(),
                        1 + random.nextInt(64),
                        excluded);
        long[] sum = {0};
        try {
            long granted =
                    map.allocate(
                            wish,
                            (server, segment, record, length, generation) -> {
                                granted(wish, server, segment, record, length, generation);
                                sum[0] += length;
                            });
            assertThat(sum[0]).isEqualTo(granted).isPositive();
        } catch (BusyException e) {
            assertThat(freeBytes(wish)).isZero();
            assertThat(comingBytes(wish)).isPositive();
        } catch (OutOfSpaceException e) {
            assertThat(freeBytes(wish)).isZero();
            assertThat(comingBytes(wish)).isZero();
        }
    }

    private void granted(
            Allocation wish, int server, int segment, int record, int length, long generation) {
        BlockId id = new BlockId(server, segment, record);
        assertThat(wish.excludes(server)).isFalse();
        assertThat(map.serverState(server)).isEqualTo(ServerState.LIVE);
        assertThat((record * 4096L) % length).isZero();
        assertThat(generation).isEqualTo(memory(id).generation(record));
        for (Block other : blocks.values()) {
            assertThat(overlap(other, id, length)).as("%s and %s", other, id).isFalse();
        }
        blocks.put(id, new Block(id, length, generation, BlockState.GRANTED));
        replayed.grant(server, segment, record, length, (int) generation);
    }

    private static boolean overlap(Block a, BlockId id, int length) {
        return a.id.server() == id.server()
                && a.id.segment() == id.segment()
                && a.id.record() < id.record() + length / 4096
                && id.record() < a.id.record() + a.length / 4096;
    }

    private void commit() {
        Block block = any(BlockState.GRANTED);
        if (block != null) {
            BlockId id = block.id;
            boolean live = map.serverState(id.server()) == ServerState.LIVE;
            assertThat(map.isCommittable(id.server(), id.segment(), id.record(), block.generation))
                    .isEqualTo(live);
            if (live) {
                map.commit(id.server(), id.segment(), id.record(), block.length, block.generation);
                replayed.commit(
                        id.server(), id.segment(), id.record(), block.length, block.generation);
                become(block, BlockState.COMMITTED);
            }
        }
    }

    private void unreference() {
        Block block = any(random.nextBoolean() ? BlockState.COMMITTED : BlockState.GRANTED);
        if (block != null) {
            assertThat(unreference(map, block, 0)).isTrue();
            assertThat(unreference(replayed, block, 0)).isTrue();
            become(block, BlockState.REVOKING);
        }
    }

    private void unreferenceStale() {
        Block block = any(BlockState.COMMITTED);
        if (block != null) {
            assertThat(unreference(map, block, -1)).isFalse();
            assertThat(unreference(map, block, 1)).isFalse();
        }
        if (!orphans.isEmpty()) {
            Block orphan = orphans.remove(random.nextInt(orphans.size()));
            assertThat(unreference(map, orphan, 0)).isFalse();
            assertThat(unreference(replayed, orphan, 0)).isFalse();
            BlockId id = orphan.id;
            assertThat(map.isLost(id.server(), id.segment(), id.record(), orphan.generation))
                    .isTrue();
        }
    }

    private static boolean unreference(BlockMap map, Block block, int change) {
        BlockId id = block.id;
        return map.unreference(
                id.server(), id.segment(), id.record(), block.length, block.generation + change);
    }

    /** Servers carry out what they are told, and answer now, later or never. */
    private void revoke(boolean everything) {
        for (ModelStorage storage : storages.values()) {
            if (map.serverState(storage.id) != ServerState.LIVE) {
                continue;
            }
            int limit = everything ? Integer.MAX_VALUE : 1 + random.nextInt(30);
            List<Answer> told = new ArrayList<>();
            map.revocations()
                    .take(
                            storage.id,
                            limit,
                            (s, g, r, l, n) -> told.add(new Answer(new BlockId(s, g, r), l, n)));
            for (Answer order : told) {
                Block block = Objects.requireNonNull(blocks.get(order.id));
                assertThat(block.state).isIn(BlockState.REVOKING, BlockState.QUARANTINED);
                assertThat(block.length).isEqualTo(order.length);
                if (!everything && random.nextInt(5) == 0) {
                    quarantine(order, block);
                }
                long raised = memory(order.id).revoke(order.id.record(), order.generation);
                answers.add(new Answer(order.id, order.length, raised));
            }
        }
    }

    private void quarantine(Answer order, Block block) {
        assertThat(quarantine(map, order)).isTrue();
        // A map that has never heard of the server's absence has it quarantined already.
        quarantine(replayed, order);
        become(block, BlockState.QUARANTINED);
    }

    private static boolean quarantine(BlockMap map, Answer order) {
        BlockId id = order.id;
        return map.quarantine(
                id.server(), id.segment(), id.record(), order.length, order.generation);
    }

    private void answer(int count) {
        for (int i = 0; i < count && !answers.isEmpty(); i++) {
            Answer answer = answers.remove(random.nextInt(answers.size()));
            boolean changed = freed(map, answer);
            if (changed) {
                assertThat(freed(replayed, answer)).isTrue();
                blocks.remove(answer.id);
            }
            assertThat(freed(map, answer)).isFalse();
        }
    }

    private static boolean freed(BlockMap map, Answer answer) {
        BlockId id = answer.id;
        return map.freed(id.server(), id.segment(), id.record(), answer.length, answer.generation);
    }

    private void restartServer() throws CrailException {
        ModelStorage storage = anyStorage();
        map.setState(storage.id, ServerState.EXPECTED);
        if (random.nextBoolean()) {
            answers.removeIf(a -> a.id.server() == storage.id);
        }
        check();
        assertThat(storage.reportTo(map)).isZero();
    }

    private void killOrReviveServer() throws CrailException {
        ModelStorage storage = anyStorage();
        if (map.serverState(storage.id) != ServerState.LIVE || random.nextBoolean()) {
            storage.reportTo(map);
        } else {
            map.setState(storage.id, ServerState.DEAD);
        }
    }

    private void replaceSegment() throws CrailException {
        ModelStorage storage = anyStorage();
        var memory = storage.segments.get(random.nextInt(storage.segments.size()));
        map.setState(storage.id, ServerState.EXPECTED);
        memory.loseEverything(incarnations++);
        for (BlockMap each : List.of(map, replayed)) {
            each.replaceSegment(storage.id, memory.number, memory.incarnation, memory.dataBytes);
        }
        for (Block block : List.copyOf(blocks.values())) {
            if (block.id.server() == storage.id && block.id.segment() == memory.number) {
                blocks.remove(block.id);
                if (block.state == BlockState.GRANTED || block.state == BlockState.COMMITTED) {
                    orphans.add(block);
                }
            }
        }
        storage.reportTo(map);
    }

    /** All servers are there and everything to be freed is free. */
    void settle() throws CrailException {
        answers.clear();
        for (ModelStorage storage : storages.values()) {
            map.setState(storage.id, ServerState.EXPECTED);
            assertThat(storage.reportTo(map)).isZero();
        }
        revoke(true);
        answer(answers.size());
        check();
        assertThat(blocks.values())
                .allMatch(b -> b.state != BlockState.REVOKING && b.state != BlockState.QUARANTINED);
    }

    // ---- checks ----

    void check() {
        map.checkConservation();
        replayed.checkConservation();
        for (Block block : blocks.values()) {
            BlockId id = block.id;
            BlockState known = map.state(id.server(), id.segment(), id.record());
            // A server that was away is asked again for what it had quarantined.
            if (block.state != BlockState.QUARANTINED || known != BlockState.REVOKING) {
                assertThat(known).isEqualTo(block.state);
            }
            boolean dead = map.serverState(id.server()) == ServerState.DEAD;
            if (block.state == BlockState.COMMITTED) {
                assertThat(map.isLost(id.server(), id.segment(), id.record(), block.generation))
                        .isEqualTo(dead);
            }
        }
        for (ModelStorage storage : storages.values()) {
            checkCapacity(storage);
        }
    }

    private void checkCapacity(ModelStorage storage) {
        Capacity capacity = map.serverCapacity(storage.id);
        Map<BlockState, Long> sums = new HashMap<>();
        for (Block block : blocks.values()) {
            if (block.id.server() == storage.id) {
                sums.merge(block.state, (long) block.length, Long::sum);
            }
        }
        long granted = sums.getOrDefault(BlockState.GRANTED, 0L);
        long committed = sums.getOrDefault(BlockState.COMMITTED, 0L);
        boolean dead = map.serverState(storage.id) == ServerState.DEAD;
        assertThat(capacity.granted()).isEqualTo(dead ? 0 : granted);
        assertThat(capacity.committed()).isEqualTo(dead ? 0 : committed);
        assertThat(capacity.lost()).isEqualTo(dead ? granted + committed : 0);
        assertThat(
                        capacity.free()
                                + capacity.granted()
                                + capacity.committed()
                                + capacity.revoking()
                                + capacity.quarantined()
                                + capacity.lost())
                .isEqualTo(capacity.capacity());
    }

    private long freeBytes(Allocation wish) {
        return storages.values().stream()
                .filter(s -> s.storageClass >= wish.storageClass() && !wish.excludes(s.id))
                .filter(s -> map.serverState(s.id) == ServerState.LIVE)
                .mapToLong(s -> map.serverCapacity(s.id).free())
                .sum();
    }

    private long comingBytes(Allocation wish) {
        return storages.values().stream()
                .filter(s -> s.storageClass >= wish.storageClass() && !wish.excludes(s.id))
                .filter(s -> map.serverState(s.id) == ServerState.LIVE)
                .mapToLong(s -> map.serverCapacity(s.id).revoking())
                .sum();
    }

    /** All slabs of a map as a snapshot would hold them. */
    static Map<String, ByteBuffer> encode(BlockMap map) {
        Map<String, ByteBuffer> encoded = new TreeMap<>();
        for (int server : map.servers()) {
            for (int segment : map.segments(server)) {
                for (int slab = 0; slab < map.slabCount(server, segment); slab++) {
                    encodeSlab(map, server, segment, slab, encoded);
                }
            }
        }
        return encoded;
    }

    static void encodeSlab(
            BlockMap map, int server, int segment, int slab, Map<String, ByteBuffer> encoded) {
        WireWriter writer = new WireWriter(64, 4096);
        if (map.images().encode(server, segment, slab, writer)) {
            ByteBuffer old =
                    encoded.put(server + "/" + segment + "/" + slab, writer.buffer().flip());
            assertThat(old).isNull();
        }
    }

    private ModelStorage.Memory memory(BlockId id) {
        return Objects.requireNonNull(storages.get(id.server())).segments.get(id.segment());
    }

    private ModelStorage anyStorage() {
        return pick(List.copyOf(storages.values()));
    }

    private <T> T pick(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }

    private @Nullable Block any(BlockState state) {
        List<Block> all = blocks.values().stream().filter(b -> b.state == state).toList();
        return all.isEmpty() ? null : pick(all);
    }

    private void become(Block block, BlockState state) {
        blocks.put(block.id, new Block(block.id, block.length, block.generation, state));
    }
}
