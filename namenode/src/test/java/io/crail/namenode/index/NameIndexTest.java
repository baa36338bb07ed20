// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameIndexTest {
    private static final NameHash HASH = new NameHash(5, 6);

    private static NameIndex<NamedEntry> filled(int entries) {
        NameIndex<NamedEntry> index = new NameIndex<>(HASH);
        for (int i = 0; i < entries; i++) {
            index.add(entry("name-" + i));
        }
        return index;
    }

    private static NamedEntry entry(String name) {
        return new NamedEntry(name.getBytes(StandardCharsets.UTF_8), HASH);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 3_000})
    void refusesAnEntryThatIsNotInIt(int entries) {
        NameIndex<NamedEntry> index = filled(entries);
        assertThatIllegalStateException().isThrownBy(() -> index.remove(entry("name-1")));
        assertThatIllegalStateException().isThrownBy(() -> index.remove(entry("other")));
        assertThat(index.find(entry("name-1").name())).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 3_000})
    void refusesAReplacementOfAnotherName(int entries) {
        NameIndex<NamedEntry> index = filled(entries);
        NamedEntry old = Objects.requireNonNull(index.find(entry("name-1").name()));
        assertThatIllegalArgumentException().isThrownBy(() -> index.replace(old, entry("name-x")));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 3_000})
    void iterationNoticesChanges(int entries) {
        NameIndex<NamedEntry> index = filled(entries);
        Iterator<NamedEntry> iterator = index.iterator();
        iterator.next();
        index.add(entry("another"));
        assertThatThrownBy(iterator::next).isInstanceOf(ConcurrentModificationException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 30_000})
    void lookupsAllocateNothing(int entries) {
        NameIndex<NamedEntry> index = filled(entries);
        ByteBuffer name =
                ByteBuffer.allocateDirect(16).put(4, "name-2".getBytes(StandardCharsets.UTF_8));
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long found = lookUp(index, name, 20_000);

        long before = threads.getCurrentThreadAllocatedBytes();
        found += lookUp(index, name, 20_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(found).isEqualTo(40_000);
        // Less than a tenth of a byte for each lookup: none of them allocates.
        assertThat(allocated).isLessThan(2_000);
    }

    private static long lookUp(NameIndex<NamedEntry> index, ByteBuffer name, int times) {
        long found = 0;
        for (int i = 0; i < times; i++) {
            if (index.find(name, 4, 6) != null) {
                found++;
            }
        }
        return found;
    }
}
