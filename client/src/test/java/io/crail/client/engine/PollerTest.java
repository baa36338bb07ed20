// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.client.spi.IoContext.ReadyHandler;
import io.crail.protocol.polling.SpinPolicy;
import java.io.IOException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.spi.SelectorProvider;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When the poller looks for messages and when it sleeps, by a clock of its own. */
class PollerTest {
    /** A yield that took so long gave the core to somebody. */
    private static final long TAKEN = 5_000;

    private static final long AT_ONCE = 200;
    private static final long SLEEP = TimeUnit.MILLISECONDS.toNanos(1);

    private final Pipe pipe;

    private long now;

    /** What passes between two questions for the time. */
    private long step;

    private int looks;
    private int found;

    PollerTest() throws IOException {
        pipe = Pipe.open();
    }

    @BeforeEach
    void prepare() throws IOException {
        pipe.source().configureBlocking(false);
    }

    @AfterEach
    void close() throws IOException {
        pipe.source().close();
        pipe.sink().close();
    }

    private Poller poller(boolean busyPoll) throws IOException {
        Poller poller = new Poller(() -> now += step, SelectorProvider.provider(), busyPoll);
        poller.register(
                pipe.source(),
                SelectionKey.OP_READ,
                new ReadyHandler() {
                    @Override
                    public void ready(int operations) {}

                    @Override
                    public int look() {
                        looks++;
                        return found;
                    }
                });
        assertThat(poller.tryBecome()).isTrue();
        return poller;
    }

    /** How often a round looks while each yield takes so long. */
    private int looksOfARound(Poller poller, int finds, long yieldNanos) {
        found = finds;
        step = yieldNanos;
        looks = 0;
        poller.round(() -> false, SLEEP);
        return looks;
    }

    @Test
    void looksForOneBudgetWhilePeersMayBeOnAnyCore() throws IOException {
        Poller poller = poller(true);
        for (int i = 0; i < 10; i++) {
            assertThat(looksOfARound(poller, 1, AT_ONCE)).isOne();
        }

        assertThat(looksOfARound(poller, 0, AT_ONCE))
                .isGreaterThan((int) (SpinPolicy.BUDGET_NANOS / AT_ONCE / 3));
        poller.leave();
        poller.close();
    }

    @Test
    void sleepsAfterAYieldInVainWhenThePeerSharesTheCore() throws IOException {
        Poller poller = poller(true);
        for (int i = 0; i < 10; i++) {
            assertThat(looksOfARound(poller, 1, TAKEN)).isOne();
        }

        assertThat(looksOfARound(poller, 0, AT_ONCE)).isOne();
        poller.leave();
        poller.close();
    }

    @Test
    void sleepsAtOnceIfItIsNotToLook() throws IOException {
        Poller poller = poller(false);

        assertThat(looksOfARound(poller, 1, AT_ONCE)).isZero();
        poller.leave();
        poller.close();
    }
}
