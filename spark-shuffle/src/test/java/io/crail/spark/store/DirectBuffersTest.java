// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class DirectBuffersTest {
    private final DirectBuffers buffers = new DirectBuffers(100_000);

    @Test
    void sizesArePowersOfTwo() {
        assertThat(DirectBuffers.sizeFor(0)).isEqualTo(4096);
        assertThat(DirectBuffers.sizeFor(4096)).isEqualTo(4096);
        assertThat(DirectBuffers.sizeFor(4097)).isEqualTo(8192);
        assertThat(DirectBuffers.sizeFor(DirectBuffers.MAX_SIZE)).isEqualTo(1 << 20);
        assertThatThrownBy(() -> DirectBuffers.sizeFor(DirectBuffers.MAX_SIZE + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void whatIsGivenBackIsLentAgainCleared() {
        ByteBuffer first = buffers.take(60_000);
        assertThat(first.capacity()).isEqualTo(65_536);
        first.position(10).limit(20);
        buffers.give(first);
        assertThat(buffers.kept()).isEqualTo(65_536);
        ByteBuffer second = buffers.take(50_000);
        assertThat(second).isSameAs(first);
        assertThat(second.remaining()).isEqualTo(65_536);
        assertThat(buffers.kept()).isZero();
    }

    @Test
    void noMoreThanTheLimitIsKept() {
        ByteBuffer first = buffers.take(65_536);
        ByteBuffer second = buffers.take(65_536);
        buffers.give(first);
        buffers.give(second);
        assertThat(buffers.kept()).isEqualTo(65_536);
    }
}
