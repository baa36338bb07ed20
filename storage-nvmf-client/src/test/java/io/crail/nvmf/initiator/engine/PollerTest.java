// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PollerTest {
    private final AtomicInteger runs = new AtomicInteger();
    private final Poller poller;

    PollerTest() throws IOException {
        poller = new Poller(System::nanoTime, SelectorProvider.provider());
    }

    @BeforeEach
    void become() {
        assertThat(poller.tryBecome()).isTrue();
    }

    @AfterEach
    void close() {
        poller.leave();
        poller.close();
    }

    private void again() {
        if (runs.incrementAndGet() < 3) {
            poller.execute(this::again);
        }
    }

    @Test
    void whatATaskLeavesBehindComesAfterWhatHasEndedIsHandedOut() {
        poller.execute(this::again);
        poller.round(() -> false, 0);
        assertThat(runs).hasValue(1);
        poller.round(() -> false, 0);
        poller.round(() -> false, 0);
        assertThat(runs).hasValue(3);
    }

    @Test
    void allThatWereThereAreRunInOneRound() {
        poller.execute(runs::incrementAndGet);
        poller.execute(runs::incrementAndGet);
        poller.round(() -> false, 0);
        assertThat(runs).hasValue(2);
    }

    @Test
    void nothingIsLeftAtTheEnd() {
        poller.execute(this::again);
        poller.runLate();
        assertThat(runs).hasValue(3);
    }
}
