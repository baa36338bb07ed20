// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Which reservations a client relies on. */
class EpochWatchTest {
    private static final int SALT = 9;
    private static final long KEY = HostKey.ofClient(0, SALT);

    private final ManualReservations reservations = new ManualReservations();
    private final EpochWatch watch =
            new EpochWatch(
                    reservations.namespace(),
                    new ExternalTiming(Duration.ofSeconds(1)),
                    () -> 0,
                    SALT);

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
