// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.command;

import io.crail.nvmf.target.backing.Span;
import io.crail.nvmf.target.fence.CommandGuard;
import io.crail.nvmf.target.memory.DataBuffer;
import io.crail.nvmf.target.status.CommandKind;
import io.crail.nvmf.target.subsystem.Namespace;
import io.crail.nvmf.wire.command.DataDirection;
import io.crail.nvmf.wire.command.SubmissionEntry;
import io.crail.nvmf.wire.status.Status;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One slot of a queue and the command in it.
 *
 * <p>Owned by one thread at a time: the event loop of its connection, or the worker that it was
 * handed to through a queue, until that hands it back through another. The one exception is {@link
 * #start} and {@link #abort}, which any thread may call and of which one wins.
 */
public final class Command {
    private static final int WAITING = 0;
    private static final int STARTED = 1;
    private static final int ABORTED = 2;

    private final int slot;
    private final ByteBuffer entry = ByteBuffer.allocate(SubmissionEntry.SIZE);
    private final AtomicInteger phase = new AtomicInteger();

    private CommandKind kind = CommandKind.UNKNOWN;
    private DataDirection direction = DataDirection.NONE;
    private int length;
    private @Nullable Namespace namespace;
    private @Nullable Span span;
    private @Nullable DataBuffer data;
    private @Nullable ByteBuffer lent;
    private @Nullable Span riderSpan;
    private @Nullable ByteBuffer rider;
    private int status;
    private long result;
    private boolean lastOfQueue;
    private int ticket;
    private long hold;

    public Command(int slot) {
        this.slot = slot;
    }

    /** Takes over a submission entry; forgets the command before. */
    public void begin(ByteBuffer source, int at) {
        entry.put(0, source, at, SubmissionEntry.SIZE);
        kind = CommandKind.UNKNOWN;
        direction = DataDirection.NONE;
        length = 0;
        namespace = null;
        span = null;
        lent = null;
        rider = null;
        riderSpan = null;
        status = Status.SUCCESS;
        result = 0;
        lastOfQueue = false;
        phase.set(WAITING);
    }

    /** Number of the slot in its queue; the tag that its data is asked for with. */
    public int slot() {
        return slot;
    }

    /** The submission entry, from position 0. */
    public ByteBuffer entry() {
        return entry;
    }

    public int commandId() {
        return SubmissionEntry.commandId(entry, 0);
    }

    public CommandKind kind() {
        return kind;
    }

    public void kind(CommandKind value) {
        kind = value;
    }

    /** Which way its data goes. */
    public DataDirection direction() {
        return direction;
    }

    /** Bytes of its data, as the host counts. */
    public int length() {
        return length;
    }

    /** It has data that does not come from or go to the medium as it is. */
    public void transfers(DataDirection way, int bytes) {
        direction = bytes == 0 ? DataDirection.NONE : way;
        length = bytes;
    }

    /** It has data of a range of a namespace. */
    public void transfers(DataDirection way, Namespace of, Span range) {
        direction = way;
        length = range.length();
        namespace = of;
        span = range;
    }

    /** It concerns a namespace. */
    public void namespace(Namespace of) {
        namespace = of;
    }

    public Namespace namespace() {
        return Objects.requireNonNull(namespace, "no namespace");
    }

    /** The range of its data. */
    public Span span() {
        return Objects.requireNonNull(span, "no range");
    }

    /** Bytes of the buffer that it needs. */
    public int bufferBytes() {
        return span == null ? length : span.bytes();
    }

    /** Where in the buffer its data begins. */
    public int dataOffset() {
        return span == null ? 0 : span.skew();
    }

    /** Whether it has a buffer. */
    public boolean hasData() {
        return data != null || lent != null;
    }

    /** Its buffer. */
    public ByteBuffer data() {
        ByteBuffer hosts = lent;
        return hosts == null ? Objects.requireNonNull(data, "no data").bytes() : hosts;
    }

    /**
     * Whether its data may lie in memory of the host: only the kernel looks at it, and takes it as
     * it is.
     */
    public boolean mayLieInSharedMemory() {
        return (kind == CommandKind.READ || kind == CommandKind.WRITE)
                && span != null
                && span.bytes() == length;
    }

    /** Its data lies in memory that is shared with its host, in as many bytes as it has. */
    public void lend(ByteBuffer memory) {
        lent = memory;
    }

    /**
     * A unit is moved besides its data, which lies in shared memory, as this does.
     *
     * @param unit where it is in the namespace, whole units of the medium
     */
    public void ride(Span unit, ByteBuffer memory) {
        riderSpan = unit;
        rider = memory;
    }

    /** Where that unit is. */
    public Span riderSpan() {
        return Objects.requireNonNull(riderSpan, "no rider");
    }

    /** Its first byte in the namespace; {@link CommandGuard#NO_RIDER}: there is none. */
    public long riderPosition() {
        Span unit = riderSpan;
        return unit == null ? CommandGuard.NO_RIDER : unit.position();
    }

    /** Bytes that it moves. */
    public int movedBytes() {
        return length + (riderSpan == null ? 0 : riderSpan.length());
    }

    /** The memory of that unit; null if there is none. */
    public @Nullable ByteBuffer rider() {
        return rider;
    }

    /** Whether its data lies in memory that is shared with its host. */
    public boolean isLent() {
        return lent != null;
    }

    public void giveData(DataBuffer buffer) {
        data = buffer;
    }

    /** Takes the buffer out, to release it, or to send it. */
    public @Nullable DataBuffer takeData() {
        DataBuffer taken = data;
        data = null;
        return taken;
    }

    public int status() {
        return status;
    }

    /** How it ended. */
    public void status(int value) {
        status = value;
    }

    public boolean isSuccess() {
        return Status.isSuccess(status);
    }

    /** DW0 and DW1 of its completion. */
    public long result() {
        return result;
    }

    public void result(long value) {
        result = value;
    }

    /** The connection is to be closed when it is answered. */
    public void endQueue() {
        lastOfQueue = true;
    }

    public boolean endsQueue() {
        return lastOfQueue;
    }

    /** It is at its medium, let in by a gate and a guard. */
    public void enter(int ticketOfGate, long holdOfGuard) {
        ticket = ticketOfGate;
        hold = holdOfGuard;
    }

    /** What the gate said when it let it in. */
    public int ticket() {
        return ticket;
    }

    /** What the guard said when it let it in. */
    public long hold() {
        return hold;
    }

    /** It is to be carried out now; false if it was aborted before. */
    public boolean start() {
        return phase.compareAndSet(WAITING, STARTED);
    }

    /** It shall not be carried out; false if that has begun. */
    public boolean abort() {
        return phase.compareAndSet(WAITING, ABORTED);
    }
}
