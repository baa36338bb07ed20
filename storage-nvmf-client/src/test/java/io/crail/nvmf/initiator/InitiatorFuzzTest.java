// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.fake.FakeTarget;
import io.crail.nvmf.wire.command.IoOpcode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A target whose answers are damaged at random: each call ends, in a typed way, and no byte outside
 * of its buffer is written.
 */
class InitiatorFuzzTest extends InitiatorHarness {
    @Test
    void damagedAnswersDoNoHarm() throws Exception {
        run(seed(), 60, Long.MAX_VALUE);
    }

    @Test
    @Tag("faults")
    void damagedAnswersDoNoHarmForLong() throws Exception {
        long seconds = Long.getLong("crail.fuzz.seconds", 20);
        run(seed(), Integer.MAX_VALUE, System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    private static long seed() {
        return Long.getLong("crail.fuzz.seed", System.nanoTime());
    }

    private void run(long seed, int rounds, long end) throws Exception {
        Random random = new Random(seed);
        boolean digests = random.nextBoolean();
        FakeTarget target = newTarget();
        target.c2hData = 1024;
        NvmeNamespace namespace =
                open(target, config().withDigests(digests, digests).withRetries(0));
        int harmless = 0;
        for (int i = 0; i < rounds && System.nanoTime() < end; i++) {
            damage(target, new Random(random.nextLong()));
            int blocks = 1 + random.nextInt(8);
            ByteBuffer buffer = guarded(blocks * 512);
            NvmeFuture<Void> read = namespace.read(0, buffer);
            Awaitility.await()
                    .pollInSameThread()
                    .pollInterval(Duration.ofMillis(1))
                    .until(
                            () -> {
                                clock.jump(Duration.ofSeconds(5));
                                return read.isDone();
                            });
            assertGuards(buffer);
            if (read.isCompletedExceptionally()) {
                assertThat(failureOf(read))
                        .as("seed %d, round %d", seed, i)
                        .isInstanceOf(NvmeException.class);
            } else {
                harmless++;
                if (digests) {
                    assertThat(bytes(buffer))
                            .as("seed %d, round %d", seed, i)
                            .isEqualTo(Arrays.copyOf(target.medium, blocks * 512));
                }
            }
        }
        assertThat(target.faults).as("seed %d", seed).isEmpty();
        target.interceptor = (connection, command) -> false;
        target.cutAll();
        // And it still works, once it has noticed the cut: a read that went out before is not
        // repeated.
        ByteBuffer last = guarded(512);
        Awaitility.await()
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(1))
                .ignoreExceptionsInstanceOf(NvmeConnectionLostException.class)
                .until(
                        () -> {
                            namespace.read(0, last.duplicate()).await();
                            return true;
                        });
        assertThat(bytes(last)).isEqualTo(Arrays.copyOf(target.medium, 512));
        assertThat(harmless).isNotNegative();
    }

    /** The answer to the next read is damaged; those of set-ups are not. */
    private static void damage(FakeTarget target, Random random) {
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(IoOpcode.READ)) {
                        connection.mutation = bytes -> damaged(bytes, random);
                    }
                    return false;
                };
    }

    private static byte[] damaged(byte[] bytes, Random random) {
        byte[] result = bytes.clone();
        switch (random.nextInt(5)) {
            case 0 -> {
                return result;
            }
            case 1 ->
                    result[random.nextInt(Math.min(28, result.length))] ^=
                            (byte) (1 + random.nextInt(255));
            case 2 -> result[random.nextInt(result.length)] ^= (byte) (1 << random.nextInt(8));
            case 3 -> {
                return Arrays.copyOf(result, random.nextInt(result.length + 1));
            }
            default -> {
                result = Arrays.copyOf(result, result.length * 2);
                System.arraycopy(bytes, 0, result, bytes.length, bytes.length);
            }
        }
        return result;
    }
}
