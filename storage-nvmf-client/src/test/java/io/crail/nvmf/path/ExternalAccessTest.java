// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.path.ExternalAccess.Leftover;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** When a connection to a target that knows no blocks may be written by. */
class ExternalAccessTest {
    private static final ExternalTiming TIMING = new ExternalTiming(Duration.ofSeconds(1));
    private static final long FORMER = HostKey.ofClient(3, 8);
    private static final Leftover LEFTOVER = new Leftover(FORMER, TIMING.association().toNanos());

    private final ManualReservations reservations = new ManualReservations();
    private long now;

    private ExternalAccess open(Leftover leftover) throws IOException {
        return ExternalAccess.open(
                "the server",
                reservations.namespace(),
                new ManualUnits(),
                TIMING,
                () -> now,
                leftover);
    }

    @Test
    void whatAnEarlierConnectionLeftIsPreempted() throws IOException {
        reservations.register(FORMER);
        open(LEFTOVER);
        assertThat(reservations.registered)
                .singleElement()
                .matches(key -> HostKey.epoch(key) == ManualReservations.EPOCH);
    }

    @Test
    void whatIsStillRegisteredIsWaitedForWhateverTheTargetSaid() throws IOException {
        reservations.register(FORMER);
        reservations.preempts = false;
        assertThatThrownBy(() -> open(LEFTOVER))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining("waiting another 3000 ms");
        now = LEFTOVER.overAt();
        open(LEFTOVER);
    }
}
