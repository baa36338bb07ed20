// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.admin.AdminCommands;
import io.crail.nvmf.target.admin.FailedCommands;
import io.crail.nvmf.target.command.Command;
import io.crail.nvmf.target.command.CommandSet;
import io.crail.nvmf.target.io.IoCommands;
import io.crail.nvmf.target.memory.DataBuffer;
import io.crail.nvmf.target.shared.QueueMemory;
import io.crail.nvmf.target.subsystem.HostQueue;
import io.crail.nvmf.target.subsystem.QueueLink;
import io.crail.nvmf.wire.pdu.FatalErrorStatus;
import io.crail.nvmf.wire.pdu.MalformedPduException;
import io.crail.nvmf.wire.pdu.PduFraming;
import io.crail.nvmf.wire.pdu.PduType;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection: from ICReq over Connect to the end of its queue.
 *
 * <p>Belongs to its event loop; only {@link #close}, {@link #isGone} and {@link #loop} are for
 * other threads.
 *
 * <p><b>The end.</b> First the gate of the queue is closed, so that no command of it reaches the
 * medium any more. A connection that is told why (a fatal error, Disconnect) takes no more input
 * and stays until the peer closes, or for a while, since closing a socket with unread input would
 * destroy what was sent. Then the socket is closed, and buffers go back, but for those of slots
 * that are with the workers: these go back when the slots do. The connection is gone after the last
 * of them.
 */
final class Connection implements Transmitter.Source, QueueLink {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);

    private enum State {
        OPEN,
        /** No more input; waits until all is sent and the peer closes. */
        LINGERING,
        CLOSED
    }

    private final TcpServices services;
    private final EventLoop loop;
    private final Wire wire;
    private final String peer;
    private final Slots slots = new Slots(this);
    private final Memory memory;
    private final QueueMemory shared;
    private final Intake intake;
    private final Receiver receiver;
    private final Transmitter transmitter = new Transmitter(this);
    private final Patience patience;
    private final AdminLink admin;

    private State state = State.OPEN;
    private CommandSet commands;
    private @Nullable HostQueue queue;
    private @Nullable Slot pendingConnect;
    private int head;
    private boolean dirty;
    private volatile boolean gone;

    Connection(
            TcpServices services,
            EventLoop loop,
            SocketChannel channel,
            DataBuffer own,
            String peer)
            throws IOException {
        this.services = services;
        this.loop = loop;
        this.peer = peer;
        this.memory = new Memory(services.pool(), own);
        this.shared = services.sharedWith(channel);
        this.intake = new Intake(this, services.settings(), slots, memory);
        this.receiver = new Receiver(intake, services.maxPduBytes());
        this.patience = new Patience(services.settings(), services.nanoTime());
        this.commands = new ConnectCommands(services.subsystem(), this, this::becomeQueue);
        this.admin =
                new AdminLink(
                        this,
                        services.listener().reachedBy(channel),
                        services.listener().localSocketFor(channel));
        this.wire = new Wire(this, channel, receiver, transmitter, patience);
    }

    EventLoop loop() {
        return loop;
    }

    CommandSet commands() {
        return commands;
    }

    boolean isDirty() {
        return dirty;
    }

    void setDirty(boolean value) {
        dirty = value;
    }

    void receiveInto(ByteBuffer destination) {
        receiver.receiveInto(destination);
    }

    void onInitialized(PduFraming incoming, PduFraming outgoing) {
        transmitter.initialize(
                incoming.headerDigest(),
                incoming.dataDigest(),
                services.settings().maxDataPduBytes());
        wire.framing(incoming, outgoing);
        loop.markDirty(this);
    }

    /** A command has come. */
    void onArrived() {
        head = (head + 1) % slots.limit();
        if (queue != null) {
            queue.controller().counters().began();
        }
    }

    void onDamagedData() {
        services.counters().digestErrors.increment();
    }

    /** The peer says that we made a fatal error. */
    void onTerminated(int status, int information) {
        LOG.warn(
                "{} terminates its connection: {} (information {})",
                peer,
                FatalErrorStatus.find(status, PduType.Sender.HOST),
                information);
        linger();
    }

    /** The peer sent what it must not. */
    void onFault(MalformedPduException e, Receiver at) {
        services.counters().protocolErrors.increment();
        if (e.status() == FatalErrorStatus.HEADER_DIGEST_ERROR) {
            services.counters().digestErrors.increment();
        }
        LOG.warn("Terminating the connection of {}, which sent {}", peer, e.getMessage());
        ByteBuffer buffer = at.buffer();
        transmitter.terminate(e, buffer, buffer.position(), at.headerBytes());
        linger();
        freeWhere(stage -> stage == Slot.Stage.ANSWERED); // what is not on its way never will be
        loop.markDirty(this);
    }

    /** All that the command needs from the host is there, or it failed before. */
    void carryOut(Slot slot) {
        if (!slot.command.isSuccess()) {
            answer(slot);
            return;
        }
        slot.wantsDigest = transmitter.hasDataDigests();
        if (commands.mayWait()) {
            loop.submit(slot);
        } else if (slot.execute()) {
            answer(slot);
        } else {
            slot.stage = Slot.Stage.HELD;
            if (queue == null) {
                pendingConnect = slot;
            }
        }
    }

    /** A slot is back from the workers, or was run by the loop. */
    void onExecuted(Slot slot) {
        if (state == State.OPEN) {
            answer(slot);
            return;
        }
        free(slot);
        if (state == State.CLOSED) {
            finishIfIdle();
        }
    }

    void answer(Slot slot) {
        slot.stage = Slot.Stage.ANSWERED;
        if (queue != null && !slot.command.isSuccess()) {
            FailedCommands.note(queue, slot.command);
        }
        if (!slot.sendsData()) {
            releaseDataOf(slot);
        }
        send(slot);
    }

    void send(Slot slot) {
        if (state == State.OPEN) {
            transmitter.add(slot);
            loop.markDirty(this);
        }
    }

    void flush() {
        if (state != State.CLOSED) {
            wire.flush();
        }
    }

    @Override
    public int submissionHead() {
        return queue == null || queue.flowControl() ? head : 0xFFFF;
    }

    @Override
    public boolean mayLeaveOutSuccess() {
        return queue != null && !queue.flowControl();
    }

    @Override
    public void onAnswered(Slot slot) {
        Command command = slot.command;
        if (queue != null) {
            queue.controller()
                    .counters()
                    .ended(command.kind(), command.isSuccess(), command.length());
        }
        if (command.isLent() && command.isSuccess()) {
            services.counters().sharedBytes.add(command.movedBytes());
        }
        boolean ends = command.endsQueue();
        free(slot);
        if (ends) {
            linger();
        }
    }

    private void free(Slot slot) {
        releaseDataOf(slot);
        if (queue != null && slot.stage != Slot.Stage.FREE) {
            queue.controller().counters().left();
        }
        slots.give(slot);
    }

    private void releaseDataOf(Slot slot) {
        DataBuffer data = slot.command.takeData();
        if (data != null) {
            release(data);
        }
    }

    @Override
    public void release(DataBuffer data) {
        if (memory.release(data) && receiver.isRefused()) {
            loop.post(loop::shareRoom);
        }
    }

    /** There may be memory for what waits for it; whether there was. */
    boolean onRoom() {
        if (state != State.OPEN) {
            return false;
        }
        boolean taken = wire.retry();
        return intake.unpark() || taken;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    private void becomeQueue(HostQueue connected) {
        queue = connected;
        memory.belongsTo(connected.controller().memory());
        slots.limit(connected.entries());
        head = 1; // the Connect itself
        connected.controller().counters().began();
        if (connected.isAdmin()) {
            commands =
                    new AdminCommands(services.subsystem(), connected, services.logPages(), admin);
        } else {
            commands = new IoCommands(services.subsystem(), connected, shared);
            intake.becomesIoQueue(shared);
        }
    }

    /** Answers a command that was left open. */
    void complete(Command command) {
        Slot slot = slots.at(command.slot());
        if (slot != null && slot.stage == Slot.Stage.HELD && state == State.OPEN) {
            answer(slot);
        }
    }

    /** Aborts a command that has not been carried out yet; false if that is too late. */
    boolean abort(int commandId) {
        return intake.abort(commandId);
    }

    /** Something came from the host. */
    void onHeard() {
        if (queue != null) {
            queue.controller().heard();
        }
    }

    /** Looks at the clock. By the loop, again and again. */
    void tick() {
        if (state == State.CLOSED) {
            return;
        }
        Slot waiting = pendingConnect;
        if (waiting != null && state == State.OPEN) {
            retryConnect(waiting);
        }
        boolean owesInput =
                intake.isAwaitingData() || (receiver.isAmidPdu() && !receiver.isRefused());
        String reason =
                patience.exhausted(
                        services.nanoTime().getAsLong(),
                        queue == null || state == State.LINGERING,
                        owesInput,
                        !transmitter.isEmpty());
        if (reason != null) {
            closeNow(reason);
        }
    }

    private void retryConnect(Slot slot) {
        boolean late =
                patience.waitedForConnect(
                        services.nanoTime().getAsLong(),
                        TimeUnit.MILLISECONDS.toNanos(services.settings().connectWaitMillis()));
        boolean done = commands.execute(slot.command);
        if (!done && late) {
            slot.command.status(StatusCode.CONNECT_CONTROLLER_BUSY.status());
            done = true;
        }
        if (done) {
            pendingConnect = null;
            answer(slot);
        }
    }

    private void linger() {
        if (state != State.OPEN) {
            return;
        }
        state = State.LINGERING;
        patience.lingers(services.nanoTime().getAsLong());
        leaveSubsystem();
        // Nobody will bring their data, or answer them.
        freeWhere(stage -> stage != Slot.Stage.ANSWERED);
        loop.markDirty(this);
    }

    /** Frees slots at these stages; those that are with the workers stay there. */
    private void freeWhere(Predicate<Slot.Stage> which) {
        for (Slot each : slots.all()) {
            Slot.Stage stage = each.stage;
            if (stage != Slot.Stage.FREE && stage != Slot.Stage.AWAY && which.test(stage)) {
                free(each);
            }
        }
    }

    private void leaveSubsystem() {
        if (queue != null) {
            services.subsystem().associations().closed(queue);
        }
    }

    @Override
    public void close(String reason) {
        loop.post(
                () -> {
                    // Who lingers is ending already, and has something to tell.
                    if (state == State.OPEN) {
                        closeNow(reason);
                    }
                });
    }

    @Override
    public boolean isGone() {
        return gone;
    }

    /** By the loop. */
    void closeNow(String reason) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        leaveSubsystem();
        LOG.debug("Closing the connection of {}: {}", peer, reason);
        wire.close();
        freeWhere(any -> true);
        finishIfIdle();
    }

    private void finishIfIdle() {
        if (slots.used() == 0 && !gone) {
            memory.close();
            shared.close();
            loop.remove(this);
            gone = true;
        }
    }
}
