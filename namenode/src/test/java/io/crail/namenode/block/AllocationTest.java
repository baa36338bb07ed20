// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.OutOfSpaceException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.ServerState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class AllocationTest {
    private static final long KIB = 1024;
    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;

    private final BlockMap map = new BlockMap(new Random(1));

    private ModelStorage server(int id, int storageClass, long... segments) throws CrailException {
        ModelStorage storage =
                new ModelStorage(id, storageClass, "rack-" + id % 2, "host-" + id, segments);
        storage.addTo(map);
        storage.reportTo(map);
        return storage;
    }

    private static Allocation wish(long bytes, boolean exact) {
        return wish(0, PlacementPolicy.ROUND_ROBIN, bytes, exact);
    }

    private static Allocation wish(
            int rank, PlacementPolicy policy, long bytes, boolean exact, int... excluded) {
        return new Allocation(rank, policy, "host-3", "rack-0", bytes, exact, 64, excluded);
    }

    private List<Long> sizes(Allocation wish) throws CrailException {
        List<Long> sizes = new ArrayList<>();
        map.allocate(wish, (s, g, r, length, n) -> sizes.add(length / KIB));
        return sizes;
    }

    private Map<Integer, Integer> blocksByServer(Allocation wish) throws CrailException {
        Map<Integer, Integer> servers = new HashMap<>();
        map.allocate(wish, (server, g, r, l, n) -> servers.merge(server, 1, Integer::sum));
        return servers;
    }

    @Test
    void exactAllocationsFitTightly() throws CrailException {
        server(1, 0, 64 * MIB);
        assertThat(sizes(wish(100 * KIB, true))).containsExactly(64L, 32L, 4L);
        assertThat(sizes(wish(5, true))).containsExactly(4L);
        assertThat(sizes(wish(4 * KIB, true))).containsExactly(4L);
        assertThat(sizes(wish(4 * KIB + 1, true))).containsExactly(4L, 4L);
        assertThat(sizes(wish(60 * KIB, true))).containsExactly(64L);
        assertThat(sizes(wish(MIB, true))).containsExactly(1024L);
        assertThat(sizes(wish(2 * MIB + 300 * KIB, true))).containsExactly(1024L, 1024L, 512L);
    }

    @Property
    void exactAllocationsTakeFewBlocksAndWasteLittle(
            @ForAll @LongRange(min = 1, max = 3 * MIB) long bytes) {
        long rest = bytes;
        int blocks = 0;
        while (rest > 0) {
            rest -= 1L << Allocator.tight(rest, bytes);
            blocks++;
        }
        assertThat(blocks).isLessThanOrEqualTo((int) (bytes / MIB) + 4);
        assertThat(-rest).isLessThanOrEqualTo(Math.max(4096, bytes / 8));
    }

    @Test
    void otherAllocationsTakeEqualBlocks() throws CrailException {
        server(1, 0, 128 * MIB);
        assertThat(sizes(wish(5, false))).containsExactly(4L);
        assertThat(sizes(wish(100 * KIB, false))).containsExactly(128L);
        assertThat(sizes(wish(2 * MIB + 1, false))).containsExactly(1024L, 1024L, 1024L);
        assertThat(sizes(wish(GIB, false))).hasSize(64).containsOnly(1024L);
    }

    @Test
    void fourGibibytesHoldHalfAMillionValuesOf4KiB() throws CrailException {
        server(1, 0, GIB, GIB);
        server(2, 0, GIB, GIB);
        assertThat(values(4 * KIB)).isEqualTo(1 << 20);
        map.checkConservation();
        assertThat(map.capacity(0).free()).isZero();
    }

    @Test
    void fourGibibytesHold35000ValuesOf100KiB() throws CrailException {
        server(1, 0, GIB, GIB);
        server(2, 0, GIB, GIB);
        assertThat(values(100 * KIB)).isGreaterThan(41_000);
        map.checkConservation();
    }

    private int values(long bytes) throws CrailException {
        Set<BlockId> blocks = new HashSet<>();
        for (int values = 0; ; values++) {
            try {
                long granted = 0;
                while (granted < bytes) {
                    granted +=
                            map.allocate(
                                    wish(bytes - granted, true),
                                    (s, g, r, l, n) ->
                                            assertThat(blocks.add(new BlockId(s, g, r))).isTrue());
                }
            } catch (OutOfSpaceException e) {
                return values;
            }
        }
    }

    @Test
    void takesSmallerAndThenLargerBlocksBeforeItFails() throws CrailException {
        server(1, 0, 2 * MIB);
        assertThat(sizes(wish(64 * KIB, true))).containsExactly(64L);
        assertThat(sizes(wish(4 * KIB, true))).containsExactly(4L);
        // 15 blocks of 64 KiB and 255 of 4 KiB are left.
        assertThat(sizes(wish(MIB, false)).get(0)).isEqualTo(64L);
        assertThat(sizes(wish(MIB, false)).get(0)).isEqualTo(4L);
        while (map.capacity(0).free() > 0) {
            sizes(wish(4 * KIB, true));
        }
        assertThatExceptionOfType(OutOfSpaceException.class).isThrownBy(() -> sizes(wish(1, true)));
        map.checkConservation();
    }

    @Test
    void usesALargerBlockRatherThanFail() throws CrailException {
        server(1, 0, MIB);
        assertThat(sizes(wish(512 * KIB, true))).containsExactly(512L);
        assertThat(sizes(wish(4 * KIB, true))).containsExactly(512L);
    }

    @Test
    void aServerIsCutIntoNothingSmallerThanItTakes() throws CrailException {
        server(1, 0, 2 * MIB);
        map.setSmallestBlock(1, 64 << 10);
        assertThat(sizes(wish(1, true))).containsExactly(64L);
        assertThat(sizes(wish(100 * KIB, true))).containsExactly(64L, 64L);
        assertThat(sizes(wish(200 * KIB, false))).containsExactly(256L);
        while (map.capacity(0).free() > 0) {
            assertThat(sizes(wish(4 * KIB, true))).allMatch(size -> size >= 64);
        }
        assertThatExceptionOfType(OutOfSpaceException.class).isThrownBy(() -> sizes(wish(1, true)));
        map.checkConservation();
    }

    @Test
    void aNearServerWithLargeBlocksIsUsedForSmallOnesBeforeAnother() throws CrailException {
        server(1, 0, MIB);
        server(2, 1, MIB);
        map.setSmallestBlock(1, 64 << 10);
        assertThat(blocksByServer(wish(4 * KIB, true))).containsOnlyKeys(1);
    }

    @Test
    void aFullClassFallsToTheNextOne() throws CrailException {
        server(1, 1, MIB);
        server(2, 5, 8 * MIB);
        assertThat(blocksByServer(wish(0, PlacementPolicy.RANDOM, 3 * MIB, false)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(1, 1, 2, 2));
        assertThatExceptionOfType(OutOfSpaceException.class)
                .isThrownBy(() -> sizes(wish(6, PlacementPolicy.RANDOM, MIB, false)))
                .withMessageContaining("class 6");
    }

    @Test
    void roundRobinSpreadsBlocksEvenly() throws CrailException {
        for (int id = 1; id <= 4; id++) {
            server(id, 0, 32 * MIB);
        }
        assertThat(blocksByServer(wish(40 * MIB, false)).values()).containsOnly(10);
    }

    @Test
    void randomUsesAllServers() throws CrailException {
        for (int id = 1; id <= 4; id++) {
            server(id, 0, 64 * MIB);
        }
        assertThat(blocksByServer(wish(0, PlacementPolicy.RANDOM, 60 * MIB, false))).hasSize(4);
    }

    @Test
    void localFirstPrefersTheHostThenTheLocation() throws CrailException {
        server(1, 0, 8 * MIB);
        server(2, 0, 8 * MIB);
        server(3, 0, 8 * MIB);
        Allocation local = wish(0, PlacementPolicy.LOCAL_FIRST, 8 * MIB, false);
        assertThat(blocksByServer(local)).isEqualTo(Map.of(3, 8));
        assertThat(blocksByServer(local)).isEqualTo(Map.of(2, 8));
        assertThat(blocksByServer(local)).isEqualTo(Map.of(1, 8));
    }

    @Test
    void localFirstFillsANearServerBeforeItGoesFarther() throws CrailException {
        server(1, 0, 8 * MIB);
        server(3, 0, 8 * MIB);
        // Every slab of the near one is cut, so that no block of 1 MiB is left there.
        for (int i = 0; i < 8; i++) {
            Allocation half = wish(0, PlacementPolicy.LOCAL_FIRST, 1, true);
            map.allocate(half, (server, g, r, l, n) -> assertThat(server).isEqualTo(3));
            map.allocate(
                    wish(0, PlacementPolicy.LOCAL_FIRST, 600 * KIB, false),
                    (server, g, r, l, n) -> assertThat(server).isEqualTo(3));
        }
        long near = map.capacity(0).free() - 8 * MIB;
        assertThat(near).isPositive();
        Map<Integer, Long> bytes = new HashMap<>();
        while (map.capacity(0).free() > 8 * MIB) {
            map.allocate(
                    wish(0, PlacementPolicy.LOCAL_FIRST, MIB, false),
                    (server, g, r, length, n) -> bytes.merge(server, (long) length, Long::sum));
        }
        assertThat(bytes).containsEntry(3, near);
        assertThat(blocksByServer(wish(0, PlacementPolicy.LOCAL_FIRST, MIB, false)))
                .containsOnlyKeys(1);
    }

    @Test
    void doesNotUseExcludedDrainingOrUnreportedServers() throws CrailException {
        for (int id = 1; id <= 4; id++) {
            server(id, 0, 8 * MIB);
        }
        map.setState(1, ServerState.DRAINING);
        map.setState(2, ServerState.EXPECTED);
        map.setState(2, ServerState.LIVE);
        Allocation wish = wish(0, PlacementPolicy.ROUND_ROBIN, 8 * MIB, false, 3);
        assertThat(blocksByServer(wish)).isEqualTo(Map.of(4, 8));
        assertThatExceptionOfType(BusyException.class)
                .isThrownBy(() -> sizes(wish))
                .withMessageContaining("no block for 8.0 MiB");
        map.setState(2, ServerState.DEAD);
        assertThatExceptionOfType(OutOfSpaceException.class)
                .isThrownBy(() -> sizes(wish))
                .withMessageContaining("cannot reach");
    }

    @Test
    void isBusyWhileBlocksAreBeingRevokedAndFullOtherwise() throws CrailException {
        ModelStorage storage = server(1, 0, MIB);
        long[] generation = {0};
        map.allocate(wish(MIB, false), (s, g, r, l, n) -> generation[0] = n);
        assertThatExceptionOfType(OutOfSpaceException.class).isThrownBy(() -> sizes(wish(1, true)));

        map.unreference(1, 0, 0, 1 << 20, generation[0]);
        assertThatExceptionOfType(BusyException.class).isThrownBy(() -> sizes(wish(1, true)));

        long raised = storage.segments.get(0).revoke(0, generation[0]);
        assertThat(map.freed(1, 0, 0, 1 << 20, raised)).isTrue();
        assertThat(sizes(wish(1, true))).containsExactly(4L);
        assertThat(map.generation(1, 0, 0)).isEqualTo(raised);
    }

    @Test
    void theRoomOfAClassIsThatOfItsServersThatAreNotDead() throws CrailException {
        server(1, 0, 8 * MIB);
        server(2, 0, 4 * MIB);
        server(3, 1, 16 * MIB);
        ClassRoom room = map.room(0);
        assertThat(room.capacity()).isEqualTo(12 * MIB);
        map.allocate(
                wish(0, PlacementPolicy.ROUND_ROBIN, 2 * MIB, false, 2), (s, g, r, l, n) -> {});
        assertThat(room.free()).isEqualTo(10 * MIB);
        map.setState(1, ServerState.EXPECTED);
        assertThat(room.free()).isEqualTo(10 * MIB);
        map.setState(1, ServerState.DEAD);
        assertThat(room.free()).isEqualTo(4 * MIB);
        assertThat(room.capacity()).isEqualTo(4 * MIB);
        map.checkConservation();
        map.setState(1, ServerState.LIVE);
        assertThat(room.free()).isEqualTo(10 * MIB);
        assertThat(room.capacity()).isEqualTo(12 * MIB);
        assertThat(map.room(1).capacity()).isEqualTo(16 * MIB);
        map.checkConservation();
    }
}
