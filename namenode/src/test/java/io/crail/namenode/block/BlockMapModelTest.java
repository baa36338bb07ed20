// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.WireReader;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Random operations on the block map against a naive model; see {@link BlockWorld}. */
class BlockMapModelTest {
    @Property(tries = 60)
    void neverGrantsABlockTwiceAndConservesAllBytes(@ForAll long seed) throws CrailException {
        BlockWorld world = new BlockWorld(new Random(seed));
        for (int i = 0; i < 250; i++) {
            world.step();
        }
        world.settle();
    }

    @Property(tries = 30)
    void replayingWhatIsLoggedGivesTheSameMap(@ForAll long seed) throws CrailException {
        BlockWorld world = new BlockWorld(new Random(seed));
        for (int i = 0; i < 150; i++) {
            world.step();
        }
        world.settle();
        assertThat(BlockWorld.encode(world.replayed)).isEqualTo(BlockWorld.encode(world.map));
    }

    @Property(tries = 30)
    void aSnapshotGivesTheSameMap(@ForAll long seed) throws CrailException {
        BlockWorld world = new BlockWorld(new Random(seed));
        for (int i = 0; i < 100; i++) {
            world.step();
        }
        BlockMap copy = new BlockMap(new Random(0));
        for (ModelStorage storage : world.storages.values()) {
            storage.addTo(copy);
        }
        Map<String, ByteBuffer> encoded = BlockWorld.encode(world.map);
        for (ByteBuffer slab : encoded.values()) {
            copy.images().decode(new WireReader(slab));
        }
        copy.checkConservation();
        assertThat(BlockWorld.encode(copy)).isEqualTo(encoded);
        for (ModelStorage storage : world.storages.values()) {
            storage.reportTo(copy);
        }
        copy.checkConservation();
    }

    @Property(tries = 40)
    void aSnapshotHoldsTheStateOfItsBeginningThoughChangesGoOn(@ForAll long seed)
            throws CrailException {
        Random random = new Random(seed);
        BlockWorld world = new BlockWorld(random);
        for (int i = 0; i < 60; i++) {
            world.step();
        }
        BlockMap map = world.map;
        Map<String, ByteBuffer> expected = BlockWorld.encode(map);
        Map<String, ByteBuffer> snapshot = new TreeMap<>();
        map.images()
                .begin(
                        (server, segment, slab) ->
                                BlockWorld.encodeSlab(map, server, segment, slab, snapshot));
        for (int server : map.servers()) {
            for (int segment : map.segments(server)) {
                for (int slab = 0; slab < map.slabCount(server, segment); slab++) {
                    BlockWorld.encodeSlab(map, server, segment, slab, snapshot);
                    for (int i = random.nextInt(10); i > 0; i--) {
                        world.step();
                    }
                }
            }
        }
        map.images().end();
        assertThat(snapshot).isEqualTo(expected);
        world.settle();
    }

    @Property(tries = 2_000)
    void aDamagedSnapshotIsRefusedOrReadButNothingElse(@ForAll long seed) throws CrailException {
        Random random = new Random(seed);
        ModelStorage storage = new ModelStorage(1, 0, "", "", 1 << 20);
        BlockMap map = new BlockMap(random);
        storage.addTo(map);
        map.grant(1, 0, 4, 16_384, 3);
        ByteBuffer slab = BlockWorld.encode(map).values().iterator().next();
        for (int i = random.nextInt(4); i >= 0; i--) {
            slab.put(random.nextInt(slab.limit()), (byte) random.nextInt());
        }
        BlockMap copy = new BlockMap(random);
        storage.addTo(copy);
        try {
            copy.images().decode(new WireReader(slab));
            copy.checkConservation();
        } catch (ProtocolException e) {
            assertThat(e).hasMessageMatching("(?s).+");
        }
    }
}
