// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.queue;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.wire.command.DataDirection;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A command and what becomes of it. Posted to a queue it belongs to the queue until exactly one of
 * {@link #completed} and {@link #failed} is called, outside of all locks; then nothing touches its
 * data any more, and it may be posted again.
 */
public abstract class Command implements Runnable {
    private final DataDirection direction;
    private final int start;
    private final int length;

    /** The caller's, until {@link #detach}. */
    private volatile @Nullable ByteBuffer data;

    private volatile boolean detached;

    /** The queue that it was posted to last. */
    private volatile @Nullable CommandQueue queue;

    // The outcome, published by the queue of completions.
    private long result;
    private int status;
    private @Nullable NvmeException failure;
    private boolean mayHaveRun;

    /** When a command that waits for a place gives up. */
    private long expiry;

    /**
     * A command with the data between position and limit of the buffer.
     *
     * @param data direct; null if there is none
     */
    protected Command(DataDirection direction, @Nullable ByteBuffer data) {
        this.direction = direction;
        this.data = data == null ? null : data.duplicate();
        this.start = data == null ? 0 : data.position();
        this.length = data == null ? 0 : data.remaining();
        if (data != null && !data.isDirect()) {
            throw new IllegalArgumentException("data of commands must lie in direct buffers");
        }
    }

    /** For messages: what is done on what. */
    public abstract String what();

    /** Writes the submission entry, but for its SGL descriptor. */
    protected abstract void encode(ByteBuffer buffer, int at, int commandId);

    /** The controller answered; the status may well be an error. */
    protected abstract void completed(long result, int status);

    /**
     * No answer will come.
     *
     * @param mayHaveRun false if the controller certainly did not execute it
     */
    protected abstract void failed(NvmeException cause, boolean mayHaveRun);

    /**
     * Whether its data goes into the capsule, however large these may be for I/O: that of fabrics
     * and admin commands does, up to 8 KiB (TCP transport 1.0, section 3.4.3).
     */
    protected boolean isAlwaysInCapsule() {
        return false;
    }

    /** Whether it is answered when something happens, if ever, and not in a certain time. */
    public boolean waitsForEvents() {
        return false;
    }

    /**
     * Whether its data may lie in memory that is shared with the controller: that of a Read or
     * Write whose position is a multiple of 4 KiB.
     */
    protected boolean mayShareMemory() {
        return false;
    }

    /** What is different if its data lies in shared memory; the same at any time. */
    protected SharedExtras extras() {
        return SharedExtras.NONE;
    }

    /** Whether success without all of the data is an error. */
    protected boolean needsAllData() {
        return true;
    }

    public final DataDirection direction() {
        return direction;
    }

    /** Bytes of data. */
    public final int length() {
        return length;
    }

    /** Writes the submission entry, but for its SGL descriptor. For queues. */
    public final void writeEntry(ByteBuffer buffer, int at, int commandId) {
        encode(buffer, at, commandId);
    }

    /**
     * A view of the data whose position and limit are the queue's own; null if there is none. For
     * queues.
     */
    public final @Nullable ByteBuffer newDataView() {
        ByteBuffer now = data;
        return now == null ? null : now.duplicate();
    }

    /** It belongs to that queue from now on. For queues, under the lock that guards its data. */
    public final void postedTo(CommandQueue newQueue) {
        queue = newQueue;
    }

    /**
     * Cuts it off from the caller's buffer, in whatever state it is; waits for the poller.
     *
     * <p>The poller does it, so nobody receives meanwhile. Who sends either takes the new data, or
     * took the old one under the lock of a queue of which it had said before that the command is
     * posted to it: then that queue replaces it, under the same lock.
     */
    protected void detach() {
        if (queue == null) {
            takeOwnData();
        }
        CommandQueue posted = queue;
        if (posted != null) {
            posted.engine()
                    .executeNow(
                            () -> {
                                takeOwnData();
                                CommandQueue now = queue;
                                if (now != null) {
                                    now.replaceData(this);
                                }
                            });
        }
    }

    private void takeOwnData() {
        ByteBuffer old = data;
        if (old == null || detached) {
            return;
        }
        ByteBuffer own = ByteBuffer.allocateDirect(start + length);
        if (direction == DataDirection.HOST_TO_CONTROLLER) {
            own.put(start, old, start, length);
        }
        data = own;
        detached = true;
    }

    /** Where the data begins in a view of it. For queues. */
    public final int dataStart() {
        return start;
    }

    /** Sets when a command that waits for a place gives up, by the engine's clock. */
    public final void expireAt(long nanos) {
        expiry = nanos;
    }

    /** Whether it has waited for a place for long enough. For queues. */
    public final boolean isExpired(long now) {
        return expiry != 0 && now - expiry >= 0;
    }

    /** Sets the answer; whoever runs the command tells it. For queues. */
    public final Command endWith(long commandResult, int commandStatus) {
        result = commandResult;
        status = commandStatus;
        failure = null;
        return this;
    }

    /**
     * Sets the failure; whoever runs the command tells it. For queues.
     *
     * @param perhapsRun false if the controller certainly did not execute it
     */
    public final Command endWith(NvmeException cause, boolean perhapsRun) {
        failure = cause;
        mayHaveRun = perhapsRun;
        return this;
    }

    /** Tells the outcome. */
    @Override
    public final void run() {
        NvmeException cause = failure;
        if (cause == null) {
            completed(result, status);
        } else {
            failed(cause, mayHaveRun);
        }
    }
}
