// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.crail.nvmf.initiator.fake.FakeTarget;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;

/**
 * A fake target, an initiator with a clock that can be moved, and what tests ask of both. All
 * timeouts are minutes, so that only a jump of the clock makes anything late.
 */
abstract class InitiatorHarness {
    static final UUID HOST = UUID.fromString("bbbbbbbb-0000-4000-8000-000000000001");
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration HOUR = Duration.ofHours(1);
    private static final byte GUARD = 0x5A;

    final JumpingClock clock = new JumpingClock();
    final Deque<AutoCloseable> resources = new ArrayDeque<>();

    @AfterEach
    void closeAll() throws Exception {
        while (!resources.isEmpty()) {
            resources.pop().close();
        }
    }

    FakeTarget newTarget() throws Exception {
        FakeTarget target = new FakeTarget();
        resources.push(target);
        new Random(1).nextBytes(target.medium);
        return target;
    }

    InitiatorConfig config() {
        return InitiatorConfig.of(HOST)
                .withClock(clock)
                .withQueues(1, 32, 64)
                .withKeepAlive(Duration.ZERO)
                .withCommandTimeouts(MINUTE, MINUTE, HOUR)
                .withConnectTimeouts(MINUTE, HOUR, Duration.ofMillis(1));
    }

    NvmeController connect(FakeTarget target, InitiatorConfig config) throws Exception {
        NvmeInitiator initiator = new NvmeInitiator(config);
        resources.push(initiator);
        return initiator.connect(target.address());
    }

    NvmeNamespace open(FakeTarget target, InitiatorConfig config) throws Exception {
        return connect(target, config).namespace(1);
    }

    /** A slice within a larger buffer whose other bytes are guards. */
    static ByteBuffer guarded(int size) {
        ByteBuffer whole = ByteBuffer.allocateDirect(size + 128);
        for (int i = 0; i < whole.capacity(); i++) {
            whole.put(i, GUARD);
        }
        return whole.limit(64 + size).position(64);
    }

    /** Asserts that nothing outside of the slice was written. */
    static void assertGuards(ByteBuffer buffer) {
        ByteBuffer whole = buffer.duplicate().clear();
        for (int i = 0; i < 64; i++) {
            assertThat(whole.get(i)).as("byte %d before", i).isEqualTo(GUARD);
            assertThat(whole.get(whole.capacity() - 1 - i))
                    .as("byte %d behind", i)
                    .isEqualTo(GUARD);
        }
    }

    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    static ByteBuffer random(int size, long seed) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        ByteBuffer buffer = guarded(size);
        buffer.put(buffer.position(), bytes);
        return buffer;
    }

    /** The failure of a call; the wait has a bound. */
    static Throwable failureOf(NvmeFuture<?> future) {
        return catchThrowable(future::await);
    }
}
