// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.target.backing.MediumHook.Access;
import io.crail.nvmf.target.host.Completion;
import io.crail.nvmf.target.host.TestHost;
import io.crail.nvmf.target.host.TestQueue;
import io.crail.nvmf.wire.command.AsyncEvent;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.IdentifyCommand;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.command.LogPageCommand;
import io.crail.nvmf.wire.identify.ControllerData;
import io.crail.nvmf.wire.log.ErrorEntry;
import io.crail.nvmf.wire.log.ReservationNotification;
import io.crail.nvmf.wire.log.SmartData;
import io.crail.nvmf.wire.property.ControllerConfiguration;
import io.crail.nvmf.wire.property.ControllerStatus;
import io.crail.nvmf.wire.property.Property;
import io.crail.nvmf.wire.reservation.ReservationCommand;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a host is told of failures without asking, and by the error log; and of a shutdown. */
@Timeout(60)
class AdminEventsTest {
    private static final int BLOCK = 4096;

    @TempDir Path directory;

    private TestTarget target;

    @BeforeEach
    void start() throws IOException {
        target = new TestTarget(directory);
    }

    @AfterEach
    void stop() throws IOException {
        target.close();
    }

    private static int requestEvent(TestHost host) throws IOException {
        int id = host.admin().nextId();
        ByteBuffer entry = TestQueue.entry();
        AsyncEvent.encodeRequest(entry, 0, id);
        host.admin().connection().sendBytes(host.admin().connection().capsule(entry, new byte[0]));
        return id;
    }

    private static ByteBuffer errors(TestHost host, boolean retain) throws IOException {
        int length = 64 * ErrorEntry.SIZE;
        ByteBuffer entry = TestQueue.entry();
        int id = host.admin().nextId();
        LogPageCommand.encode(
                entry, 0, id, -1, LogPageCommand.ERROR_INFORMATION, length, 0, retain);
        Completion read = host.admin().read(entry, length).expectSuccess();
        assertThat(read.commandId()).isEqualTo(id);
        return read.bytes();
    }

    private void breakWrites() {
        target.hook(
                (access, position, bytes) -> {
                    if (access == Access.WRITE) {
                        throw new IOException("the device is broken");
                    }
                });
    }

    @Test
    void aFaultOfTheMediumIsToldOnceUntilItsLogPageWasRead() throws IOException {
        try (TestHost host = target.host()) {
            int first = requestEvent(host);
            breakWrites();
            Completion failed = host.write(3, 1, new byte[BLOCK], true);
            failed.expect(StatusCode.WRITE_FAULT);
            assertThat(Status.isMore(failed.status())).isTrue();
            Completion told = host.admin().completion().expectSuccess();
            assertThat(told.commandId()).isEqualTo(first);
            int event = (int) told.result();
            assertThat(AsyncEvent.type(event)).isEqualTo(AsyncEvent.TYPE_ERROR);
            assertThat(AsyncEvent.information(event))
                    .isEqualTo(AsyncEvent.TRANSIENT_INTERNAL_ERROR);
            assertThat(AsyncEvent.logPage(event)).isEqualTo(LogPageCommand.ERROR_INFORMATION);

            int second = requestEvent(host);
            host.write(4, 1, new byte[BLOCK], true).expect(StatusCode.WRITE_FAULT);
            ByteBuffer page = errors(host, true); // and nothing else comes before it
            assertThat(ErrorEntry.errorCount(page, 0)).isEqualTo(2);
            assertThat(ErrorEntry.block(page, 0)).isEqualTo(4);
            assertThat(ErrorEntry.queueId(page, 0)).isEqualTo(1);
            assertThat(ErrorEntry.namespaceId(page, 0)).isEqualTo(1);
            assertThat(StatusCode.WRITE_FAULT.is(ErrorEntry.status(page, 0))).isTrue();
            assertThat(ErrorEntry.block(page, ErrorEntry.SIZE)).isEqualTo(3);
            assertThat(ErrorEntry.commandId(page, ErrorEntry.SIZE)).isEqualTo(failed.commandId());
            assertThat(ErrorEntry.errorCount(page, 2 * ErrorEntry.SIZE)).isZero();

            ByteBuffer clearing = TestQueue.entry();
            int clearingId = host.admin().nextId();
            LogPageCommand.encode(
                    clearing,
                    0,
                    clearingId,
                    -1,
                    LogPageCommand.ERROR_INFORMATION,
                    ErrorEntry.SIZE,
                    0,
                    false);
            host.admin().startRead(clearing, ErrorEntry.SIZE);
            int one = host.admin().completion().expectSuccess().commandId();
            int other = host.admin().completion().expectSuccess().commandId();
            assertThat(List.of(one, other))
                    .as("the page, and the event that came meanwhile")
                    .containsExactlyInAnyOrder(clearingId, second);
        }
    }

    @Test
    void anEventWaitsForARequest() throws IOException {
        try (TestHost host = target.host()) {
            breakWrites();
            host.write(0, 1, new byte[BLOCK], true).expect(StatusCode.WRITE_FAULT);
            target.hook(MediumHook.NONE);
            int request = requestEvent(host);
            assertThat(host.admin().completion().expectSuccess().commandId()).isEqualTo(request);
        }
    }

    @Test
    void theLogKeepsTheLastErrorsAndCountsAll() throws IOException {
        try (TestHost host = target.host()) {
            for (int i = 0; i < 70; i++) {
                host.read(-1 - i, 1, BLOCK).expectFinal(StatusCode.LBA_OUT_OF_RANGE);
            }
            // Answers, not errors:
            host.queue()
                    .write(host.block(IoOpcode.COMPARE, 0, 1), filled(), false)
                    .expect(StatusCode.COMPARE_FAILURE);
            ByteBuffer page = errors(host, false);
            assertThat(ErrorEntry.errorCount(page, 0)).isEqualTo(70);
            assertThat(ErrorEntry.errorCount(page, 63 * ErrorEntry.SIZE)).isEqualTo(7);
            ByteBuffer entry = TestQueue.entry();
            LogPageCommand.encode(
                    entry,
                    0,
                    host.admin().nextId(),
                    -1,
                    LogPageCommand.SMART,
                    SmartData.SIZE,
                    0,
                    false);
            ByteBuffer smart = host.admin().read(entry, SmartData.SIZE).expectSuccess().bytes();
            assertThat(SmartData.errorLogEntries(smart, 0)).isEqualTo(70);
            ByteBuffer identify = TestQueue.entry();
            IdentifyCommand.encode(
                    identify, 0, host.admin().nextId(), 0, IdentifyCommand.CONTROLLER);
            ByteBuffer controller =
                    host.admin().read(identify, IdentifyCommand.DATA_SIZE).expectSuccess().bytes();
            assertThat(ControllerData.errorLogEntries(controller, 0)).isEqualTo(63);
            assertThat(ControllerData.asyncEventLimit(controller, 0)).isEqualTo(3);
        }
    }

    private static byte[] filled() {
        byte[] data = new byte[BLOCK];
        data[17] = 1;
        return data;
    }

    @Test
    void aShutdownIsCompleteWhenNothingIsAtTheMediumAnyMore() throws Exception {
        Stall stall = new Stall(Access.WRITE);
        target.hook(stall);
        try (TestHost host = target.host()) {
            host.queue().startWrite(host.block(IoOpcode.WRITE, 0, 1), new byte[BLOCK], true);
            stall.awaitStalled();
            int leaving =
                    ControllerConfiguration.withShutdown(
                            ControllerConfiguration.enabled(),
                            ControllerConfiguration.SHUTDOWN_NORMAL);
            host.setProperty(Property.CC, leaving).expectSuccess();
            assertThat(shutdown(host)).isEqualTo(ControllerStatus.SHUTDOWN_OCCURRING);
            stall.release();
            await().until(() -> shutdown(host) == ControllerStatus.SHUTDOWN_COMPLETE);
        } finally {
            stall.release();
        }
    }

    private static int shutdown(TestHost host) throws IOException {
        return ControllerStatus.shutdown((int) host.property(Property.CSTS));
    }

    private static void reserve(TestHost host, ByteBuffer entry, long key, long other)
            throws IOException {
        ByteBuffer keys = ByteBuffer.allocate(ReservationCommand.TWO_KEYS);
        ReservationCommand.encodeKeys(keys, 0, key, other);
        host.queue().write(entry, keys.array(), true).expectSuccess();
    }

    private static void register(TestHost host, long key) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        ReservationCommand.encodeRegister(
                entry, 0, host.queue().nextId(), 1, ReservationCommand.REGISTER, false, 0);
        reserve(host, entry, 0, key);
    }

    private static void preempt(TestHost host, long key, long other) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        ReservationCommand.encodeAcquire(
                entry,
                0,
                host.queue().nextId(),
                1,
                ReservationCommand.PREEMPT,
                ReservationType.WRITE_EXCLUSIVE);
        reserve(host, entry, key, other);
    }

    private static ByteBuffer notification(TestHost host) throws IOException {
        ByteBuffer entry = TestQueue.entry();
        LogPageCommand.encode(
                entry,
                0,
                host.admin().nextId(),
                -1,
                LogPageCommand.RESERVATION_NOTIFICATION,
                ReservationNotification.SIZE,
                0,
                false);
        return host.admin().read(entry, ReservationNotification.SIZE).expectSuccess().bytes();
    }

    @Test
    void hostsThatWerePreemptedAreToldUnlessTheyDoNotWantIt() throws IOException {
        try (TestHost preempting = target.host();
                TestHost listening = target.host();
                TestHost deaf = target.host()) {
            ByteBuffer mask = TestQueue.entry();
            FeaturesCommand.encodeSet(
                    mask,
                    0,
                    deaf.admin().nextId(),
                    -1,
                    FeatureId.RESERVATION_NOTIFICATIONS,
                    1 << ReservationNotification.TYPE_REGISTRATION_PREEMPTED);
            deaf.admin().plain(mask).expectSuccess();
            register(preempting, 11);
            register(listening, 22);
            register(deaf, 22);
            int request = requestEvent(listening);
            preempt(preempting, 11, 22);
            Completion told = listening.admin().completion().expectSuccess();
            assertThat(told.commandId()).isEqualTo(request);
            assertThat(AsyncEvent.type((int) told.result()))
                    .isEqualTo(AsyncEvent.TYPE_IO_COMMAND_SET);
            assertThat(AsyncEvent.logPage((int) told.result()))
                    .isEqualTo(LogPageCommand.RESERVATION_NOTIFICATION);
            ByteBuffer page = notification(listening);
            assertThat(ReservationNotification.type(page, 0))
                    .isEqualTo(ReservationNotification.TYPE_REGISTRATION_PREEMPTED);
            assertThat(ReservationNotification.namespaceId(page, 0)).isEqualTo(1);
            assertThat(ReservationNotification.count(page, 0)).isEqualTo(1);
            assertThat(ReservationNotification.available(page, 0)).isZero();
            assertThat(ReservationNotification.type(notification(listening), 0))
                    .isEqualTo(ReservationNotification.TYPE_EMPTY);
            for (TestHost other : List.of(deaf, preempting)) {
                assertThat(ReservationNotification.count(notification(other), 0)).isZero();
            }
        }
    }
}
