// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.spi.BufferPool;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DirectBufferPoolTest {
    private static final int MIB = 1 << 20;

    private static BufferPool.Lease lease(BufferPool pool, int bytes) {
        BufferPool.Lease lease = pool.tryAcquire(bytes);
        if (lease == null) {
            throw new AssertionError("pool is exhausted");
        }
        return lease;
    }

    /** Each buffer is filled with its own number: if two overlapped, one would show it. */
    @Property(tries = 200)
    void leasedBuffersDoNotOverlapAndAllComeBack(
            @ForAll @Size(max = 200) List<@IntRange(min = -30, max = 300_000) Integer> requests) {
        DirectBufferPool pool = new DirectBufferPool(4L * MIB);
        List<BufferPool.Lease> held = new ArrayList<>();
        List<Byte> marks = new ArrayList<>();
        byte mark = 0;
        for (int request : requests) {
            if (request <= 0) {
                if (!held.isEmpty()) {
                    int index = -request % held.size();
                    checkFilled(held.remove(index), marks.remove(index));
                }
                continue;
            }
            BufferPool.Lease lease = pool.tryAcquire(request);
            if (lease != null) {
                assertThat(lease.buffer().capacity()).isGreaterThanOrEqualTo(request);
                mark++;
                for (int i = 0; i < lease.buffer().capacity(); i += 512) {
                    lease.buffer().put(i, mark);
                }
                held.add(lease);
                marks.add(mark);
            }
        }
        assertThat(pool.usage().bytes()).isLessThanOrEqualTo(4L * MIB);
        for (int i = 0; i < held.size(); i++) {
            checkFilled(held.get(i), marks.get(i));
        }
        assertThat(pool.usage().bytesInUse()).isZero();
        assertThat(lease(pool, MIB).buffer().capacity()).isEqualTo(MIB);
    }

    private static void checkFilled(BufferPool.Lease lease, byte mark) {
        for (int i = 0; i < lease.buffer().capacity(); i += 512) {
            assertThat(lease.buffer().get(i)).isEqualTo(mark);
        }
        lease.close();
        lease.close();
    }

    @Test
    void itIsBoundedAndKeepsSomethingForConnections() {
        DirectBufferPool pool = new DirectBufferPool(3L * MIB);
        lease(pool, MIB);
        lease(pool, MIB);
        assertThat(pool.tryAcquire(1)).isNull();
        assertThat(pool.tryAcquireReserved(32 << 10)).isNotNull();
        assertThat(pool.usage().bytesInUse()).isEqualTo(2L * MIB + (32 << 10));
        assertThatThrownBy(() -> pool.tryAcquire(MIB + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whoWaitsIsCalledBackOnceAndOthersAreAskedToLetGo() {
        DirectBufferPool pool = new DirectBufferPool(2L * MIB);
        BufferPool.Lease all = lease(pool, MIB);
        AtomicInteger calls = new AtomicInteger();
        AtomicInteger pressure = new AtomicInteger();
        Runnable listener = pressure::incrementAndGet;
        pool.addPressureListener(listener);
        pool.whenAvailable(4096, calls::incrementAndGet);
        assertThat(calls).hasValue(0);
        assertThat(pressure).hasValue(1);
        all.close();
        assertThat(calls).hasValue(1);
        pool.whenAvailable(MIB, calls::incrementAndGet);
        assertThat(calls).hasValue(2);
        pool.removePressureListener(listener);
        lease(pool, MIB);
        pool.whenAvailable(1, calls::incrementAndGet);
        assertThat(pressure).hasValue(1);
    }

    @Test
    void slabsAreMadeKnownToDevicesOnce() {
        DirectBufferPool pool = new DirectBufferPool(4L * MIB);
        lease(pool, MIB);
        List<Integer> seen = new ArrayList<>();
        List<ByteBuffer> memory = new ArrayList<>();
        pool.addSlabListener(
                (number, slab) -> {
                    seen.add(number);
                    memory.add(slab);
                });
        BufferPool.Lease second = lease(pool, 8192);
        assertThat(seen).containsExactly(0, 1);
        second.buffer().put(0, (byte) 9);
        assertThat(memory.get(second.slab()).get(second.offset())).isEqualTo((byte) 9);
    }
}
