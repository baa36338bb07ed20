// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeNamespaceChangedException;
import io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException;
import io.crail.nvmf.initiator.error.NvmeQueueFullException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeTimeoutException;
import io.crail.nvmf.initiator.fake.FakeCommand;
import io.crail.nvmf.initiator.fake.FakeConnection;
import io.crail.nvmf.initiator.fake.FakeTarget;
import io.crail.nvmf.wire.command.AbortCommand;
import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Targets that are slow, full, silent or gone: what waits, what is repeated, what fails. */
class InitiatorRecoveryTest extends InitiatorHarness {
    private record Held(FakeConnection connection, FakeCommand command) {}

    /** Commands that the target has taken and does not answer. */
    private final Queue<Held> held = new ConcurrentLinkedQueue<>();

    private void hold(FakeTarget target, int opcode) {
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(opcode)) {
                        held.add(new Held(connection, command));
                        return true;
                    }
                    return false;
                };
    }

    private void awaitHeld(int count) {
        Awaitility.await().until(() -> held.size() >= count);
    }

    private static void release(FakeTarget target) {
        target.interceptor = (connection, command) -> false;
    }

    @Test
    void fullQueueHoldsCommandsBackAndThenRefusesThem() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config().withQueues(1, 3, 4));
        hold(target, IoOpcode.READ);
        List<NvmeFuture<Void>> reads = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            reads.add(namespace.read(i, guarded(512)));
        }
        for (int i = 6; i < 10; i++) { // two with the target, four wait
            assertThat(failureOf(reads.get(i))).isInstanceOf(NvmeQueueFullException.class);
        }
        awaitHeld(2);
        assertThat(held).hasSize(2);
        release(target);
        for (Held each : held) {
            each.connection.sendAll(each.command, new byte[512]);
        }
        for (int i = 0; i < 6; i++) {
            reads.get(i).await();
        }
    }

    @Test
    void wrongDataDigestIsReadAgain() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config().withDigests(false, true));
        AtomicInteger reads = new AtomicInteger();
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(IoOpcode.READ) && reads.incrementAndGet() == 1) {
                        connection.spoilsDataDigest = true;
                    }
                    return false;
                };
        ByteBuffer buffer = guarded(4096);
        namespace.read(0, buffer).await();
        assertThat(bytes(buffer)).isEqualTo(Arrays.copyOf(target.medium, 4096));
        assertThat(reads).hasValue(2);
        assertThat(target.connections).hasValue(2); // not fatal for the connection
    }

    @Test
    void dataDigestThatIsAlwaysWrongFails() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config().withDigests(false, true).withRetries(2));
        AtomicInteger reads = new AtomicInteger();
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(IoOpcode.READ)) {
                        reads.incrementAndGet();
                        connection.spoilsDataDigest = true;
                    }
                    return false;
                };
        assertThat(failureOf(namespace.read(0, guarded(512))))
                .isInstanceOfSatisfying(
                        NvmeStatusException.class,
                        e -> assertThat(e.code()).isEqualTo(StatusCode.TRANSIENT_TRANSPORT_ERROR));
        assertThat(reads).hasValue(3);
    }

    @Test
    void statusIsTriedAgainUnlessItIsAnAnswerOrSaysNotTo() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        AtomicInteger writes = new AtomicInteger();
        target.interceptor =
                (connection, command) -> {
                    if (!command.isIo(IoOpcode.WRITE)) {
                        return false;
                    }
                    int status =
                            switch (writes.incrementAndGet()) {
                                case 1 -> StatusCode.COMMAND_INTERRUPTED.status();
                                case 2 -> StatusCode.INTERNAL_ERROR.status();
                                case 3 -> Status.of(7, 0xC5); // one of a vendor
                                case 4 -> 0;
                                case 5 -> StatusCode.INTERNAL_ERROR.doNotRetry();
                                default -> StatusCode.RESERVATION_CONFLICT.status();
                            };
                    connection.respond(command.id(), 0, status);
                    return true;
                };
        namespace.write(0, random(512, 1)).await();
        assertThat(writes).hasValue(4);
        assertThat(failureOf(namespace.write(0, random(512, 1))))
                .isInstanceOfSatisfying(
                        NvmeStatusException.class,
                        e -> assertThat(e.code()).isEqualTo(StatusCode.INTERNAL_ERROR));
        assertThat(writes).hasValue(5);
        assertThat(failureOf(namespace.write(0, random(512, 1))))
                .isInstanceOfSatisfying(
                        NvmeStatusException.class,
                        e -> assertThat(e.isReservationConflict()).isTrue());
        assertThat(writes).hasValue(6);
    }

    @Test
    void statusThatDoesNotPassIsToldAfterAFewAttempts() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config().withRetries(2));
        AtomicInteger reads = new AtomicInteger();
        target.interceptor =
                (connection, command) -> {
                    if (!command.isIo(IoOpcode.READ)) {
                        return false;
                    }
                    reads.incrementAndGet();
                    connection.respond(command.id(), 0, StatusCode.UNRECOVERED_READ_ERROR.status());
                    return true;
                };
        assertThat(failureOf(namespace.read(0, guarded(512))))
                .isInstanceOfSatisfying(
                        NvmeStatusException.class,
                        e -> assertThat(e.code()).isEqualTo(StatusCode.UNRECOVERED_READ_ERROR));
        assertThat(reads).hasValue(3);
    }

    @Test
    void lateCommandIsAbortedAndReadAgain() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(IoOpcode.READ) && held.isEmpty()) {
                        held.add(new Held(connection, command));
                        return true;
                    }
                    Held late = held.peek();
                    if (command.isAdmin(AdminOpcode.ABORT) && late != null) {
                        assertThat(AbortCommand.queueId(command.entry(), 0)).isEqualTo(1);
                        assertThat(AbortCommand.abortedCommandId(command.entry(), 0))
                                .isEqualTo(late.command.id());
                        late.connection.respond(
                                late.command.id(), 0, StatusCode.ABORT_REQUESTED.status());
                        connection.respond(command.id(), AbortCommand.result(true), 0);
                        return true;
                    }
                    return false;
                };
        ByteBuffer buffer = guarded(512);
        NvmeFuture<Void> read = namespace.read(0, buffer);
        awaitHeld(1);
        clock.jump(MINUTE.plusSeconds(1));
        read.await();
        assertThat(bytes(buffer)).isEqualTo(Arrays.copyOf(target.medium, 512));
        assertThat(target.connections).hasValue(2); // no reset
        assertThat(target.faults).isEmpty();
    }

    @Test
    void commandThatIsAbortedEachTimeFailsTyped() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config().withRetries(0));
        target.interceptor =
                (connection, command) -> {
                    if (command.isIo(IoOpcode.WRITE)) {
                        connection.respond(command.id(), 0, StatusCode.ABORT_REQUESTED.status());
                        return true;
                    }
                    return false;
                };
        assertThat(failureOf(namespace.write(0, random(512, 1))))
                .isInstanceOf(NvmeTimeoutException.class)
                .hasMessageContaining("Write of 1 blocks from 0");
    }

    @Test
    void commandThatCannotBeAbortedResetsTheController() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        hold(target, IoOpcode.READ);
        ByteBuffer buffer = guarded(512);
        NvmeFuture<Void> read = namespace.read(0, buffer);
        NvmeFuture<Void> write;
        awaitHeld(1);
        release(target);
        hold(target, IoOpcode.WRITE);
        write = namespace.write(5, random(512, 1));
        awaitHeld(2);
        release(target);
        clock.jump(MINUTE.plusSeconds(1)); // both are late; the target aborts neither
        Awaitility.await()
                .until(
                        () -> {
                            clock.jump(Duration.ofSeconds(10));
                            return target.connections.get() >= 4;
                        });
        read.await();
        assertThat(bytes(buffer)).isEqualTo(Arrays.copyOf(target.medium, 512));
        assertThat(failureOf(write))
                .isInstanceOf(NvmeOutcomeUnknownException.class)
                .hasMessageContaining("Write of 1 blocks from 5");
    }

    @Test
    void keepAlivesAreSentAndTheirAnswersAwaited() throws Exception {
        FakeTarget target = newTarget();
        NvmeController controller = connect(target, config().withKeepAlive(Duration.ofSeconds(30)));
        clock.jump(Duration.ofSeconds(10));
        Awaitility.await().until(() -> target.keepAlives.get() == 1);
        AtomicInteger unanswered = new AtomicInteger();
        target.interceptor =
                (connection, command) -> {
                    if (command.isAdmin(AdminOpcode.KEEP_ALIVE)) {
                        unanswered.incrementAndGet();
                        return true;
                    }
                    return false;
                };
        Awaitility.await()
                .until(
                        () -> {
                            clock.jump(Duration.ofSeconds(5));
                            return unanswered.get() == 1;
                        });
        release(target);
        Awaitility.await()
                .until(
                        () -> {
                            clock.jump(Duration.ofSeconds(5));
                            return target.connections.get() >= 4
                                    && controller.state() == NvmeController.State.LIVE;
                        });
    }

    @Test
    void targetWithoutKeepAliveGetsNone() throws Exception {
        FakeTarget target = newTarget();
        target.keepAliveUnits = 0;
        NvmeNamespace namespace = open(target, config().withKeepAlive(Duration.ofSeconds(30)));
        clock.jump(Duration.ofSeconds(29));
        namespace.flush().await();
        assertThat(target.keepAlives).hasValue(0);
    }

    @Test
    void lostConnectionIsMadeAgain() throws Exception {
        FakeTarget target = newTarget();
        NvmeNamespace namespace = open(target, config());
        hold(target, IoOpcode.READ);
        ByteBuffer buffer = guarded(512);
        NvmeFuture<Void> read = namespace.read(7, buffer);
        awaitHeld(1);
        hold(target, IoOpcode.WRITE);
        NvmeFuture<Void> write = namespace.write(9, random(512, 3));
        awaitHeld(2);
        release(target);
        target.cutAll();
        read.await();
        assertThat(bytes(buffer)).isEqualTo(Arrays.copyOfRange(target.medium, 3584, 4096));
        assertThat(failureOf(write)).isInstanceOf(NvmeOutcomeUnknownException.class);
    }

    @Test
    void callsWaitForATargetThatRestarts() throws Exception {
        FakeTarget first = newTarget();
        NvmeController controller = connect(first, config());
        NvmeNamespace namespace = controller.namespace(1);
        first.close();
        Awaitility.await().until(() -> controller.state() != NvmeController.State.LIVE);
        NvmeFuture<Void> write = namespace.write(0, random(512, 4));
        FakeTarget second = new FakeTarget(first.port());
        resources.push(second);
        write.await();
        assertThat(Arrays.copyOf(second.medium, 512)).isEqualTo(bytes(random(512, 4)));
    }

    @Test
    void targetThatStaysAwayIsGivenUpAndMayBeAskedFor() throws Exception {
        FakeTarget first = newTarget();
        NvmeController controller = connect(first, config());
        NvmeNamespace namespace = controller.namespace(1);
        first.close();
        Awaitility.await().until(() -> controller.state() != NvmeController.State.LIVE);
        NvmeFuture<Void> write = namespace.write(0, random(512, 4));
        Awaitility.await()
                .until(
                        () -> {
                            clock.jump(Duration.ofMinutes(10));
                            return controller.state() == NvmeController.State.LOST;
                        });
        assertThat(failureOf(write))
                .isInstanceOfAny(NvmeConnectException.class, NvmeTimeoutException.class);
        assertThat(failureOf(namespace.read(0, guarded(512))))
                .isInstanceOf(NvmeConnectException.class)
                .hasMessageContaining("did not come back");
        FakeTarget second = new FakeTarget(first.port());
        resources.push(second);
        controller.reset();
        namespace.read(0, guarded(512)).await();
        assertThat(controller.state()).isEqualTo(NvmeController.State.LIVE);
    }

    @Test
    void hostThatIsNoLongerAdmittedGivesUpAtOnce() throws Exception {
        FakeTarget target = newTarget();
        NvmeController controller = connect(target, config());
        NvmeNamespace namespace = controller.namespace(1);
        target.connectStatus = StatusCode.CONNECT_INVALID_HOST.status();
        target.cutAll();
        Awaitility.await().until(() -> controller.state() == NvmeController.State.LOST);
        assertThat(failureOf(namespace.read(0, guarded(512))))
                .isInstanceOf(NvmeConnectException.class)
                .hasMessageContaining("connect invalid host");
    }

    @Test
    void anotherNamespaceUnderTheSameIdIsNotUsed() throws Exception {
        FakeTarget target = newTarget();
        NvmeController controller = connect(target, config());
        NvmeNamespace namespace = controller.namespace(1);
        target.blockShift = 12;
        target.cutAll();
        Awaitility.await().until(() -> controller.state() == NvmeController.State.LOST);
        assertThat(failureOf(namespace.read(0, guarded(512))))
                .hasCauseInstanceOf(NvmeNamespaceChangedException.class);
    }

    @Test
    void resetOfTheApplicationKeepsReadsAlive() throws Exception {
        FakeTarget target = newTarget();
        NvmeController controller = connect(target, config());
        NvmeNamespace namespace = controller.namespace(1);
        hold(target, IoOpcode.READ);
        NvmeFuture<Void> read = namespace.read(0, guarded(512));
        awaitHeld(1);
        release(target);
        controller.reset();
        read.await();
        assertThat(target.connections).hasValue(4);
    }

    @Test
    void closeEndsWhatIsUnderWay() throws Exception {
        FakeTarget target = newTarget();
        NvmeController controller = connect(target, config());
        NvmeNamespace namespace = controller.namespace(1);
        hold(target, IoOpcode.READ);
        NvmeFuture<Void> read = namespace.read(0, guarded(512));
        awaitHeld(1);
        controller.close();
        assertThat(failureOf(read)).isInstanceOf(NvmeClosedException.class);
        assertThat(failureOf(namespace.flush())).isInstanceOf(NvmeClosedException.class);
        controller.close();
    }
}
