// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.queue.Command;
import io.crail.nvmf.initiator.queue.CommandQueue;
import io.crail.nvmf.initiator.queue.QueueFactory;
import io.crail.nvmf.initiator.queue.QueueOwner;
import io.crail.nvmf.wire.command.AbortCommand;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One life of a controller: the admin queue, the I/O queues, and what was learned by setting them
 * up. It ends as a whole: when one connection ends, all do, since what becomes of the commands of
 * one queue must not depend on another life's queues (NVMe Base 2.0, section 3.3.2.3).
 *
 * <p>Thread-safe; queues are added while it is set up, by one thread. Another one may end it
 * meanwhile: whoever ends it marks that first and then gives up the queues that are there, whoever
 * adds a queue adds it first and then looks for the mark. So no queue is connected after the end,
 * which would have the controller take this host for one that came anew, and end what the host has
 * set up since.
 */
final class Association implements QueueOwner {
    private static final Logger LOG = LoggerFactory.getLogger(Association.class);

    private final Engine engine;
    private final QueueFactory factory;
    private final InitiatorConfig config;
    private final BiConsumer<Association, NvmeException> onEnd;
    private final List<CommandQueue> ioQueues = new CopyOnWriteArrayList<>();
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicInteger aborts = new AtomicInteger();
    private volatile boolean leaving;
    private volatile @Nullable CommandQueue admin;
    private volatile @Nullable ControllerInfo info;

    /**
     * A life that has no queues yet.
     *
     * @param factory makes the queues
     * @param onEnd told once when it ended
     */
    Association(
            Engine engine,
            QueueFactory factory,
            InitiatorConfig config,
            BiConsumer<Association, NvmeException> onEnd) {
        this.engine = engine;
        this.factory = factory;
        this.config = config;
        this.onEnd = onEnd;
    }

    /**
     * Adds the admin queue, which is not connected yet.
     *
     * @throws NvmeClosedException if this life has ended: nothing may be connected then
     */
    void setAdmin(CommandQueue queue) throws NvmeClosedException {
        admin = queue;
        checkNotEnded(queue);
    }

    void setInfo(ControllerInfo learned) {
        info = learned;
    }

    /** As {@link #setAdmin}, for an I/O queue. */
    void addIoQueue(CommandQueue queue) throws NvmeClosedException {
        ioQueues.add(queue);
        checkNotEnded(queue);
    }

    private void checkNotEnded(CommandQueue queue) throws NvmeClosedException {
        if (isEnded()) {
            throw new NvmeClosedException(queue.name() + " was closed while it was set up");
        }
    }

    ControllerInfo info() {
        ControllerInfo known = info;
        if (known == null) {
            throw new IllegalStateException("the controller was not identified yet");
        }
        return known;
    }

    boolean isEnded() {
        return ended.get();
    }

    /** The I/O queue of the calling thread. */
    CommandQueue ioQueue() {
        int index = (int) (Thread.currentThread().getId() % ioQueues.size());
        return ioQueues.get(index);
    }

    /** Posts an admin command. */
    NvmeFuture<Long> admin(
            String what,
            DataDirection direction,
            @Nullable ByteBuffer data,
            PlainCommand.Encoder encoder) {
        NvmeFuture<Long> future = new NvmeFuture<>(engine);
        PlainCommand command =
                new PlainCommand(what, StatusCode.Scope.FABRICS, direction, data, encoder, future);
        postAdmin(command);
        return future;
    }

    void postAdmin(Command command) {
        CommandQueue queue = admin;
        if (queue == null) {
            throw new IllegalStateException("there is no admin queue yet");
        }
        queue.post(command);
    }

    /** Posts an admin command and waits for its result. */
    long adminNow(
            String what,
            DataDirection direction,
            @Nullable ByteBuffer data,
            PlainCommand.Encoder encoder)
            throws NvmeException, InterruptedIOException {
        return waitFor(admin(what, direction, data, encoder));
    }

    /** Waits; the queues see to it that each command ends. */
    long waitFor(NvmeFuture<Long> future) throws NvmeException, InterruptedIOException {
        return future.await(
                config.connectTimeout()
                        .plus(config.commandTimeout())
                        .plus(config.abortTimeout())
                        .toNanos());
    }

    /** Done after a time. */
    void pause(long nanos) throws NvmeException, InterruptedIOException {
        NvmeFuture<Void> over = new NvmeFuture<>(engine);
        engine.schedule(nanos, () -> engine.complete(() -> over.complete(null)));
        over.await();
    }

    QueueFactory factory() {
        return factory;
    }

    Engine engine() {
        return engine;
    }

    InitiatorConfig config() {
        return config;
    }

    @Override
    public void ended(CommandQueue queue, NvmeException cause) {
        if (!leaving || queue == admin) {
            end(cause);
        }
    }

    /** Ends all connections; harmless when it has ended. */
    void end(NvmeException cause) {
        if (!ended.compareAndSet(false, true)) {
            return;
        }
        for (CommandQueue each : queues()) {
            each.giveUp(cause);
        }
        onEnd.accept(this, cause);
    }

    /**
     * Ends the I/O queues, lets the controller shut down, in a bounded time, and ends the rest.
     * Waits until nothing touches any buffer.
     */
    void leave(NvmeException cause) {
        if (!isEnded() && !config.shutdownTimeout().isZero()) {
            leaving = true;
            for (CommandQueue each : ioQueues) {
                each.giveUp(cause);
                awaitClosed(each);
            }
            new Shutdown(this).run();
        }
        close(cause);
    }

    /** Ends all connections and waits until nothing touches any buffer. */
    void close(NvmeException cause) {
        end(cause);
        queues().forEach(this::awaitClosed);
    }

    /** Not to be interrupted: buffers are in use until it is closed. */
    private void awaitClosed(CommandQueue queue) {
        NvmeFuture<Void> closed = new NvmeFuture<>(engine);
        CompletableFuture<?> unused =
                queue.close().whenComplete((nothing, failure) -> closed.complete(null));
        try {
            if (!engine.await(closed, config.connectTimeout().toNanos(), false)) {
                LOG.warn("{} did not close in time", queue.name());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("an uninterruptible wait was interrupted", e);
        }
    }

    private List<CommandQueue> queues() {
        List<CommandQueue> all = new ArrayList<>(ioQueues);
        CommandQueue first = admin;
        if (first != null) {
            all.add(first);
        }
        return all;
    }

    @Override
    public void wantsMemory(CommandQueue queue) {
        new MemoryRequest(queue).start();
    }

    /** Has a late command aborted; those of the admin queue cannot be. */
    @Override
    public boolean timedOut(CommandQueue queue, int commandId, Command command) {
        int index = ioQueues.indexOf(queue);
        if (index < 0) {
            return false;
        }
        if (aborts.incrementAndGet() > info().abortLimit()) {
            aborts.decrementAndGet();
            return true; // it has its time, and may be answered after all
        }
        LOG.warn("{}: {} is late and will be aborted", queue.name(), command.what());
        NvmeFuture<Long> abort =
                admin(
                        "Abort",
                        DataDirection.NONE,
                        null,
                        (buffer, at, id) ->
                                AbortCommand.encode(buffer, at, id, index + 1, commandId));
        CompletableFuture<?> unused =
                abort.whenComplete((result, failure) -> aborts.decrementAndGet());
        return true;
    }
}
