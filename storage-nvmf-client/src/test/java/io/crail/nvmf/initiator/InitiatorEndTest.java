// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.fake.FakeCommand;
import io.crail.nvmf.initiator.fake.FakeTarget;
import io.crail.nvmf.initiator.queue.CommandQueue;
import io.crail.nvmf.initiator.queue.QueueFactory;
import io.crail.nvmf.initiator.queue.QueueOwner;
import io.crail.nvmf.initiator.queue.QueueSettings;
import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.FabricsCommand;
import io.crail.nvmf.wire.command.PropertyCommand;
import io.crail.nvmf.wire.property.Property;
import io.crail.nvmf.wire.status.StatusCode;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Controllers that are closed, and controllers that were given up and are asked again. */
class InitiatorEndTest extends InitiatorHarness {
    @Test
    void aControllerThatIsClosedIsShutDownFirst() throws Exception {
        FakeTarget target = newTarget();
        AtomicInteger looks = new AtomicInteger();
        NvmeController controller = connect(target, config().withShutdownTimeout(MINUTE));
        controller.namespace(1).read(0, guarded(512)).await();
        target.interceptor =
                (connection, command) -> {
                    if (isCsts(command)) {
                        looks.incrementAndGet();
                    }
                    return false;
                };
        controller.close();
        assertThat(target.shutdowns).hasValue(1);
        assertThat(looks).as("until the shutdown is complete").hasValue(3);
    }

    private static boolean isCsts(FakeCommand command) {
        return command.opcode() == AdminOpcode.FABRICS
                && FabricsCommand.type(command.entry(), 0) == FabricsCommand.PROPERTY_GET
                && PropertyCommand.offset(command.entry(), 0) == Property.CSTS.offset();
    }

    @Test
    void aTargetThatDoesNotAnswerHoldsNoCloseUp() throws Exception {
        FakeTarget target = newTarget();
        NvmeController controller =
                connect(target, config().withShutdownTimeout(Duration.ofMillis(50)));
        AtomicInteger ignored = new AtomicInteger();
        target.interceptor =
                (connection, command) -> {
                    if (command.isFabrics(FabricsCommand.PROPERTY_SET)) {
                        ignored.incrementAndGet();
                    }
                    return true;
                };
        controller.close(); // returns, though nothing answers
        Awaitility.await().untilAsserted(() -> assertThat(ignored).hasValue(1));
        assertThat(target.shutdowns).hasValue(0);
    }

    @Test
    void aRefusalForGoodIsToldToEachCallAndLaterCallsWorkAgain() throws Exception {
        FakeTarget target = newTarget();
        NvmeController controller = connect(target, config());
        NvmeNamespace namespace = controller.namespace(1);
        target.connectStatus = StatusCode.CONNECT_INVALID_PARAMETERS.doNotRetry();
        target.cutAll();
        Awaitility.await().until(() -> controller.state() == NvmeController.State.LOST);
        int before = target.connections.get();
        for (int call = 0; call < 3; call++) {
            assertThat(failureOf(namespace.read(0, guarded(512))))
                    .isInstanceOf(NvmeConnectException.class)
                    .hasMessageContaining("did not come back");
        }
        assertThat(target.connections).as("no attempt within the pause").hasValue(before);
        clock.jump(Duration.ofSeconds(31)); // longer than any pause
        assertThat(failureOf(namespace.read(0, guarded(512))))
                .as("the outcome of one more attempt")
                .isInstanceOf(NvmeConnectException.class)
                .hasMessageContaining("do not retry");
        assertThat(target.connections).hasValue(before + 1);
        target.connectStatus = 0;
        clock.jump(Duration.ofSeconds(31));
        namespace.read(0, guarded(512)).await();
        assertThat(controller.state()).isEqualTo(NvmeController.State.LIVE);
    }

    @Test
    void aControllerWhoseOwnerReconnectsStaysLost() throws Exception {
        FakeTarget target = newTarget();
        NvmeController controller =
                connect(
                        target,
                        config().withConnectTimeouts(MINUTE, Duration.ZERO, Duration.ofMillis(1)));
        NvmeNamespace namespace = controller.namespace(1);
        target.cutAll();
        Awaitility.await().until(() -> controller.state() == NvmeController.State.LOST);
        int before = target.connections.get();
        clock.jump(HOUR);
        assertThat(failureOf(namespace.read(0, guarded(512)))).isNotNull();
        assertThat(target.connections).hasValue(before);
    }

    /** A Connect after the end would end what the same host has set up since. */
    @Test
    void aSetUpThatIsClosedMeanwhileConnectsNothingMore() throws Exception {
        for (int closedBefore = 0; closedBefore < 2; closedBefore++) {
            FakeTarget target = newTarget();
            EndingQueues queues = new EndingQueues(closedBefore);
            try (Engine engine =
                    new Engine("test", System::nanoTime, SelectorProvider.provider())) {
                Association association =
                        new Association(engine, queues, config(), (ended, cause) -> {});
                queues.association = association;
                assertThatThrownBy(
                                () ->
                                        new AssociationSetup(
                                                        association,
                                                        target.address(),
                                                        AssociationSetup.Kind.BY_ADDRESS)
                                                .run())
                        .isInstanceOf(NvmeClosedException.class)
                        .hasMessageContaining("was closed while it was set up");
                association.close(new NvmeClosedException("over"));
                assertThat(target.connections).hasValue(closedBefore);
            }
        }
    }

    /** Queues over TCP of a life that ends just before one of them is added. */
    private static final class EndingQueues implements QueueFactory {
        private final int last;
        private volatile @Nullable Association association;

        EndingQueues(int last) {
            this.last = last;
        }

        @Override
        public int maxTransferBytes() {
            return TCP.maxTransferBytes();
        }

        @Override
        public CommandQueue newQueue(
                Engine engine, QueueSettings settings, int id, QueueOwner owner) {
            if (id == last) {
                Objects.requireNonNull(association)
                        .close(new NvmeClosedException("closed in a test"));
            }
            return TCP.newQueue(engine, settings, id, owner);
        }

        @Override
        public void close() {}
    }

    /** What holds a caller's buffer is cut off by whoever polls, also while it polls for long. */
    @Test
    void aShortTaskIsRunByWhoeverPolls() throws Exception {
        try (Engine engine = new Engine("test", System::nanoTime, SelectorProvider.provider())) {
            CountDownLatch polling = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            engine.execute(
                    () -> {
                        polling.countDown();
                        try {
                            assertThat(go.await(60, TimeUnit.SECONDS)).isTrue();
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        }
                    });
            assertThat(polling.await(60, TimeUnit.SECONDS)).isTrue();
            AtomicBoolean ran = new AtomicBoolean();
            Thread asker = new Thread(() -> engine.executeNow(() -> ran.set(true)));
            asker.start();
            assertThat(ran).isFalse();
            go.countDown();
            asker.join(60_000);
            assertThat(ran).isTrue();
        }
    }
}
