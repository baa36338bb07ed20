// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.rdma;

import com.ibm.disni.verbs.IbvWC;
import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeQueueFullException;
import io.crail.nvmf.initiator.error.NvmeTimeoutException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.initiator.queue.Command;
import io.crail.nvmf.initiator.queue.CommandQueue;
import io.crail.nvmf.initiator.queue.QueueOwner;
import io.crail.nvmf.initiator.queue.QueueSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A queue over RDMA: one reliable connection to a controller.
 *
 * <p>Concurrency. The connection and its events belong to the {@link QueuePoller}. Any thread posts
 * under the lock, which guards slots, what waits and the registered memory; so does the poller when
 * it handles answers. Nothing blocks under it. Whoever finds a reason to end the queue says so
 * under the lock, and from then on nothing is posted; the poller ends the connection without the
 * lock, and hands all commands back afterwards. Commands end by the engine, in its threads.
 *
 * <p>Buffers. The caller's is read when its command gets a slot and written when it is answered,
 * under the lock both times, so that {@link #replaceData} has only to wait for it. In between the
 * controller works on registered memory.
 *
 * <p>Bounds. At most {@code places} commands are with the controller, as far as their data has
 * room, and {@code waitingLimit} wait in order; more are refused.
 */
final class RdmaQueue implements CommandQueue {
    private static final long NEVER = Long.MAX_VALUE / 2;
    private static final Logger LOG = LoggerFactory.getLogger(RdmaQueue.class);

    private enum State {
        NEW,
        CONNECTING,
        OPEN,
        ENDING,
        GONE
    }

    private final Engine engine;
    private final QueueSettings settings;
    private final QueueOwner owner;
    private final QueuePoller poller;
    private final ConnectionSteps steps;
    private final Deadlines deadlines;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final CompletableFuture<Void> gone = new CompletableFuture<>();

    private final ReentrantLock lock = new ReentrantLock();
    private final SlotTable slots;
    private final ArrayDeque<Command> waiting = new ArrayDeque<>();
    private @Nullable NvmeException endCause;

    /** Written with the lock held. */
    private volatile State state = State.NEW;

    /** Commands with the controller, for looks of the poller without the lock. */
    private volatile int outstanding;

    /** Those of them that it will answer soon. */
    private volatile int expected;

    RdmaQueue(
            Engine engine,
            QueueSettings settings,
            int id,
            QueueOwner owner,
            QueuePoller poller,
            int dataBytes) {
        this.engine = engine;
        this.settings = settings;
        this.owner = owner;
        this.poller = poller;
        this.slots = new SlotTable(settings.places(), dataBytes);
        this.steps = new ConnectionSteps(this, settings, id, dataBytes);
        this.deadlines = new Deadlines(engine, settings);
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public Engine engine() {
        return engine;
    }

    @Override
    public CompletableFuture<Void> open(InetSocketAddress address) {
        lock.lock();
        try {
            if (state != State.NEW) {
                return opened;
            }
            state = State.CONNECTING;
        } finally {
            lock.unlock();
        }
        steps.setPeer(address, engine.nanoTime());
        if (!poller.add(this)) {
            giveUp(new NvmeClosedException(name() + " has no poller any more"));
            handBack();
        }
        return opened;
    }

    /** The connection stands; by the poller. */
    void connected(QueueMemory memory) {
        lock.lock();
        try {
            if (state != State.CONNECTING) {
                return;
            }
            slots.use(memory);
            state = State.OPEN;
        } finally {
            lock.unlock();
        }
        deadlines.begin(engine.nanoTime());
        engine.complete(() -> opened.complete(null));
        engine.wakeup();
    }

    @Override
    public void post(Command command) {
        NvmeException refusal;
        lock.lock();
        try {
            command.postedTo(this);
            refusal = state == State.OPEN ? admit(command) : notConnected();
        } finally {
            lock.unlock();
        }
        if (refusal != null) {
            engine.complete(command.endWith(refusal, false));
            engine.wakeup();
        } else {
            poller.wake();
        }
    }

    private NvmeException notConnected() {
        NvmeException cause = endCause;
        return new NvmeConnectionLostException(
                name() + " is not connected" + (cause == null ? "" : ": " + cause), cause);
    }

    /** Posts a command or lets it wait; why not, if neither is possible. With the lock held. */
    private @Nullable NvmeException admit(Command command) {
        if (command.length() > slots.dataBytes()) {
            return new NvmeUnsupportedException(
                    name()
                            + ": "
                            + command.what()
                            + " has more than the "
                            + slots.dataBytes()
                            + " bytes that this queue has room for");
        }
        if (waiting.isEmpty() && begin(command)) {
            return null;
        }
        if (waiting.size() >= settings.waitingLimit()) {
            return new NvmeQueueFullException(
                    name() + ": " + waiting.size() + " commands wait already");
        }
        waiting.addLast(command);
        return null;
    }

    /** Posts a command if there is a slot and room for its data. With the lock held. */
    private boolean begin(Command command) {
        long time = command.waitsForEvents() ? NEVER : settings.commandTimeoutNanos();
        Slot slot = slots.take(command, engine.nanoTime() + time);
        if (slot == null) {
            return false;
        }
        count();
        try {
            slots.send(slot);
        } catch (IOException e) {
            endLocked(lost("takes no command", e));
        }
        return true;
    }

    private void count() {
        outstanding = slots.taken();
        expected = slots.expected();
    }

    /** Those that wait, as far as there is room now. With the lock held. */
    private void beginWaiting() {
        for (Command next = waiting.peekFirst();
                next != null && state == State.OPEN && begin(next);
                next = waiting.peekFirst()) {
            waiting.removeFirst();
        }
    }

    @Override
    public void replaceData(Command command) {
        // Buffers are touched under the lock only, and looked up anew each time.
        lock.lock();
        try {
            LOG.debug("{}: {} has other memory", name(), command.what());
        } finally {
            lock.unlock();
        }
    }

    /** One round of the poller; whether there was anything. */
    boolean look() {
        switch (state) {
            case CONNECTING -> {
                return steps.look(engine.nanoTime());
            }
            case OPEN -> {
                boolean found = outstanding > 0 && takeCompletions();
                long now = engine.nanoTime();
                steps.lookForLoss(now);
                if (deadlines.isDue(now)) {
                    findLate(now);
                }
                return found;
            }
            case ENDING -> {
                steps.close();
                handBack();
                return true;
            }
            default -> {
                return false;
            }
        }
    }

    private boolean takeCompletions() {
        int count = 0;
        lock.lock();
        try {
            VerbsConnection connection = steps.connection();
            count = state == State.OPEN ? connection.poll() : 0;
            for (int i = 0; i < count && state == State.OPEN; i++) {
                handle(connection.completion(i));
            }
            if (count > 0) {
                beginWaiting();
                count();
            }
        } catch (IOException e) {
            endLocked(lost("cannot be polled", e));
        } finally {
            lock.unlock();
        }
        if (count > 0) {
            engine.wakeup();
        }
        return count > 0;
    }

    /** With the lock held. */
    private void handle(IbvWC completion) throws IOException {
        if (completion.getStatus() != 0) {
            endLocked(
                    new NvmeConnectionLostException(
                            name()
                                    + " lost its connection: a request completed with "
                                    + IbvWC.IbvWcStatus.valueOf(completion.getStatus())));
            return;
        }
        try {
            Command ended = slots.completed(completion.getWr_id(), name());
            if (ended != null) {
                engine.complete(ended);
            }
        } catch (NvmeException e) {
            endLocked(e);
        }
    }

    private void findLate(long now) {
        List<Command> expired = new ArrayList<>();
        List<Deadlines.Late> late;
        lock.lock();
        try {
            late = deadlines.find(slots.all(), now);
            waiting.removeIf(each -> each.isExpired(now) && expired.add(each));
        } finally {
            lock.unlock();
        }
        for (Command each : expired) {
            engine.complete(
                    each.endWith(
                            new NvmeTimeoutException(
                                    each.what() + " got no place on " + name() + " in time"),
                            false));
            engine.wakeup();
        }
        for (Deadlines.Late each : late) {
            if (each.aborting() || !owner.timedOut(this, each.commandId(), each.command())) {
                giveUp(
                        new NvmeConnectionLostException(
                                name()
                                        + ": the controller did not answer ("
                                        + each.command().what()
                                        + "), not even by aborting it"));
                return;
            }
        }
    }

    NvmeException lost(String what, IOException cause) {
        return new NvmeConnectionLostException(
                name() + " " + what + ": " + cause.getMessage(), cause);
    }

    /** The poller could not go on. */
    void fail(Throwable cause) {
        giveUp(new NvmeConnectionLostException(name() + " failed: " + cause, cause));
    }

    @Override
    public void giveUp(NvmeException cause) {
        lock.lock();
        try {
            endLocked(cause);
        } finally {
            lock.unlock();
        }
        poller.wake();
    }

    private void endLocked(NvmeException cause) {
        if (state == State.NEW) {
            state = State.GONE;
            engine.execute(() -> tell(cause, List.of()));
        } else if (state == State.CONNECTING || state == State.OPEN) {
            state = State.ENDING;
        } else {
            return;
        }
        endCause = cause;
    }

    @Override
    public CompletableFuture<Void> close() {
        giveUp(new NvmeClosedException(name() + " was closed"));
        return gone;
    }

    /** The connection is closed: commands and their buffers go back. */
    private void handBack() {
        List<Command> ended = new ArrayList<>();
        NvmeException cause;
        lock.lock();
        try {
            if (state != State.ENDING) {
                return;
            }
            cause = endCause == null ? new NvmeClosedException(name() + " ended") : endCause;
            for (Slot each : slots.all()) {
                if (each.command != null) {
                    boolean mayHaveRun = each.posted;
                    ended.add(each.leave().endWith(cause, mayHaveRun));
                }
            }
            waiting.forEach(each -> ended.add(each.endWith(cause, false)));
            waiting.clear();
            outstanding = 0;
            expected = 0;
            state = State.GONE;
        } finally {
            lock.unlock();
        }
        engine.execute(() -> tell(cause, ended));
    }

    private void tell(NvmeException cause, List<Command> ended) {
        // The owner first: what comes back may be posted again, and not to this queue.
        owner.ended(this, cause);
        engine.complete(() -> opened.completeExceptionally(cause));
        ended.forEach(engine::complete);
        engine.complete(() -> gone.complete(null));
    }

    /** Whether something is expected soon. */
    boolean isBusy() {
        return expected > 0 || state == State.CONNECTING || state == State.ENDING;
    }

    boolean isGone() {
        return state == State.GONE;
    }

    static int millis(long nanos) {
        return (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos));
    }
}
