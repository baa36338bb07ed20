// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.fabric.FabricCommand;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.FabricReservations;
import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.EntryWords;
import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.NamespaceInfo;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.wire.reservation.ReservationType;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which reservations a client relies on. */
class EpochWatchTest {
    private static final int SALT = 9;
    private static final long KEY = HostKey.ofClient(0, SALT);

    private final Reservations reservations = new Reservations();
    private final EpochWatch watch =
            new EpochWatch(
                    new Namespace(reservations),
                    new ExternalTiming(Duration.ofSeconds(1)),
                    () -> 0,
                    SALT);

    /** Nobody has the key that is preempted to find out. */
    private static final class Reservations implements FabricReservations {
        final List<Long> registered = new ArrayList<>();
        @Nullable StatusCode refusal = StatusCode.RESERVATION_CONFLICT;

        @Override
        public boolean supports(ReservationType type) {
            return type == ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY;
        }

        @Override
        public void register(long key) {
            registered.add(key);
        }

        @Override
        public void replaceKey(long key) {
            throw new AssertionError("nothing was acknowledged");
        }

        @Override
        public void acquire(ReservationType type, long key) {
            throw new AssertionError("a client holds nothing");
        }

        @Override
        public void preemptAndAbort(ReservationType type, long key, long victim)
                throws NvmeStatusException {
            assertThat(registered).contains(key);
            assertThat(victim).isEqualTo(HostKey.NOBODY);
            StatusCode code = refusal;
            if (code != null) {
                throw new NvmeStatusException(
                        "Reservation Acquire", code.status(), StatusCode.Scope.NVM);
            }
        }

        @Override
        public void unregister(long key) {
            assertThat(registered.remove(key)).isTrue();
        }

        @Override
        public ReservationStatus report() {
            throw new AssertionError("nobody asked");
        }
    }

    private record Namespace(FabricReservations found) implements FabricNamespace {
        @Override
        public NamespaceInfo info() {
            throw new AssertionError("nobody asked");
        }

        @Override
        public FabricCommand command(
                int opcode,
                long firstBlock,
                ByteBuffer data,
                EntryWords words,
                IoCompletion completion) {
            throw new AssertionError("nothing is read");
        }

        @Override
        public void flush(IoCompletion completion) {
            throw new AssertionError("nothing is written");
        }

        @Override
        public boolean canDeallocate() {
            return false;
        }

        @Override
        public void deallocate(List<BlockRange> ranges, IoCompletion completion) {
            throw new AssertionError("nothing is freed");
        }

        @Override
        public Optional<FabricReservations> reservations() {
            return Optional.of(found);
        }
    }

    @Test
    void reservationsThatEndCommandsAreReliedOn() throws IOException {
        assertThat(watch.register()).contains(reservations);
        assertThat(reservations.registered).containsExactly(KEY);
        assertThat(watch.key()).isEqualTo(KEY);
    }

    @Test
    void aTargetThatPreemptsNobodyWithoutAnErrorEndsCommandsToo() throws IOException {
        reservations.refusal = null;
        assertThat(watch.register()).contains(reservations);
    }

    @Test
    void reservationsThatEndNobodysCommandsAreNone() throws IOException {
        reservations.refusal = StatusCode.INVALID_FIELD;
        assertThat(watch.register()).isEmpty();
        assertThat(reservations.registered).isEmpty();
        assertThat(watch.key()).as("what is left behind is fenced by time").isZero();
        watch.acknowledge(5);
        watch.unregister();
    }

    @Test
    void aTargetInTroubleIsNotTakenForOneWithoutReservations() {
        reservations.refusal = StatusCode.INTERNAL_ERROR;
        assertThatThrownBy(watch::register).isInstanceOf(NvmeStatusException.class);
    }

    @Test
    void noHostHasTheKeyOfNobody() {
        assertThat(HostKey.isServer(HostKey.NOBODY)).isFalse();
        assertThat(HostKey.NOBODY).isNotZero();
        assertThat((int) HostKey.NOBODY).as("what no salt is").isZero();
    }
}
