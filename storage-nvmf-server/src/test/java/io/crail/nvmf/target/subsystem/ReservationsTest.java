// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.subsystem;

import static io.crail.nvmf.wire.log.ReservationNotification.TYPE_REGISTRATION_PREEMPTED;
import static io.crail.nvmf.wire.log.ReservationNotification.TYPE_RESERVATION_PREEMPTED;
import static io.crail.nvmf.wire.log.ReservationNotification.TYPE_RESERVATION_RELEASED;
import static io.crail.nvmf.wire.reservation.ReservationCommand.ACQUIRE;
import static io.crail.nvmf.wire.reservation.ReservationCommand.CLEAR;
import static io.crail.nvmf.wire.reservation.ReservationCommand.PREEMPT;
import static io.crail.nvmf.wire.reservation.ReservationCommand.REGISTER;
import static io.crail.nvmf.wire.reservation.ReservationCommand.RELEASE;
import static io.crail.nvmf.wire.reservation.ReservationCommand.REPLACE;
import static io.crail.nvmf.wire.reservation.ReservationCommand.UNREGISTER;
import static io.crail.nvmf.wire.reservation.ReservationType.EXCLUSIVE_ACCESS;
import static io.crail.nvmf.wire.reservation.ReservationType.EXCLUSIVE_ACCESS_ALL_REGISTRANTS;
import static io.crail.nvmf.wire.reservation.ReservationType.WRITE_EXCLUSIVE;
import static io.crail.nvmf.wire.reservation.ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY;
import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.wire.reservation.ReservationReport;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReservationsTest {
    private static final int CONFLICT = StatusCode.RESERVATION_CONFLICT.doNotRetry();
    private static final int INVALID = StatusCode.INVALID_FIELD.doNotRetry();

    private final Reservations reservations = new Reservations();
    private final UUID one = new UUID(0, 1);
    private final UUID two = new UUID(0, 2);
    private final UUID stranger = new UUID(0, 3);

    private int register(UUID host, long key) {
        return reservations.register(host, 1, REGISTER, false, 0, 0, key);
    }

    private int acquire(UUID host, ReservationType type, long key) {
        return reservations.acquire(host, ACQUIRE, type, key, 0).status();
    }

    @Test
    void withoutReservationEverybodyMayDoEverything() {
        assertThat(reservations.mayRead(stranger)).isTrue();
        assertThat(reservations.mayWrite(stranger)).isTrue();
        register(one, 11);
        assertThat(reservations.mayWrite(stranger)).isTrue();
    }

    @Test
    void onlyRegistrantsWithTheirKeyAcquire() {
        assertThat(acquire(one, EXCLUSIVE_ACCESS, 11)).isEqualTo(CONFLICT);
        register(one, 11);
        assertThat(acquire(one, EXCLUSIVE_ACCESS, 12)).isEqualTo(CONFLICT);
        assertThat(acquire(one, EXCLUSIVE_ACCESS, 11)).isEqualTo(Status.SUCCESS);
        assertThat(acquire(one, EXCLUSIVE_ACCESS, 11)).as("again").isEqualTo(Status.SUCCESS);
        assertThat(acquire(one, WRITE_EXCLUSIVE, 11)).as("another type").isEqualTo(CONFLICT);
        register(two, 22);
        assertThat(acquire(two, EXCLUSIVE_ACCESS, 22)).isEqualTo(CONFLICT);
    }

    @Test
    void typesKeepOutWhomTheySay() {
        register(one, 11);
        register(two, 22);
        acquire(one, EXCLUSIVE_ACCESS, 11);
        assertThat(reservations.mayRead(one) && reservations.mayWrite(one)).isTrue();
        assertThat(reservations.mayRead(two) || reservations.mayWrite(two)).isFalse();
        reservations.release(one, RELEASE, false, EXCLUSIVE_ACCESS.code(), 11);

        acquire(one, WRITE_EXCLUSIVE_REGISTRANTS_ONLY, 11);
        assertThat(reservations.mayWrite(two)).isTrue();
        assertThat(reservations.mayRead(stranger)).isTrue();
        assertThat(reservations.mayWrite(stranger)).isFalse();
    }

    @Test
    void preemptingTheHolderTakesItsPlaceAndItsRegistration() {
        register(one, 11);
        register(two, 22);
        acquire(one, WRITE_EXCLUSIVE_REGISTRANTS_ONLY, 11);

        Reservations.Outcome outcome = reservations.acquire(two, PREEMPT, EXCLUSIVE_ACCESS, 22, 11);

        assertThat(outcome.status()).isEqualTo(Status.SUCCESS);
        assertThat(outcome.preempted()).isEqualTo(Set.of(one));
        assertThat(reservations.mayRead(one)).isFalse();
        assertThat(reservations.mayWrite(two)).isTrue();
        assertThat(acquire(one, EXCLUSIVE_ACCESS, 11)).as("no registrant").isEqualTo(CONFLICT);
    }

    @Test
    void preemptingAnotherRegistrantLeavesTheReservation() {
        register(one, 11);
        register(two, 22);
        acquire(one, WRITE_EXCLUSIVE_REGISTRANTS_ONLY, 11);
        assertThat(reservations.acquire(one, PREEMPT, WRITE_EXCLUSIVE, 11, 22).preempted())
                .isEqualTo(Set.of(two));
        assertThat(reservations.mayWrite(two)).isFalse();
        assertThat(reservations.mayWrite(one)).isTrue();
        assertThat(reservations.acquire(one, PREEMPT, WRITE_EXCLUSIVE, 11, 99).status())
                .as("nobody has that key")
                .isEqualTo(CONFLICT);
        assertThat(reservations.acquire(one, PREEMPT, WRITE_EXCLUSIVE, 11, 0).status())
                .isEqualTo(INVALID);
    }

    @Test
    void whatAllRegistrantsHoldIsPreemptedWithKeyZero() {
        register(one, 11);
        register(two, 22);
        acquire(one, EXCLUSIVE_ACCESS_ALL_REGISTRANTS, 11);
        assertThat(reservations.mayWrite(two)).isTrue();
        assertThat(
                        reservations
                                .acquire(two, PREEMPT, EXCLUSIVE_ACCESS_ALL_REGISTRANTS, 22, 0)
                                .preempted())
                .isEqualTo(Set.of(one));
        assertThat(reservations.mayWrite(one)).isFalse();
        assertThat(reservations.mayWrite(two)).isTrue();
    }

    @Test
    void releaseNeedsTheTypeAndLeavesTheRegistration() {
        register(one, 11);
        register(two, 22);
        acquire(one, EXCLUSIVE_ACCESS, 11);
        assertThat(reservations.release(one, RELEASE, false, WRITE_EXCLUSIVE.code(), 11))
                .isEqualTo(INVALID);
        assertThat(reservations.release(two, RELEASE, false, EXCLUSIVE_ACCESS.code(), 22))
                .as("not the holder: nothing to release")
                .isEqualTo(Status.SUCCESS);
        assertThat(reservations.mayRead(two)).isFalse();
        assertThat(reservations.release(one, RELEASE, false, EXCLUSIVE_ACCESS.code(), 11))
                .isEqualTo(Status.SUCCESS);
        assertThat(reservations.mayRead(stranger)).isTrue();
        assertThat(acquire(one, EXCLUSIVE_ACCESS, 11)).isEqualTo(Status.SUCCESS);
    }

    @Test
    void clearRemovesEverything() {
        register(one, 11);
        register(two, 22);
        acquire(one, EXCLUSIVE_ACCESS, 11);
        assertThat(reservations.release(two, CLEAR, false, 0, 22)).isEqualTo(Status.SUCCESS);
        assertThat(reservations.mayRead(stranger)).isTrue();
        assertThat(acquire(one, EXCLUSIVE_ACCESS, 11)).isEqualTo(CONFLICT);
    }

    @Test
    void aHolderThatUnregistersReleases() {
        register(one, 11);
        acquire(one, EXCLUSIVE_ACCESS, 11);
        assertThat(reservations.register(one, 1, UNREGISTER, false, 0, 12, 0)).isEqualTo(CONFLICT);
        assertThat(reservations.register(one, 1, UNREGISTER, false, 0, 11, 0))
                .isEqualTo(Status.SUCCESS);
        assertThat(reservations.mayWrite(stranger)).isTrue();
    }

    @Test
    void keysAreReplacedAndRegisteringTwiceNeedsTheSameKey() {
        assertThat(register(one, 11)).isEqualTo(Status.SUCCESS);
        assertThat(register(one, 11)).isEqualTo(Status.SUCCESS);
        assertThat(register(one, 12)).isEqualTo(CONFLICT);
        assertThat(reservations.register(one, 1, REPLACE, true, 0, 0, 13))
                .isEqualTo(Status.SUCCESS);
        assertThat(acquire(one, EXCLUSIVE_ACCESS, 13)).isEqualTo(Status.SUCCESS);
    }

    @Test
    void refusesToPersist() {
        assertThat(reservations.register(one, 1, REGISTER, false, 3, 0, 11)).isEqualTo(INVALID);
        assertThat(reservations.register(one, 1, REGISTER, false, 2, 0, 11))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void reportsRegistrantsAndWhoHolds() {
        register(one, 11);
        register(two, 22);
        acquire(two, WRITE_EXCLUSIVE, 22);
        ByteBuffer report = ByteBuffer.allocate(reservations.reportSize());
        reservations.report(report, 0);
        assertThat(ReservationReport.registrants(report, 0)).isEqualTo(2);
        assertThat(ReservationReport.typeCode(report, 0)).isEqualTo(WRITE_EXCLUSIVE.code());
        int second = ReservationReport.size(1);
        assertThat(ReservationReport.hostId(report, second)).isEqualTo(two);
        assertThat(ReservationReport.key(report, second)).isEqualTo(22);
        assertThat(ReservationReport.holds(report, second)).isTrue();
        assertThat(ReservationReport.holds(report, ReservationReport.HEADER_SIZE)).isFalse();
    }

    @Test
    void registrantsAreLimited() {
        for (int host = 0; host < Reservations.MAX_REGISTRANTS; host++) {
            assertThat(register(new UUID(1, host), 5)).isEqualTo(Status.SUCCESS);
        }
        assertThat(Status.isSuccess(register(one, 5))).isFalse();
    }

    @Test
    void registrantsAreToldWhatOthersDidToThem() {
        List<String> told = new ArrayList<>();
        reservations.listener((type, hosts) -> hosts.forEach(host -> told.add(type + " " + host)));
        register(one, 11);
        register(two, 22);
        acquire(one, EXCLUSIVE_ACCESS, 11);
        reservations.release(one, RELEASE, false, EXCLUSIVE_ACCESS.code(), 11);
        assertThat(told).as("nobody shared it").isEmpty();

        acquire(one, WRITE_EXCLUSIVE_REGISTRANTS_ONLY, 11);
        reservations.release(one, RELEASE, false, WRITE_EXCLUSIVE_REGISTRANTS_ONLY.code(), 11);
        assertThat(told).containsExactly(TYPE_RESERVATION_RELEASED + " " + two);
        told.clear();

        reservations.acquire(one, PREEMPT, EXCLUSIVE_ACCESS, 11, 22);
        assertThat(told).containsExactly(TYPE_REGISTRATION_PREEMPTED + " " + two);
        told.clear();

        register(two, 22);
        reservations.release(two, CLEAR, false, 0, 22);
        assertThat(told).containsExactly(TYPE_RESERVATION_PREEMPTED + " " + one);
    }
}
