// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.engine.ChannelHandler;
import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeQueueFullException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A queue over TCP: one connection to a controller.
 *
 * <p>Concurrency. The lock guards the places, what waits, and what is sent; any thread posts and
 * sends under it, never blocking, so there is one writer at a time. What is received belongs to the
 * poller, which takes the lock for as long as it looks up or frees a place. Locks are taken in the
 * order poller, queue. The connection ends once, by the poller with the lock held: nobody is
 * writing then and nobody reads, the channel is closed, and only afterwards are commands handed
 * back, so a caller's buffer is never touched after its command has ended.
 *
 * <p>Bounds. At most {@code places} commands are with the controller and {@code waitingLimit} wait;
 * more are refused. Each has a time to be answered, and those that wait have one, too.
 */
public final class QueuePair implements CommandQueue, ChannelHandler {
    /**
     * Commands that are left for one write, and answers that are taken before they are handed out.
     * More would save little; and all commands under way would go round together, each side idle
     * while they are at the other one or at the medium.
     */
    static final int COMPANY = 8;

    private static final long NEVER = Long.MAX_VALUE / 2;

    /**
     * The only command is not answered sooner, not even over loopback: a look would be a system
     * call in vain, on a core that the target may be waiting for.
     */
    private static final long SOONEST_ANSWER_NANOS = 5_000;

    private enum State {
        NEW,
        CONNECTING,
        NEGOTIATING,
        OPEN,
        ENDED
    }

    private final Engine engine;
    private final QueueSettings settings;
    private final QueueOwner owner;
    private final CompletableFuture<Void> opened = new CompletableFuture<>();
    private final QueueEvents events;
    private final Reception reception;
    private final QueueConnection connection;
    private final CommandDeadlines deadlines;

    private final ReentrantLock lock = new ReentrantLock();
    private final DataSharing sharing = new DataSharing();
    private final PlaceTable places;
    private final WaitingCommands waiting = new WaitingCommands(sharing);
    private final List<Place> settled = new ArrayList<>();
    private @Nullable PduSender sender;
    private @Nullable NvmeException endCause;

    // Written by the poller with the lock held.
    private volatile State state = State.NEW;

    /** Commands that are worth looking for, for looks of the poller without the lock. */
    private volatile int outstanding;

    /** When something was sent last. */
    private volatile long sentAt;

    /** A queue that is not connected yet. */
    public QueuePair(Engine engine, QueueSettings settings, QueueOwner owner) {
        this.engine = engine;
        this.settings = settings;
        this.owner = owner;
        this.places = new PlaceTable(settings.places());
        this.events = new QueueEvents(this, settings);
        this.reception = new Reception(this, events, settings.onDamage());
        this.connection = new QueueConnection(engine, settings);
        this.deadlines = new CommandDeadlines(this, settings, owner);
    }

    @Override
    public String name() {
        return settings.name();
    }

    @Override
    public CompletableFuture<Void> open(InetSocketAddress address) {
        engine.execute(() -> connect(address));
        return opened;
    }

    private void connect(InetSocketAddress address) {
        if (state != State.NEW) {
            return;
        }
        state = State.CONNECTING;
        engine.schedule(settings.connectTimeoutNanos(), this::connectTimedOut);
        try {
            if (connection.open(address, this)) {
                negotiate();
            }
        } catch (IOException | RuntimeException e) {
            // Unresolved addresses and refused connections come this way, too.
            end(new NvmeConnectException(name() + " cannot connect to " + address + ": " + e, e));
        }
    }

    private void connectTimedOut() {
        if (state == State.CONNECTING || state == State.NEGOTIATING) {
            end(
                    new NvmeConnectException(
                            name()
                                    + " got no "
                                    + (state == State.CONNECTING ? "connection" : "ICResp")
                                    + " within "
                                    + TimeUnit.NANOSECONDS.toMillis(settings.connectTimeoutNanos())
                                    + " ms"));
        }
    }

    private void negotiate() throws IOException {
        state = State.NEGOTIATING;
        SocketChannel socket = connection.channel();
        if (socket == null || !events.sendRequest(socket)) {
            throw new IOException("a new connection takes no 128 bytes");
        }
        connection.await(false);
    }

    /** The set-up is done; called by the events of the receiver. */
    void negotiated(PduSender negotiatedSender) {
        reception.setFraming(events.framing());
        lock.lock();
        try {
            if (settings.sharesMemory() && connection.isLocal()) {
                sharing.makePossible(settings.takesRiders());
            }
            sender = negotiatedSender;
            state = State.OPEN;
        } finally {
            lock.unlock();
        }
        deadlines.start();
        engine.complete(() -> opened.complete(null));
    }

    boolean isNegotiating() {
        return state == State.NEGOTIATING;
    }

    /**
     * Posts a command. It is sent before this returns, unless the connection takes no more, all
     * places are taken, shared memory has no room for its data, or the caller is told the end of
     * another command: then what it posts leaves in one write when it returns, unless it is large.
     * Never blocks.
     */
    @Override
    public void post(Command command) {
        boolean several;
        boolean wantsMemory;
        lock.lock();
        try {
            command.postedTo(this);
            if (state != State.OPEN) {
                refuse(command);
                return;
            }
            if (waiting.hasToWait(command) || !admit(command)) {
                if (waiting.size() >= settings.waitingLimit()) {
                    end(
                            command,
                            new NvmeQueueFullException(
                                    name() + ": " + waiting.size() + " commands wait already"));
                    return;
                }
                waiting.add(command);
                return;
            }
            wantsMemory = sharing.isWanted(command);
            int unsent = openSender().size();
            several = unsent < COMPANY - 1 && places.taken() - unsent >= 2;
        } finally {
            lock.unlock();
        }
        // What the others would save by company is little beside the time that its data takes.
        if (DataSharing.isLarge(command.length()) || !engine.leave(this, several)) {
            flush();
        }
        if (wantsMemory) {
            owner.wantsMemory(this);
        }
    }

    @Override
    public void share(@Nullable ByteBuffer memory) {
        lock.lock();
        try {
            if (memory == null) {
                sharing.refused();
            } else {
                sharing.begin(memory);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean takesRiders(int bytes) {
        lock.lock();
        try {
            return sharing.takesRiders(bytes);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void replaceData(Command command) {
        lock.lock();
        try {
            for (Place each : places.all()) {
                if (each.command == command) {
                    each.sendData = moved(command, each.sendData);
                    each.receiveData = moved(command, each.receiveData);
                    reception.replaced(each);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private static @Nullable ByteBuffer moved(Command command, @Nullable ByteBuffer from) {
        ByteBuffer to = from == null ? null : command.newDataView();
        return from == null || to == null
                ? null
                : to.clear().limit(from.limit()).position(from.position());
    }

    private void refuse(Command command) {
        NvmeException cause = endCause;
        end(
                command,
                new NvmeConnectionLostException(
                        name() + " is not connected" + (cause == null ? "" : ": " + cause), cause));
    }

    /** Ends a command that was never sent. */
    void end(Command command, NvmeException cause) {
        engine.complete(command.endWith(cause, false));
        engine.wakeup();
    }

    private boolean admit(Command command) {
        PduSender current = sender;
        Place place = current == null ? null : places.take(command);
        if (place == null || current == null) {
            return false;
        }
        place.deadline =
                engine.nanoTime()
                        + (command.waitsForEvents() ? NEVER : settings.commandTimeoutNanos());
        outstanding = places.expected();
        current.addCapsule(place);
        return true;
    }

    @Override
    public void flush() {
        lock.lock();
        try {
            PduSender current = sender;
            SocketChannel socket = connection.channel();
            if (state != State.OPEN || current == null || socket == null || current.isIdle()) {
                return;
            }
            boolean all;
            do {
                all = current.send(socket, settled);
                for (Place each : settled) {
                    answer(each, each.answerResult, each.answerStatus); // may admit others
                }
                settled.clear();
            } while (all && !current.isIdle());
            sentAt = System.nanoTime();
            connection.await(!all);
        } catch (IOException e) {
            // The poller ends connections; it may be another thread.
            engine.execute(() -> end(lost(e)));
        } finally {
            lock.unlock();
        }
    }

    NvmeException lost(IOException e) {
        return new NvmeConnectionLostException(name() + " lost its connection: " + e, e);
    }

    /** The command of a place is answered; with the lock held. */
    void answer(Place place, long result, int status) {
        if (place.shared >= 0 && place.command != null) {
            sharing.giveBack(place.command, place.shared);
        }
        Command command = places.release(place);
        engine.complete(command.endWith(result, status));
        if (!engine.isPoller()) {
            engine.wakeup();
        }
        admitWaiting();
        outstanding = places.expected();
    }

    private void admitWaiting() {
        for (Command next = waiting.peek(); next != null && admit(next); next = waiting.peek()) {
            waiting.remove(next);
        }
    }

    /** A part that was kept is not any more: others may be waiting for it. By any thread. */
    void giveBack(int at, int units) {
        lock.lock();
        try {
            sharing.giveBackKept(at, units);
            if (state != State.OPEN) {
                return;
            }
            admitWaiting();
        } finally {
            lock.unlock();
        }
        flush();
    }

    @Override
    public int look() {
        if (outstanding == 0 || state != State.OPEN) {
            return EXPECTS_NOTHING;
        }
        if (outstanding == 1 && System.nanoTime() - sentAt < SOONEST_ANSWER_NANOS) {
            return 0;
        }
        return receive() ? 1 : 0;
    }

    @Override
    public void ready(int operations) {
        SocketChannel socket = connection.channel();
        if (socket == null || state == State.ENDED) {
            return;
        }
        if ((operations & SelectionKey.OP_CONNECT) != 0) {
            try {
                if (socket.finishConnect()) {
                    negotiate();
                }
            } catch (IOException e) {
                end(new NvmeConnectException(name() + " cannot connect: " + e, e));
                return;
            }
        }
        if ((operations & SelectionKey.OP_READ) != 0) {
            boolean unused = receive();
        }
        if ((operations & SelectionKey.OP_WRITE) != 0) {
            flush();
        }
    }

    /** Something was left in the receiver, about which no selector tells. By the poller. */
    void receiveSoon() {
        engine.execute(
                () -> {
                    if (state == State.OPEN) {
                        boolean unused = receive();
                    }
                });
    }

    private boolean receive() {
        SocketChannel socket = connection.channel();
        return socket != null && reception.receive(socket);
    }

    /** Commands that were not sent. With the lock held. */
    WaitingCommands waiting() {
        return waiting;
    }

    @Override
    public void giveUp(NvmeException cause) {
        engine.execute(() -> end(cause));
    }

    @Override
    public CompletableFuture<Void> close() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        engine.execute(
                () -> {
                    end(new NvmeClosedException(name() + " was closed"));
                    engine.complete(() -> done.complete(null));
                });
        return done;
    }

    /** Ends the connection, and hands all commands back. By the poller. */
    void end(NvmeException cause) {
        List<Command> ended = new ArrayList<>();
        lock.lock();
        try {
            if (state == State.ENDED) {
                return;
            }
            state = State.ENDED;
            endCause = cause;
            connection.close();
            for (Place each : places.all()) {
                if (each.command != null) {
                    // A capsule that did not leave whole cannot have been executed.
                    boolean mayHaveRun = each.stage == Place.Stage.SENT;
                    ended.add(places.release(each).endWith(cause, mayHaveRun));
                }
            }
            waiting.clear(each -> ended.add(each.endWith(cause, false)));
            outstanding = 0;
        } finally {
            lock.unlock();
        }
        engine.unregister(this);
        // The owner first: what comes back may be posted again, and not to this queue.
        owner.ended(this, cause);
        engine.complete(() -> opened.completeExceptionally(cause));
        ended.forEach(engine::complete);
    }

    ReentrantLock lock() {
        return lock;
    }

    DataSharing sharing() {
        return sharing;
    }

    /** With the lock held. */
    PlaceTable places() {
        return places;
    }

    /** Whether a PDU of its own would not get into another one. With the lock held. */
    boolean maySendPdu() {
        PduSender current = sender;
        return current == null || !current.isWithinPdu();
    }

    /** With the lock held. */
    PduSender openSender() {
        PduSender current = sender;
        if (current == null) {
            throw new IllegalStateException(name() + " has no sender before its set-up");
        }
        return current;
    }

    @Override
    public Engine engine() {
        return engine;
    }

    public boolean isOpen() {
        return state == State.OPEN;
    }
}
