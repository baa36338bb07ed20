// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.BufferPool;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

/** Memory of a connection, while it is open and after. */
class UnitPoolTest {
    private boolean returned;

    private final BufferPool.Lease lease =
            (BufferPool.Lease)
                    Proxy.newProxyInstance(
                            getClass().getClassLoader(),
                            new Class<?>[] {BufferPool.Lease.class},
                            (proxy, method, arguments) -> {
                                if (method.getName().equals("close")) {
                                    returned = true;
                                    return null;
                                }
                                return ByteBuffer.allocateDirect(1 << 20);
                            });

    @Test
    void whoComesAfterTheMemoryWasGivenBackIsRefusedAndDoesNotWait() throws Exception {
        ArrayDeque<ByteBuffer> taken = new ArrayDeque<>();
        UnitPool pool = new UnitPool(lease);
        assertThat(pool.take(taken::add)).isTrue();
        pool.close();
        assertThat(returned).as("while a unit is out").isFalse();
        assertThat(pool.take(taken::add)).isTrue();
        taken.forEach(pool::giveBack);
        assertThat(returned).isTrue();
        assertThat(pool.take(taken::add)).isFalse();
    }
}
