// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.initiator.error.NvmeAlignmentException;
import io.crail.nvmf.initiator.error.NvmeRangeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.initiator.fake.FakeTarget;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is written is read, however a target likes its PDUs, and nothing else is touched. */
class InitiatorIoTest extends InitiatorHarness {
    @ParameterizedTest
    @CsvSource({
        // digests, alignment, in capsule, R2T, H2CData, C2HData, SUCCESS, block shift
        "false, 4, 8192, 1048576, 8192, 1048576, false, 9",
        "true, 4, 8192, 1048576, 8192, 1048576, false, 12",
        "true, 128, 0, 4096, 4096, 512, true, 9",
        "false, 64, 512, 12288, 8192, 2048, true, 9",
        "true, 8, 4096, 65536, 4096, 4096, false, 12",
    })
    void readsWhatWasWritten(
            boolean digests,
            int alignment,
            int inCapsule,
            int r2t,
            int h2cData,
            int c2hData,
            boolean success,
            int shift)
            throws Exception {
        FakeTarget target = newTarget();
        target.dataAlignment = alignment;
        target.inCapsuleBytes = inCapsule;
        target.r2tBytes = r2t;
        target.maxH2cData = h2cData;
        target.c2hData = c2hData;
        target.successFlag = success;
        target.blockShift = shift;
        target.maxTransferShift = 4; // 64 KiB: calls are cut
        NvmeNamespace namespace = open(target, config().withDigests(digests, digests));
        assertThat(namespace.blockSize()).isEqualTo(1 << shift);

        for (int blocks : new int[] {1, 2, 3, 16, 100, 300}) {
            int size = blocks << shift;
            ByteBuffer source = random(size, blocks);
            namespace.write(5, source).await();
            int at = 5 << shift;
            assertThat(Arrays.copyOfRange(target.medium, at, at + size)).isEqualTo(bytes(source));

            ByteBuffer destination = guarded(size);
            namespace.read(5, destination).await();
            assertThat(bytes(destination)).isEqualTo(bytes(source));
            assertThat(destination.position()).isEqualTo(64);
            assertThat(destination.limit()).isEqualTo(64 + size);
            assertGuards(destination);
            namespace.compare(5, source).await();
        }
        assertThat(target.faults).isEmpty();
        assertThat(target.connections).hasValue(2); // none was lost
    }

    @Test
    void manyCallsAtATimeGetTheirOwnBlocks() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config().withQueues(1, 8, 512));
        List<NvmeFuture<Void>> reads = new ArrayList<>();
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            ByteBuffer buffer = guarded(512);
            buffers.add(buffer);
            reads.add(namespace.read(i, buffer));
        }
        for (int i = 0; i < 300; i++) {
            reads.get(i).await();
            assertThat(bytes(buffers.get(i)))
                    .isEqualTo(Arrays.copyOfRange(target.medium, i * 512, (i + 1) * 512));
        }
    }

    @Test
    void completionsMayPostAndWait() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        NvmeFuture<Void> first = namespace.read(0, guarded(512));
        ByteBuffer second = guarded(512);
        ByteBuffer third = guarded(512);
        first.thenCompose(
                        nothing -> {
                            namespace.read(2, third).join();
                            return namespace.read(1, second);
                        })
                .join();
        assertThat(bytes(second)).isEqualTo(Arrays.copyOfRange(target.medium, 512, 1024));
        assertThat(bytes(third)).isEqualTo(Arrays.copyOfRange(target.medium, 1024, 1536));
    }

    @Test
    void completesWhenNobodyWaits() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        java.util.concurrent.CountDownLatch done = new java.util.concurrent.CountDownLatch(1);
        namespace.read(0, guarded(4096), failure -> done.countDown());
        assertThat(done.await(60, java.util.concurrent.TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void threadsShareOneQueue() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config().withQueues(1, 4, 512));
        List<Thread> threads = new ArrayList<>();
        java.util.Queue<Throwable> failures = new java.util.concurrent.ConcurrentLinkedQueue<>();
        for (int t = 0; t < 4; t++) {
            int base = t * 1000;
            Thread thread =
                    new Thread(
                            () -> {
                                try {
                                    for (int i = 0; i < 200; i++) {
                                        ByteBuffer source = random(512, base + i);
                                        namespace.write(base + i, source).await();
                                        ByteBuffer back = guarded(512);
                                        namespace.read(base + i, back).await();
                                        assertThat(bytes(back)).isEqualTo(bytes(source));
                                    }
                                } catch (Exception | AssertionError e) {
                                    failures.add(e);
                                }
                            });
            thread.start();
            threads.add(thread);
        }
        for (Thread each : threads) {
            each.join(60_000);
            assertThat(each.isAlive()).isFalse();
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void otherCommandsDoWhatTheySay() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        namespace.writeZeroes(new BlockRange(1, 2), true).await();
        namespace.deallocate(List.of(new BlockRange(10, 1), new BlockRange(20, 2))).await();
        namespace.flush().await();
        assertThat(Arrays.copyOfRange(target.medium, 512, 1536)).containsOnly(0);
        assertThat(Arrays.copyOfRange(target.medium, 5120, 5632)).containsOnly(0);
        assertThat(Arrays.copyOfRange(target.medium, 10240, 11264)).containsOnly(0);
        assertThat(Arrays.copyOfRange(target.medium, 1536, 5120)).isNotEqualTo(new byte[3584]);

        Throwable differs = failureOf(namespace.compare(3, guarded(512)));
        assertThat(differs).isInstanceOf(NvmeStatusException.class);
        assertThat(((NvmeStatusException) differs).code()).isEqualTo(StatusCode.COMPARE_FAILURE);
    }

    @Test
    void reservationsCarryTheirKeys() throws Exception {
        FakeTarget target = newTarget();
        NvmeReservations reservations = open(target, config()).reservations();
        ReservationType type = ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY;
        assertThat(reservations.supports(type)).isTrue();
        reservations.register(11).await();
        reservations.acquire(type, 11).await();
        reservations.preempt(type, 11, 22, true).await();
        reservations.release(type, 11).await();
        reservations.clear(11).await();
        reservations.unregister(11).await();
        assertThat(target.log)
                .contains(
                        "d action 0 type 0 key 0 other 11",
                        "11 action 0 type 3 key 11 other 0",
                        "11 action 2 type 3 key 11 other 22",
                        "15 action 0 type 3 key 11",
                        "15 action 1 type 0 key 11",
                        "d action 1 type 0 key 11 other 0");
        ReservationStatus status = reservations.report().await();
        assertThat(status.generation()).isEqualTo(3);
        assertThat(status.type()).isEqualTo(ReservationType.WRITE_EXCLUSIVE);
        assertThat(status.registrants()).hasSize(1);
        assertThat(status.registrants().get(0).key()).isEqualTo(99);
        assertThat(status.registrants().get(0).holds()).isTrue();
    }

    @Test
    void whatDoesNotFitTheBlocksIsRefused() throws Exception {
        FakeTarget target = newTarget();
        target.ioCommands = 0;
        NvmeNamespace namespace = open(target, config());
        assertThat(failureOf(namespace.read(0, guarded(511))))
                .isInstanceOf(NvmeAlignmentException.class)
                .hasMessageContaining("512");
        assertThat(failureOf(namespace.write(0, guarded(0))))
                .isInstanceOf(NvmeAlignmentException.class);
        assertThat(failureOf(namespace.write(target.blocks(), guarded(512))))
                .isInstanceOf(NvmeRangeException.class);
        assertThat(failureOf(namespace.read(-1, guarded(512))))
                .isInstanceOf(NvmeRangeException.class);
        assertThat(failureOf(namespace.read(Long.MAX_VALUE, guarded(512))))
                .isInstanceOf(NvmeRangeException.class);
        assertThatThrownBy(() -> namespace.read(0, ByteBuffer.allocate(512)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(failureOf(namespace.deallocate(List.of(new BlockRange(0, 1)))))
                .isInstanceOf(NvmeUnsupportedException.class);
        assertThat(failureOf(namespace.compare(0, guarded(512))))
                .isInstanceOf(NvmeUnsupportedException.class);
        assertThat(failureOf(namespace.reservations().register(1)))
                .isInstanceOf(NvmeUnsupportedException.class);
    }
}
