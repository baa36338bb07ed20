// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.testing.ReceivedFrame;
import io.crail.client.testing.SlowClock;
import io.crail.error.CrailException;
import io.crail.error.TimeoutException;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a session gives back that nobody holds any more, however the calls end. */
class SessionLeftoversTest extends ClientTestBase {
    @Test
    void whatALateAnswerBringsIsGivenBack() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        SlowClock clock = new SlowClock();
        try (CrailClient client = CrailClient.connect(cluster().config().clock(clock).build())) {
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) -> {
                                if (frame.type() == MessageType.CREATE) {
                                    release.await();
                                }
                                return false;
                            });
            CrailFuture<?> late =
                    client.withDeadline(Duration.ofSeconds(1))
                            .createFileAsync("/f", CreateOptions.DEFAULT);
            Awaitility.await().until(() -> cluster().namenode().received(MessageType.CREATE) == 1);
            clock.pass(Duration.ofSeconds(1));
            assertThatThrownBy(late::join).hasCauseInstanceOf(TimeoutException.class);
            release.countDown();
            Awaitility.await().until(() -> abandons() == 1);
            Awaitility.await().until(() -> !cluster().namenode().exists("/f"));
        }
    }

    private long abandons() throws CrailException {
        long count = 0;
        for (ReceivedFrame frame : cluster().namenode().received()) {
            if (frame.type() == MessageType.ABANDON) {
                assertThat(Abandon.Request.decode(frame.control()).deleteIfEmpty()).isTrue();
                count++;
            }
        }
        return count;
    }

    @Test
    void closedHandlesRideOnTheKeepAlive() throws IOException {
        cluster().namenode().keepAliveMillis(20);
        try (CrailClient client = cluster().connect()) {
            write(client, "/f", bytes(10, 1));
            client.open("/f").close();
            Awaitility.await()
                    .until(
                            () ->
                                    cluster().namenode().keepAlives().stream()
                                            .anyMatch(k -> k.closedHandles().length == 1));
        }
    }

    @Test
    void whatAKeepAliveGivesBackIsNotForgottenWhenItsAnswerDoesNotCome() throws Exception {
        SlowClock clock = new SlowClock();
        AtomicInteger unheard = new AtomicInteger();
        try (CrailClient client = CrailClient.connect(cluster().config().clock(clock).build())) {
            write(client, "/f", bytes(10, 1));
            cluster()
                    .namenode()
                    .script(
                            (connection, frame) ->
                                    frame.type() == MessageType.KEEP_ALIVE
                                            && frame.isMutation()
                                            && unheard.incrementAndGet() > 0);
            client.open("/f").close();
            long before = client.clientStatistics().timeouts();
            Awaitility.await()
                    .until(
                            () -> {
                                clock.pass(Duration.ofMillis(100));
                                return unheard.get() > 0
                                        && client.clientStatistics().timeouts() > before;
                            });
            cluster().namenode().script((connection, frame) -> false);
            cluster().namenode().dropConnections();
            client.ping();
            Awaitility.await()
                    .until(
                            () -> {
                                clock.pass(Duration.ofMillis(100));
                                return handlesClosed() == 1;
                            });
        }
        assertThat(handlesClosed()).as("once").isEqualTo(1);
    }

    private int handlesClosed() {
        return cluster().namenode().keepAlives().stream()
                .mapToInt(each -> each.closedHandles().length)
                .sum();
    }
}
