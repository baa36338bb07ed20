// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.block.BlockGeometry;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecountTest {
    private static final int SLABS = 16;
    private static final List<Integer> SEGMENTS = List.of(0, 3);

    private final StorageServer server = new StorageServer(1, new ClassRoom(0), "", "host");

    @BeforeEach
    void addSegments() throws InvalidArgumentException {
        for (int number : SEGMENTS) {
            add(number);
        }
    }

    private void add(int number) throws InvalidArgumentException {
        long bytes = (long) SLABS * BlockGeometry.SLAB_SIZE;
        Segment.checkSize(bytes);
        server.setSegment(new Segment(server, number, 7, bytes, 0));
    }

    /** Cuts a slab, or changes one of its blocks. */
    private void changeAny(Random random) {
        int number = SEGMENTS.get(random.nextInt(SEGMENTS.size()));
        Segment segment = Objects.requireNonNull(server.segment(number));
        Slab slab = segment.slabs[random.nextInt(SLABS)];
        if (!slab.isCut()) {
            slab.cut(BlockGeometry.SLOT_SHIFT + random.nextInt(9));
        }
        byte[] states = {Slab.FREE, Slab.GRANTED, Slab.COMMITTED, Slab.REVOKING, Slab.QUARANTINED};
        server.setState(slab, random.nextInt(slab.blocks()), states[random.nextInt(states.length)]);
    }

    private Recount countWhile(Runnable between) {
        Recount recount = server.beginRecount();
        for (int segment : SEGMENTS) {
            for (int slab = 0; slab < SLABS; slab++) {
                assertThat(recount.isComplete()).isFalse();
                assertThat(recount.isNext(segment, slab)).isTrue();
                assertThat(recount.isNext(segment, slab + 1)).isFalse();
                recount.count(segment, slab);
                between.run();
            }
        }
        assertThat(recount.isComplete()).isTrue();
        return recount;
    }

    @Test
    void whatChangesBeforeAndBehindTheCountIsCountedOnce() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Recount recount =
                    countWhile(
                            () -> {
                                for (int i = random.nextInt(20); i > 0; i--) {
                                    changeAny(random);
                                }
                            });
            assertThat(recount.found()).as("seed %d", seed).isEqualTo(recount.kept());
            assertThat(server.recount).isSameAs(recount);
        }
    }

    @Test
    void aWrongCounterShowsHoweverMuchChangesMeanwhile() {
        Random random = new Random(1);
        server.bytes[Slab.COMMITTED] += 4096;
        Recount recount = countWhile(() -> changeAny(random));
        assertThat(recount.kept()[Slab.COMMITTED])
                .isEqualTo(recount.found()[Slab.COMMITTED] + 4096);
        assertThat(recount.kept()[Slab.FREE]).isEqualTo(recount.found()[Slab.FREE]);
    }

    @Test
    void aSegmentThatComesEndsTheCount() throws InvalidArgumentException {
        Recount recount = server.beginRecount();
        recount.count(0, 0);
        add(1);
        assertThat(server.recount).isNull();
    }

    @Test
    void aSegmentThatGoesEndsTheCount() {
        Recount recount = server.beginRecount();
        recount.count(0, 0);
        server.dropSegment(Objects.requireNonNull(server.segment(3)));
        assertThat(server.recount).isNull();
    }
}
