// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.target.backing.MediumHook.Access;
import io.crail.nvmf.target.fence.HostNotFencedException;
import io.crail.nvmf.target.host.Completion;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestHost.Options;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.wire.command.BlockCommand;
import io.crail.nvmf.wire.command.ConnectData;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a revoked, preempted or replaced host left behind never changes a byte. */
class FencingTest {
    private static final int BLOCK = 4096;

    @TempDir Path directory;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private TestTarget target(Duration revokeTimeout) throws IOException {
        return new TestTarget(directory, BLOCK, each -> each.revokeTimeout(revokeTimeout));
    }

    @Test
    void nothingOfARevokedHostChangesTheFile() throws Exception {
        try (TestTarget target = target(Duration.ofSeconds(60))) {
            for (int round = 0; round < 15; round++) {
                UUID id = UUID.randomUUID();
                TestHost host = TestHost.withQueue(target.address(), id, Options.PLAIN);
                AtomicInteger sent = new AtomicInteger();
                Future<?> writer = threads.submit(() -> writeUntilClosed(host, sent));
                int enough = 20 + round * 7;
                await().until(() -> sent.get() > enough);

                target.target().revoke(host.nqn());
                byte[] after = target.fileBytes(0, (int) TestTarget.BYTES);

                writer.get(60, TimeUnit.SECONDS);
                assertThat(connectAgain(target.address(), id).status() & Status.CODE_MASK)
                        .isEqualTo(StatusCode.CONNECT_INVALID_HOST.status());
                assertThat(Arrays.equals(target.fileBytes(0, after.length), after)).isTrue();
                host.close();
            }
            await().until(() -> target.target().statistics().connections() == 0);
            assertThat(target.target().statistics().dataBytes()).isZero();
        }
    }

    private static Void writeUntilClosed(TestHost host, AtomicInteger sent) {
        try {
            int outstanding = 0;
            for (int index = 0; ; index++) {
                int blocks = index % 3 == 0 ? 16 : 1;
                byte[] data = TestTarget.random(System.nanoTime(), blocks * BLOCK);
                host.queue()
                        .startWrite(
                                host.block(IoOpcode.WRITE, index * 16L % 4000, blocks),
                                data,
                                blocks == 1);
                sent.incrementAndGet();
                if (++outstanding == 16) {
                    Completion completion = host.queue().completion();
                    assertThat(
                                    Status.isSuccess(completion.status())
                                            || StatusCode.ABORTED_QUEUE_DELETED.is(
                                                    completion.status()))
                            .isTrue();
                    outstanding--;
                }
            }
        } catch (IOException e) {
            return null; // the queue was closed
        }
    }

    private static Completion connectAgain(InetSocketAddress address, UUID id) throws IOException {
        try (TestQueue queue =
                new TestQueue(new io.crail.nvmf.target.host.RawConnection(address))) {
            queue.connection().initialize(false, false, 0);
            return queue.connect(
                    0,
                    32,
                    0,
                    0,
                    id,
                    ConnectData.ANY_CONTROLLER,
                    TestHost.SUBSYSTEM,
                    TestHost.nqn(id));
        }
    }

    @Test
    void revokingWaitsForACommandAtTheMediumAndAbortsThoseThatAreNot() throws Exception {
        try (TestTarget target = target(Duration.ofSeconds(100));
                TestHost host = target.host()) {
            Stall stall = new Stall(Access.WRITE);
            target.hook(stall);
            for (int block = 0; block < 20; block++) {
                byte[] data = new byte[BLOCK];
                Arrays.fill(data, (byte) 1);
                host.queue().startWrite(host.block(IoOpcode.WRITE, block, 1), data, true);
            }
            stall.awaitStalled();
            Future<?> revoked =
                    threads.submit(
                            () -> {
                                target.target().revoke(host.nqn());
                                return null;
                            });
            await().until(() -> target.target().statistics().controllers() == 0);
            assertThat(revoked.isDone()).as("while a write is at the medium").isFalse();

            stall.release();
            revoked.get(60, TimeUnit.SECONDS);
            byte[] after = target.fileBytes(0, 20 * BLOCK);
            host.queue().connection().readToEnd();
            assertThat(target.fileBytes(0, 20 * BLOCK)).isEqualTo(after);
        }
    }

    @Test
    void saysSoWhenACommandHangsAndKeepsTheHostOutUntilItIsThrough() throws Exception {
        try (TestTarget target = target(Duration.ofMillis(50));
                TestHost host = target.host();
                TestHost other = target.host()) {
            Stall stall = new Stall(Access.WRITE);
            target.hook(stall);
            host.queue().startWrite(host.block(IoOpcode.WRITE, 0, 1), new byte[BLOCK], true);
            stall.awaitStalled();

            assertThatThrownBy(() -> target.target().revoke(host.nqn()))
                    .isInstanceOfSatisfying(
                            HostNotFencedException.class,
                            e -> assertThat(e.commands()).isEqualTo(1));
            assertThatThrownBy(() -> target.target().admit(host.nqn()))
                    .isInstanceOf(HostNotFencedException.class);
            other.write(9, 1, new byte[BLOCK], true).expectSuccess();

            stall.release();
            await().untilAsserted(() -> target.target().revoke(host.nqn()));
            await().untilAsserted(() -> target.target().admit(host.nqn()));
            connectAgain(target.address(), host.id()).expectSuccess();
        }
    }

    @Test
    void admitsOnlyWhomItWasTold() throws Exception {
        UUID known = UUID.randomUUID();
        UUID unknown = UUID.randomUUID();
        try (TestTarget target =
                new TestTarget(
                        directory,
                        BLOCK,
                        each -> each.anyHost(false).allowedHosts(List.of(TestHost.nqn(known))))) {
            connectAgain(target.address(), known).expectSuccess();
            connectAgain(target.address(), unknown).expectFinal(StatusCode.CONNECT_INVALID_HOST);
            target.target().admit(TestHost.nqn(unknown));
            connectAgain(target.address(), unknown).expectSuccess();
            target.target().revoke(TestHost.nqn(unknown));
            connectAgain(target.address(), unknown).expectFinal(StatusCode.CONNECT_INVALID_HOST);
            target.target().revoke("nqn.2026-11.io.crail:never-seen");
        }
    }

    @Test
    void aNewAssociationWaitsForWhatTheOldOneLeftAtTheMedium() throws Exception {
        try (TestTarget target = target(Duration.ofSeconds(60))) {
            UUID id = UUID.randomUUID();
            TestHost old = TestHost.withQueue(target.address(), id, Options.PLAIN);
            Stall stall = new Stall(Access.WRITE);
            target.hook(stall);
            byte[] stale = new byte[BLOCK];
            Arrays.fill(stale, (byte) 1);
            byte[] fresh = new byte[BLOCK];
            Arrays.fill(fresh, (byte) 2);
            old.queue().startWrite(old.block(IoOpcode.WRITE, 7, 1), stale, true);
            stall.awaitStalled();

            Future<TestHost> next =
                    threads.submit(() -> TestHost.withQueue(target.address(), id, Options.PLAIN));
            assertThat(old.queue().connection().isAtEnd()).as("the old one is ended").isTrue();
            assertThat(next.isDone()).isFalse();
            stall.release();
            try (TestHost host = next.get(60, TimeUnit.SECONDS)) {
                host.write(7, 1, fresh, true).expectSuccess();
                assertThat(host.read(7, 1, BLOCK).expectSuccess().data()).isEqualTo(fresh);
            }
            old.close();
        }
    }

    @Test
    void aNewAssociationIsToldToComeLaterIfTheOldOneHangs() throws Exception {
        try (TestTarget target = target(Duration.ofSeconds(60))) {
            UUID id = UUID.randomUUID();
            TestHost old = TestHost.withQueue(target.address(), id, Options.PLAIN);
            Stall stall = new Stall(Access.WRITE);
            target.hook(stall);
            old.queue().startWrite(old.block(IoOpcode.WRITE, 7, 1), new byte[BLOCK], true);
            stall.awaitStalled();
            Future<Completion> next = threads.submit(() -> connectAgain(target.address(), id));
            assertThat(old.queue().connection().isAtEnd()).isTrue();
            // The wait begins with a look at the clock, so one move may not be enough.
            await().until(
                            () -> {
                                target.moveClock(TimeUnit.SECONDS.toNanos(2));
                                return next.isDone();
                            });
            next.get().expect(StatusCode.CONNECT_CONTROLLER_BUSY);
            assertThat(Status.isDoNotRetry(next.get().status())).isFalse();
            stall.release();
            old.close();
        }
    }

    @Test
    void severalAssociationsOfAHostMayBeAllowed() throws Exception {
        UUID id = UUID.randomUUID();
        try (TestTarget target =
                        new TestTarget(
                                directory, BLOCK, each -> each.oneAssociationPerHost(false));
                TestHost first = TestHost.withQueue(target.address(), id, Options.PLAIN);
                TestHost second = TestHost.withQueue(target.address(), id, Options.PLAIN)) {
            first.flush().expectSuccess();
            second.flush().expectSuccess();
            target.target().revoke(first.nqn());
            assertThat(first.queue().connection().isAtEnd()).isTrue();
            assertThat(second.queue().connection().isAtEnd()).isTrue();
        }
    }

    @Test
    void preemptAndAbortIsAnsweredWhenNothingOfThePreemptedHostIsUnderWay() throws Exception {
        try (TestTarget target = target(Duration.ofSeconds(60));
                TestHost fencing = target.host();
                TestHost fenced = target.host()) {
            register(fencing, 11).expectSuccess();
            register(fenced, 22).expectSuccess();
            acquire(fenced, ReservationCommand.ACQUIRE, 22, 0).expectSuccess();
            fencing.write(0, 1, new byte[BLOCK], true).expectSuccess(); // registrants may write
            Stall stall = new Stall(Access.WRITE);
            target.hook(stall);
            fenced.queue().startWrite(fenced.block(IoOpcode.WRITE, 3, 1), new byte[BLOCK], true);
            stall.awaitStalled();

            Future<Completion> preempted =
                    threads.submit(
                            () -> acquire(fencing, ReservationCommand.PREEMPT_AND_ABORT, 11, 22));
            // Its registration is gone at once, so a further write of it is refused.
            await().until(() -> isRefused(fenced));
            assertThat(preempted.isDone()).as("a write is at the medium").isFalse();
            stall.release();
            preempted.get(60, TimeUnit.SECONDS).expectSuccess();
            fencing.write(3, 1, new byte[BLOCK], true).expectSuccess();
        }
    }

    private static boolean isRefused(TestHost host) throws IOException {
        int status =
                host.queue()
                        .write(host.block(IoOpcode.WRITE, 4, 1), new byte[BLOCK], true)
                        .status();
        return StatusCode.RESERVATION_CONFLICT.is(status);
    }

    private static Completion register(TestHost host, long key) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        ReservationCommand.encodeRegister(
                entry, 0, host.queue().nextId(), 1, ReservationCommand.REGISTER, false, 0);
        return host.queue().write(entry, keys(0, key), true);
    }

    private static Completion acquire(TestHost host, int action, long key, long other)
            throws IOException {
        ByteBuffer entry = TestQueue.entry();
        ReservationCommand.encodeAcquire(
                entry,
                0,
                host.queue().nextId(),
                1,
                action,
                ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY);
        return host.queue().write(entry, keys(key, other), true);
    }

    private static byte[] keys(long current, long other) {
        ByteBuffer keys = ByteBuffer.allocate(ReservationCommand.TWO_KEYS);
        ReservationCommand.encodeKeys(keys, 0, current, other);
        return keys.array();
    }

    @Test
    void aLongCommandEndsSoonWhenItsHostIsRevoked() throws Exception {
        try (TestTarget target = target(Duration.ofSeconds(60));
                TestHost host = target.host()) {
            AtomicInteger steps = new AtomicInteger();
            Stall stall = new Stall(Access.WRITE);
            target.hook(
                    (access, position, bytes) -> {
                        steps.incrementAndGet();
                        stall.before(access, position, bytes);
                    });
            host.queue()
                    .connection()
                    .sendBytes(
                            host.queue()
                                    .connection()
                                    .capsule(
                                            host.block(IoOpcode.WRITE_ZEROES, 0, 4096),
                                            new byte[0]));
            stall.awaitStalled();
            Future<?> revoked =
                    threads.submit(
                            () -> {
                                target.target().revoke(host.nqn());
                                return null;
                            });
            await().until(() -> target.target().statistics().controllers() == 0);
            stall.release();
            revoked.get(60, TimeUnit.SECONDS);
            assertThat(steps).as("of 16 steps of a MiB").hasValue(1);
        }
    }

    @Test
    void otherQueuesGoOnWhileACommandHangs() throws Exception {
        try (TestTarget target = new TestTarget(directory, BLOCK, each -> each.eventLoops(1));
                TestHost hanging = target.host();
                TestHost other = target.host()) {
            // Alone for long enough that the event loop carries out commands itself.
            for (int command = 0; command < 100; command++) {
                hanging.read(0, 1, BLOCK).expectSuccess();
            }
            Stall stall = new Stall(Access.READ);
            target.hook(stall);
            ByteBuffer entry = TestQueue.entry();
            BlockCommand.encode(entry, 0, IoOpcode.READ, hanging.queue().nextId(), 1, 0, 1);
            hanging.queue().startRead(entry, BLOCK);
            stall.awaitStalled();
            List<byte[]> seen = new ArrayList<>();
            for (int command = 0; command < 100; command++) {
                seen.add(other.read(command, 1, BLOCK).expectSuccess().data());
            }
            assertThat(seen).hasSize(100);
            stall.release();
            hanging.queue().completion().expectSuccess();
            for (int command = 0; command < 100; command++) {
                hanging.read(0, 1, BLOCK).expectSuccess();
            }
        }
    }
}
