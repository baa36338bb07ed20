// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.error.InternalException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.path.ExternalAccess.Leftover;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When a connection to a target that knows no blocks may be written by. */
class ExternalAccessTest {
    private static final Duration KEPT = Duration.ofSeconds(1);
    private static final ExternalTiming TIMING = new ExternalTiming(KEPT);
    private static final long FORMER = HostKey.ofClient(3, 8);
    private static final Leftover LEFTOVER = new Leftover(FORMER, TIMING.association().toNanos());

    private final ManualReservations reservations = new ManualReservations();
    private long now;

    private ExternalAccess open(Duration kept, @Nullable Leftover leftover) throws IOException {
        return ExternalAccess.open(
                "the server",
                reservations.namespace(),
                kept,
                new ManualUnits(),
                TIMING,
                () -> now,
                leftover);
    }

    @Test
    void whatAnEarlierConnectionLeftIsPreempted() throws IOException {
        reservations.register(FORMER);
        open(KEPT, LEFTOVER);
        assertThat(reservations.registered)
                .singleElement()
                .matches(key -> HostKey.epoch(key) == ManualReservations.EPOCH);
    }

    @Test
    void whatIsStillRegisteredIsWaitedForWhateverTheTargetSaid() throws IOException {
        reservations.register(FORMER);
        reservations.preempts = false;
        assertThatThrownBy(() -> open(KEPT, LEFTOVER))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining("waiting another 3000 ms");
        now = LEFTOVER.overAt();
        open(KEPT, LEFTOVER);
    }

    @Test
    void withoutReservationsThatFenceNorAKeepAliveTimerNothingIsWritten() throws IOException {
        reservations.refusal = StatusCode.INVALID_FIELD;
        assertThatThrownBy(() -> open(Duration.ZERO, null))
                .isInstanceOf(InternalException.class)
                .hasMessageContaining("keep-alive timer");
        open(KEPT, null);
        reservations.refusal = StatusCode.RESERVATION_CONFLICT;
        open(Duration.ZERO, null);
    }
}
