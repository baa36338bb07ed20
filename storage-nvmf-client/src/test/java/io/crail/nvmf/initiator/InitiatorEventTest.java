// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.nvmf.initiator.error.NvmeNamespaceChangedException;
import io.crail.nvmf.initiator.fake.FakeCommand;
import io.crail.nvmf.initiator.fake.FakeConnection;
import io.crail.nvmf.initiator.fake.FakeTarget;
import io.crail.nvmf.wire.command.AdminOpcode;
import io.crail.nvmf.wire.command.AsyncEvent;
import io.crail.nvmf.wire.command.FeatureId;
import io.crail.nvmf.wire.command.FeaturesCommand;
import io.crail.nvmf.wire.command.LogPageCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Controllers that tell of events. */
class InitiatorEventTest extends InitiatorHarness {
    private record Held(FakeConnection connection, FakeCommand request) {
        void answer(int type, int information, int logPage) throws IOException {
            connection.respond(request.id(), AsyncEvent.of(type, information, logPage), 0);
        }
    }

    private final Queue<Held> held = new ConcurrentLinkedQueue<>();
    private final Queue<Integer> pages = new ConcurrentLinkedQueue<>();
    private final AtomicInteger configured = new AtomicInteger();

    private FakeTarget telling() throws Exception {
        FakeTarget target = newTarget();
        target.asyncEvents = AsyncEvent.CONFIGURE_NAMESPACE;
        target.interceptor =
                (connection, command) -> {
                    if (command.isAdmin(AdminOpcode.ASYNC_EVENT_REQUEST)) {
                        held.add(new Held(connection, command));
                        return true;
                    }
                    if (command.isAdmin(AdminOpcode.GET_LOG_PAGE)) {
                        pages.add(LogPageCommand.page(command.entry(), 0));
                        assertThat(LogPageCommand.isEventRetained(command.entry(), 0)).isFalse();
                        connection.sendAll(command, new byte[command.length()]);
                        return true;
                    }
                    if (command.isAdmin(AdminOpcode.SET_FEATURES)
                            && FeaturesCommand.feature(command.entry(), 0)
                                    == FeatureId.ASYNC_EVENTS) {
                        configured.set(FeaturesCommand.value(command.entry(), 0));
                    }
                    return false;
                };
        return target;
    }

    private Held nextRequest() {
        Awaitility.await().until(() -> !held.isEmpty());
        return held.remove();
    }

    @Test
    void theLogPageOfAnEventIsReadAndTheNextAskedFor() throws Exception {
        FakeTarget target = telling();
        NvmeController controller = connect(target, config());
        Held first = nextRequest();
        assertThat(configured).hasValue(AsyncEvent.CONFIGURE_NAMESPACE);
        first.answer(
                AsyncEvent.TYPE_ERROR,
                AsyncEvent.TRANSIENT_INTERNAL_ERROR,
                LogPageCommand.ERROR_INFORMATION);
        Held second = nextRequest();
        assertThat(pages).containsExactly(LogPageCommand.ERROR_INFORMATION);
        second.answer(AsyncEvent.TYPE_SMART, 0, LogPageCommand.SMART);
        nextRequest();
        assertThat(pages).containsExactly(LogPageCommand.ERROR_INFORMATION, LogPageCommand.SMART);
        assertThat(controller.state()).isEqualTo(NvmeController.State.LIVE);
    }

    @Test
    void aRequestMayStayUnansweredForEver() throws Exception {
        FakeTarget target = telling();
        NvmeController controller = connect(target, config());
        Held request = nextRequest();
        clock.jump(Duration.ofDays(2));
        controller.namespace(1).read(0, guarded(512)).await();
        request.answer(AsyncEvent.TYPE_SMART, 0, LogPageCommand.SMART);
        nextRequest();
        assertThat(target.connections).as("no reset").hasValue(2);
    }

    @Test
    void aNamespaceThatChangedEndsItsUse() throws Exception {
        FakeTarget target = telling();
        NvmeController controller = connect(target, config());
        NvmeNamespace namespace = controller.namespace(1);
        Held request = nextRequest();
        request.answer(
                AsyncEvent.TYPE_NOTICE,
                AsyncEvent.NAMESPACE_CHANGED,
                LogPageCommand.CHANGED_NAMESPACES);
        request = nextRequest();
        assertThat(controller.state()).as("nothing changed").isEqualTo(NvmeController.State.LIVE);
        target.blockShift = 12;
        request.answer(
                AsyncEvent.TYPE_NOTICE,
                AsyncEvent.NAMESPACE_CHANGED,
                LogPageCommand.CHANGED_NAMESPACES);
        Awaitility.await().until(() -> controller.state() == NvmeController.State.LOST);
        assertThat(failureOf(namespace.read(0, guarded(512))))
                .hasCauseInstanceOf(NvmeNamespaceChangedException.class);
    }

    @Test
    void whoRefusesTheRequestIsNotAskedAgain() throws Exception {
        FakeTarget target = newTarget(); // refuses it
        AtomicInteger requests = new AtomicInteger();
        target.interceptor =
                (connection, command) -> {
                    if (command.isAdmin(AdminOpcode.ASYNC_EVENT_REQUEST)) {
                        requests.incrementAndGet();
                    }
                    return false;
                };
        NvmeController controller = connect(target, config());
        controller.namespace(1).read(0, guarded(512)).await();
        assertThat(requests).hasValue(1);
    }
}
