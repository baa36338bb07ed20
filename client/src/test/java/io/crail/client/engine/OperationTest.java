// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CancelledException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whose bytes are moved, and until when. */
@Timeout(60)
class OperationTest {
    private static final long LONG = TimeUnit.SECONDS.toNanos(30);

    private Engine engine;
    private Operation operation;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    OperationTest() {}

    @BeforeEach
    void start() throws IOException {
        engine =
                new Engine(
                        new EngineSettings(
                                "operation-test",
                                4 << 20,
                                LONG,
                                SocketChannel::open,
                                System::nanoTime));
        operation = engine.newOperation(engine.newStrand(), "test", LONG);
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    void movesUntilItIsCalledOff() {
        AtomicBoolean moved = new AtomicBoolean();
        assertThat(operation.moveUnlessCancelled(() -> !moved.getAndSet(true))).isTrue();
        assertThat(operation.moveUnlessCancelled(() -> !moved.getAndSet(true))).isFalse();
        operation.cancel(new CancelledException("enough"));
        moved.set(false);
        assertThat(operation.moveUnlessCancelled(() -> !moved.getAndSet(true))).isFalse();
        assertThat(moved).as("nothing was touched").isFalse();
    }

    @Test
    void whoCallsItOffWaitsForTheMoveThatIsUnderWay() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean moved = new AtomicBoolean();
        CompletableFuture<Boolean> mover =
                CompletableFuture.supplyAsync(
                        () ->
                                operation.moveUnlessCancelled(
                                        () -> {
                                            begun.countDown();
                                            boolean ended = awaited(end);
                                            moved.set(true);
                                            return ended;
                                        }));
        begun.await();
        AtomicReference<Boolean> movedBefore = new AtomicReference<>();
        Thread canceller =
                new Thread(
                        () -> {
                            operation.cancel(new CancelledException("enough"));
                            movedBefore.set(moved.get());
                        });
        canceller.start();
        Awaitility.await().until(() -> canceller.getState() == Thread.State.BLOCKED);
        end.countDown();
        canceller.join();
        assertThat(movedBefore.get()).isTrue();
        assertThat(mover.join()).isTrue();
        assertThat(operation.cancelled()).isInstanceOf(CancelledException.class);
    }

    @Test
    void whoCallsItOffSecondWaitsUntilThePartsAreCalledOff() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean calledOff = new AtomicBoolean();
        operation.add(
                cause -> {
                    begun.countDown();
                    calledOff.set(awaited(end));
                });
        Thread first = new Thread(() -> operation.cancel(new CancelledException("first")));
        first.start();
        begun.await();
        AtomicReference<Boolean> calledOffBefore = new AtomicReference<>();
        Thread second =
                new Thread(
                        () -> {
                            operation.cancel(new CancelledException("second"));
                            calledOffBefore.set(calledOff.get());
                        });
        second.start();
        Awaitility.await()
                .until(() -> second.getState() == Thread.State.TIMED_WAITING || !second.isAlive());
        end.countDown();
        first.join();
        second.join();
        assertThat(calledOffBefore.get()).as("no part goes on for the second one").isTrue();
        assertThat(operation.cancelled()).hasMessage("first");
    }

    @Test
    void aDeadlineThatPassesWaitsForNobody() throws InterruptedException {
        Operation late = engine.newOperation(engine.newStrand(), "late", 0);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        late.add(
                cause -> {
                    begun.countDown();
                    assertThat(awaited(end)).isTrue();
                });
        Thread first = new Thread(() -> late.cancel(new CancelledException("first")));
        first.start();
        begun.await();
        assertThat(late.expire()).isTrue();
        assertThat(first.isAlive()).isTrue();
        end.countDown();
        first.join();
        assertThat(late.cancelled()).hasMessage("first");
    }

    @Test
    void aPartMayCallItsOperationOffAgain() {
        AtomicBoolean returned = new AtomicBoolean();
        operation.add(
                cause -> {
                    operation.cancel(cause);
                    returned.set(true);
                });
        operation.cancel(new CancelledException("enough"));
        assertThat(returned).isTrue();
    }

    private static boolean awaited(CountDownLatch latch) {
        try {
            return latch.await(30, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
