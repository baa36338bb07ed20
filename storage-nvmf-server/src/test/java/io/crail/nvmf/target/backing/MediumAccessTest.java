// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Small blocks on a medium with large units, against an array of bytes. */
class MediumAccessTest {
    private static final int BYTES = 64 << 10;
    private static final int UNIT = 4096;

    /** Memory as a medium that takes whole units only. */
    private static final class Units implements Medium {
        private final byte[] memory = new byte[BYTES];

        private static void check(long position, ByteBuffer buffer) {
            assertThat(position % UNIT).isZero();
            assertThat(buffer.remaining() % UNIT).isZero();
            assertThat(buffer.alignmentOffset(buffer.position(), UNIT)).isZero();
        }

        @Override
        public long bytes() {
            return BYTES;
        }

        @Override
        public int alignment() {
            return UNIT;
        }

        @Override
        public String name() {
            return "memory";
        }

        @Override
        public void read(long position, ByteBuffer into) {
            check(position, into);
            into.put(memory, (int) position, into.remaining());
        }

        @Override
        public void write(long position, ByteBuffer from) {
            check(position, from);
            from.get(memory, (int) position, from.remaining());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }

    private final Units units = new Units();
    private final MediumAccess access = new MediumAccess(units, 512);
    private final byte[] model = new byte[BYTES];
    private final ByteBuffer buffer = DataPool.aligned(BYTES);

    @Property(tries = 50)
    void doesWhatAnArrayDoes(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int steps)
            throws IOException {
        Random random = new Random(seed);
        for (int step = 0; step < steps; step++) {
            int first = random.nextInt(BYTES / 512) * 512;
            int length = (1 + random.nextInt((BYTES - first) / 512)) * 512;
            Span span = access.span(first, length);
            buffer.clear();
            switch (random.nextInt(4)) {
                case 0 -> {
                    byte[] data = new byte[length];
                    random.nextBytes(data);
                    System.arraycopy(data, 0, model, first, length);
                    buffer.put(span.skew(), data);
                    access.write(span, buffer);
                }
                case 1 -> {
                    java.util.Arrays.fill(model, first, first + length, (byte) 0);
                    access.writeZeroes(first, length);
                }
                case 2 -> {
                    access.read(span, buffer);
                    byte[] read = new byte[length];
                    buffer.get(span.skew(), read);
                    assertThat(read)
                            .isEqualTo(java.util.Arrays.copyOfRange(model, first, first + length));
                }
                default -> {
                    ByteBuffer expected = ByteBuffer.wrap(model, first, length).slice();
                    assertThat(access.matches(first, length, expected, 0)).isTrue();
                    byte[] other = java.util.Arrays.copyOfRange(model, first, first + length);
                    other[random.nextInt(length)] ^= 1;
                    assertThat(access.matches(first, length, ByteBuffer.wrap(other), 0)).isFalse();
                }
            }
            assertThat(units.memory).isEqualTo(model);
        }
    }
}
