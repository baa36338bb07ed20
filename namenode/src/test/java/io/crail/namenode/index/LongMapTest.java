// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Compares by the assertions of JUnit where there are a million: those of AssertJ take long. */
class LongMapTest {
    @Property(tries = 60)
    void behavesLikeAHashMap(@ForAll long seed, @ForAll @IntRange(min = 1, max = 12) int spread) {
        Random random = new Random(seed);
        LongMap<Long> map = new LongMap<>();
        Map<Long, Long> model = new HashMap<>();
        for (int i = 0; i < 8_000; i++) {
            long key = random.nextInt(1 << (spread + 2)) * (random.nextBoolean() ? 1L : 1L << 48);
            if (random.nextInt(3) > 0) {
                assertEquals(model.put(key, (long) i), map.put(key, (long) i));
            } else {
                assertEquals(model.remove(key), map.remove(key));
            }
            assertEquals(model.get(key), map.get(key));
            assertEquals(model.size(), map.size());
        }
        List<Long> values = new ArrayList<>();
        map.forEach(values::add);
        Collections.sort(values);
        assertEquals(model.values().stream().sorted().toList(), values);
    }

    @Test
    void keepsManySequentialIds() {
        LongMap<Long> map = new LongMap<>();
        for (long id = 1; id <= 300_000; id++) {
            map.put(id, id);
        }
        for (long id = 1; id <= 300_000; id++) {
            assertEquals(id, map.get(id));
        }
        assertThat(map.get(300_001)).isNull();
        for (long id = 1; id <= 300_000; id++) {
            assertEquals(id, map.remove(id));
        }
        assertThat(map.size()).isZero();
    }

    @Test
    void slicesSeeEachValueThatStaysOnceWhileTheMapGrows() {
        LongMap<Long> map = new LongMap<>();
        for (long id = 0; id < 20_000; id++) {
            map.put(id, id);
        }
        List<Long> seen = new ArrayList<>();
        long added = 1_000_000;
        for (long cursor = 0; cursor >= 0; ) {
            cursor = map.visit(cursor, seen::add);
            for (int i = 0; i < 5_000; i++) {
                map.put(added, added);
                added++;
            }
        }
        seen.removeIf(id -> id >= 1_000_000);
        assertThat(seen).hasSize(20_000).doesNotHaveDuplicates();
    }
}
