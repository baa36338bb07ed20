// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.inline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.crail.error.OutOfSpaceException;
import io.crail.protocol.frame.WireWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InlineMemoryTest {
    private static final long MIB = 1 << 20;
    private static final String KEY = "namenode.inline.limit";

    private record Value(long handle, byte[] bytes) {}

    @Property(tries = 60)
    void keepsWhatWasPutUntilItIsFreed(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 17) int magnitude) {
        Random random = new Random(seed);
        InlineMemory memory = new InlineMemory(6 * MIB, KEY);
        List<Value> values = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            if (random.nextInt(5) < 3) {
                byte[] bytes =
                        new byte[Math.min(InlineMemory.MAX_VALUE, random.nextInt(1 << magnitude))];
                random.nextBytes(bytes);
                try {
                    values.add(new Value(memory.allocate(ByteBuffer.wrap(bytes)), bytes));
                } catch (OutOfSpaceException e) {
                    assertThat(memory.reservedBytes()).isEqualTo(6 * MIB);
                }
            } else if (!values.isEmpty()) {
                Value value = values.remove(random.nextInt(values.size()));
                assertHolds(memory, value);
                memory.free(value.handle);
            }
        }
        for (Value value : values) {
            assertHolds(memory, value);
            memory.free(value.handle);
        }
        assertThat(memory.usedBytes()).isZero();
        assertThat(memory.values()).isZero();
    }

    private static void assertHolds(InlineMemory memory, Value value) {
        assertThat(memory.length(value.handle)).isEqualTo(value.bytes.length);
        assertThat(memory.view(value.handle)).isEqualTo(ByteBuffer.wrap(value.bytes));
    }

    @Test
    void readsIntoBuffersAndMessages() throws OutOfSpaceException {
        InlineMemory memory = new InlineMemory(MIB, KEY);
        ByteBuffer source = ByteBuffer.allocateDirect(10).put(0, new byte[] {9, 1, 2, 3, 9});
        long handle = memory.allocate(source.position(1).limit(4));
        assertThat(source.position()).isEqualTo(1);

        WireWriter writer = new WireWriter(2, 100);
        memory.read(handle, writer);
        ByteBuffer target = ByteBuffer.allocate(5).position(1);
        memory.read(handle, target);

        assertThat(writer.buffer().flip()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        assertThat(target.array()).containsExactly(0, 1, 2, 3, 0);
        assertThat(memory.view(handle).isReadOnly()).isTrue();
    }

    @Test
    void emptyValuesTakeNoMemory() throws OutOfSpaceException {
        InlineMemory memory = new InlineMemory(MIB, KEY);
        long handle = memory.allocate(ByteBuffer.allocate(0));
        assertThat(handle).isEqualTo(InlineMemory.EMPTY);
        assertThat(memory.length(handle)).isZero();
        assertThat(memory.view(handle).remaining()).isZero();
        memory.free(handle);
        assertThat(memory.reservedBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 100, 5_000, InlineMemory.MAX_VALUE})
    void saysWhichLimitIsReachedAndGoesOnWhenValuesGo(int length) throws OutOfSpaceException {
        InlineMemory memory = new InlineMemory(3 * MIB, KEY);
        List<Long> handles = fill(memory, length);
        assertThat((long) handles.size() * length * 1.125 + (length < 8 ? 3 * MIB : 300_000))
                .isGreaterThan(3.0 * MIB);
        assertThatExceptionOfType(OutOfSpaceException.class)
                .isThrownBy(() -> memory.allocate(ByteBuffer.allocate(length)))
                .withMessageContaining(KEY);
        memory.free(handles.remove(0));
        handles.add(memory.allocate(ByteBuffer.allocate(length)));
        handles.forEach(memory::free);
        assertThat(memory.usedBytes()).isZero();
        // Memory that one size gave back serves any other.
        for (int other : new int[] {InlineMemory.MAX_VALUE, 100, 3_000}) {
            List<Long> next = fill(memory, other);
            assertThat((double) next.size() * other).isGreaterThan(3 * MIB * 0.85);
            next.forEach(memory::free);
        }
        assertThat(memory.reservedBytes()).isEqualTo(3 * MIB);
    }

    private static List<Long> fill(InlineMemory memory, int length) {
        List<Long> handles = new ArrayList<>();
        while (true) {
            try {
                handles.add(memory.allocate(ByteBuffer.allocate(length)));
            } catch (OutOfSpaceException e) {
                return handles;
            }
        }
    }

    @Test
    void wastesLittleOnValuesOf100Bytes() throws OutOfSpaceException {
        InlineMemory memory = new InlineMemory(64 * MIB, KEY);
        ByteBuffer value = ByteBuffer.allocate(100);
        for (int i = 0; i < 100_000; i++) {
            memory.allocate(value);
        }
        assertThat(memory.reservedBytes()).isLessThan(11_000_000);
    }

    @Test
    void refusesHandlesThatNameNothing() throws OutOfSpaceException {
        InlineMemory memory = new InlineMemory(MIB, KEY);
        long handle = memory.allocate(ByteBuffer.allocate(20));
        long other = memory.allocate(ByteBuffer.allocate(20));
        memory.free(handle);
        assertThatIllegalStateException().isThrownBy(() -> memory.free(handle));
        assertThatIllegalStateException().isThrownBy(() -> memory.length(handle));
        assertThatIllegalStateException().isThrownBy(() -> memory.view(other + 1));
        assertThatIllegalStateException().isThrownBy(() -> memory.view(-5));
        assertThatIllegalStateException().isThrownBy(() -> memory.view(1L << 40));
    }

    @Test
    void refusesValuesAbove64KiB() {
        InlineMemory memory = new InlineMemory(MIB, KEY);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> memory.allocate(ByteBuffer.allocate(InlineMemory.MAX_VALUE + 1)));
    }

    @Test
    void aJvmWithoutDirectMemoryIsOutOfSpaceAndIsAskedOnlyOnce() throws OutOfSpaceException {
        int[] asked = {0};
        InlineMemory memory =
                new InlineMemory(
                        8 * MIB,
                        KEY,
                        bytes -> {
                            if (asked[0]++ > 0) {
                                throw new OutOfMemoryError("Cannot reserve direct buffer memory");
                            }
                            return ByteBuffer.allocate(bytes);
                        });
        List<Long> handles = fill(memory, 60_000);
        assertThat(handles).isNotEmpty();
        assertThatExceptionOfType(OutOfSpaceException.class)
                .isThrownBy(() -> memory.allocate(ByteBuffer.allocate(60_000)))
                .withMessageContaining(KEY);
        assertThat(asked[0]).isEqualTo(2);
    }

    @Test
    void sizeClassesFitTightly() {
        for (int length = 1; length <= InlineMemory.MAX_VALUE; length++) {
            int size = SizeClasses.size(SizeClasses.of(length));
            assertThat(size).isGreaterThanOrEqualTo(length);
            assertThat(size - length).isLessThan(Math.max(8, length / 8 + 1));
        }
        assertThat(SizeClasses.of(InlineMemory.MAX_VALUE)).isEqualTo(SizeClasses.COUNT - 1);
    }
}
