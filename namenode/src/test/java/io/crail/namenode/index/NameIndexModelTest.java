// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random operations on an index and on a sorted map give the same. */
class NameIndexModelTest {
    private static final NameHash HASH = new NameHash(11, 13);
    private static final byte[][] POOL = names();

    /** Short and long, with equal String hashes, prefixes of each other, and high bytes. */
    private static byte[][] names() {
        List<byte[]> names = new ArrayList<>();
        for (String equalHashes : new String[] {"Aa", "BB", "AaAa", "AaBB", "BBAa", "BBBB", "C#"}) {
            names.add(equalHashes.getBytes(StandardCharsets.UTF_8));
        }
        for (int length = 1; length <= 255; length += length < 20 ? 1 : 47) {
            for (int fill : new int[] {0x00, 0x01, 0x7F, 0x80, 0xFF}) {
                byte[] name = new byte[length];
                Arrays.fill(name, (byte) fill);
                names.add(name);
                byte[] other = name.clone();
                other[length - 1] ^= 0x40;
                names.add(other);
            }
        }
        return names.toArray(byte[][]::new);
    }

    private final NameIndex<NamedEntry> index = new NameIndex<>(HASH);
    private final NavigableMap<byte[], NamedEntry> model = new TreeMap<>(Arrays::compareUnsigned);

    @Property(tries = 300)
    void behavesLikeASortedMap(
            @ForAll @Size(max = 400) List<@IntRange(max = 4_000) Integer> operations) {
        NameIndex<NamedEntry> fresh = new NameIndex<>(HASH);
        NavigableMap<byte[], NamedEntry> expected = new TreeMap<>(Arrays::compareUnsigned);
        for (int operation : operations) {
            apply(fresh, expected, operation % 7, POOL[operation % POOL.length]);
        }
        assertSame(fresh, expected);
    }

    private static void apply(
            NameIndex<NamedEntry> index,
            NavigableMap<byte[], NamedEntry> model,
            int kind,
            byte[] name) {
        NamedEntry known = model.get(name);
        ByteBuffer buffer = ByteBuffer.allocateDirect(name.length + 3).put(3, name);
        assertThat(index.find(name)).isSameAs(known);
        assertThat(index.find(buffer, 3, name.length)).isSameAs(known);
        if (kind < 4) {
            NamedEntry entry = new NamedEntry(name, HASH);
            assertThat(index.add(entry)).isEqualTo(known == null);
            model.putIfAbsent(name, entry);
        } else if (known != null && kind == 4) {
            NamedEntry replacement = new NamedEntry(name.clone(), HASH);
            index.replace(known, replacement);
            model.put(name, replacement);
        } else if (known != null) {
            index.remove(known);
            model.remove(name);
        }
        assertThat(index.size()).isEqualTo(model.size());
    }

    private static void assertSame(
            NameIndex<NamedEntry> index, NavigableMap<byte[], NamedEntry> model) {
        List<NamedEntry> all = new ArrayList<>();
        index.forEach(all::add);
        assertThat(all).containsExactlyElementsOf(model.values());
        assertThat(pages(index, 7)).containsExactlyElementsOf(model.values());
        assertThat(index.first()).isSameAs(model.isEmpty() ? null : model.firstEntry().getValue());
        assertThat(index.isEmpty()).isEqualTo(model.isEmpty());
    }

    private static List<NamedEntry> pages(NameIndex<NamedEntry> index, int limit) {
        List<NamedEntry> all = new ArrayList<>();
        byte[] cursor = null;
        boolean more = true;
        while (more) {
            List<NamedEntry> page = new ArrayList<>();
            more = index.page(cursor, limit, page::add);
            assertThat(page.size()).isLessThanOrEqualTo(limit);
            all.addAll(page);
            cursor = page.isEmpty() ? null : page.get(page.size() - 1).name();
        }
        return all;
    }

    @ParameterizedTest
    @ValueSource(strings = {"random", "ascending", "descending"})
    void growsToManyEntriesAndShrinksToNone(String order) {
        Random random = new Random(7);
        int count = 60_000;
        for (int i = 0; i < count; i++) {
            int number =
                    switch (order) {
                        case "random" -> random.nextInt();
                        case "ascending" -> i;
                        default -> count - i;
                    };
            byte[] name = ByteBuffer.allocate(4).putInt(number).array();
            NamedEntry entry = new NamedEntry(name, HASH);
            if (index.add(entry)) {
                model.put(name, entry);
            }
            if (i % 11 == 10) {
                removeOne(random);
            }
        }
        assertSame(index, model);
        List<byte[]> names = new ArrayList<>(model.keySet());
        Collections.shuffle(names, random);
        for (byte[] name : names) {
            NamedEntry entry = Objects.requireNonNull(index.find(name));
            assertThat(entry).isSameAs(model.remove(name));
            index.remove(entry);
            assertThat(index.find(name)).isNull();
            if (model.size() % 9_973 == 0) {
                assertSame(index, model);
            }
        }
        assertThat(index.size()).isZero();
    }

    private void removeOne(Random random) {
        byte[] probe = ByteBuffer.allocate(4).putInt(random.nextInt()).array();
        Map.Entry<byte[], NamedEntry> victim = model.ceilingEntry(probe);
        if (victim == null) {
            victim = model.firstEntry();
        }
        index.remove(victim.getValue());
        model.remove(victim.getKey());
    }

    @Test
    void worksThoughSlowlyWithEqualHashes() {
        HashDirectory directory = new HashDirectory(1);
        List<NamedEntry> entries = new ArrayList<>();
        for (int i = 0; i < 6_000; i++) {
            NamedEntry entry = new NamedEntry(ByteBuffer.allocate(4).putInt(i).array(), 42);
            entries.add(entry);
            directory.add(entry);
        }
        for (NamedEntry entry : entries) {
            assertThat(directory.find(42, entry.name())).isSameAs(entry);
        }
        Collection<NamedEntry> half = entries.subList(0, 3_000);
        half.forEach(directory::remove);
        assertThat(directory.find(42, entries.get(5).name())).isNull();
        assertThat(directory.find(42, entries.get(5_000).name())).isSameAs(entries.get(5_000));
    }

    @Test
    void pagesSeeEachEntryThatStaysOnceWhileOthersComeAndGo() {
        Random random = new Random(3);
        for (int i = 0; i < 5_000; i++) {
            index.add(new NamedEntry(ByteBuffer.allocate(4).putInt(i * 2).array(), HASH));
        }
        List<Integer> seen = new ArrayList<>();
        byte[] cursor = null;
        boolean more = true;
        while (more) {
            List<NamedEntry> page = new ArrayList<>();
            more = index.page(cursor, 13, page::add);
            cursor = page.get(page.size() - 1).name();
            page.forEach(e -> seen.add(ByteBuffer.wrap(e.name()).getInt()));
            for (int i = 0; i < 50; i++) {
                byte[] odd = ByteBuffer.allocate(4).putInt(random.nextInt(5_000) * 2 + 1).array();
                NamedEntry old = index.find(odd);
                if (old == null) {
                    index.add(new NamedEntry(odd, HASH));
                } else {
                    index.remove(old);
                }
            }
        }
        seen.removeIf(i -> i % 2 == 1);
        assertThat(seen).hasSize(5_000).isSorted().doesNotHaveDuplicates();
    }
}
