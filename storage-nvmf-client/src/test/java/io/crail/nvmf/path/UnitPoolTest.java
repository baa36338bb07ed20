// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.BufferPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnitPoolTest {
    private final AtomicInteger leases = new AtomicInteger();

    /** A pool with one buffer of any size. */
    private final BufferPool buffers =
            new BufferPool() {
                @Override
                public @Nullable Lease tryAcquire(int bytes) {
                    return null;
                }

                @Override
                public Lease tryAcquireReserved(int bytes) {
                    leases.incrementAndGet();
                    ByteBuffer memory = ByteBuffer.allocateDirect(bytes);
                    return new Lease() {
                        @Override
                        public ByteBuffer buffer() {
                            return memory;
                        }

                        @Override
                        public int slab() {
                            return 0;
                        }

                        @Override
                        public int offset() {
                            return 0;
                        }

                        @Override
                        public void close() {
                            leases.decrementAndGet();
                        }
                    };
                }

                @Override
                public void whenAvailable(int bytes, Runnable callback) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void addPressureListener(Runnable listener) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void removePressureListener(Runnable listener) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void addSlabListener(SlabListener listener) {
                    throw new UnsupportedOperationException();
                }
            };

    @Test
    void whoComesAfterTheMemoryWasGivenBackIsRefusedAndDoesNotWait() throws Exception {
        UnitPool pool = UnitPool.of(buffers);
        List<ByteBuffer> taken = new ArrayList<>();
        assertThat(pool.take(taken::add)).isTrue();
        pool.close();
        assertThat(leases).as("while a unit is out").hasValue(1);
        assertThat(pool.take(taken::add)).isTrue();
        taken.forEach(pool::giveBack);
        assertThat(leases).hasValue(0);
        assertThat(pool.take(taken::add)).isFalse();
    }

    @Test
    void whoWaitsGetsTheNextUnitAlsoWhenThePoolWasClosed() throws Exception {
        UnitPool pool = UnitPool.of(buffers);
        List<ByteBuffer> taken = new ArrayList<>();
        while (pool.unitsOut() < 128) {
            pool.take(taken::add);
        }
        List<ByteBuffer> later = new ArrayList<>();
        pool.take(later::add);
        assertThat(later).isEmpty();
        pool.close();
        pool.giveBack(taken.get(0));
        assertThat(later).hasSize(1);
        taken.stream().skip(1).forEach(pool::giveBack);
        assertThat(leases).hasValue(1);
        pool.giveBack(later.get(0));
        assertThat(leases).hasValue(0);
    }
}
