// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.engine;

import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.TimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One call of the application, or one background step of a stream: what it is (for messages), until
 * when, on which strand its continuations run, and what must be called off when it ends early.
 *
 * <p>Thread-safe. After {@link #cancel} returned, no buffer of the operation is touched any more,
 * whoever called it off: the deadline may pass in one thread ({@link #expire}) while the owner of
 * the buffers calls it off in another one and then reuses them. The first one calls off the parts,
 * without a lock, because they take locks of their own; all others wait until it has. Waiting
 * cannot go round in a circle: parts wait for copies and for locks that nobody holds who calls an
 * operation off, and where a part is an operation itself, it does not call off the one that it is a
 * part of. {@link #expire} hands out no buffer and waits for nobody, because it runs on the poller.
 */
public final class Operation {
    /** Parts are called off in microseconds; one that takes this long never will be. */
    private static final long LONGEST_CALL_OFF_NANOS = TimeUnit.MINUTES.toNanos(1);

    private record Reminder(long due, long interval, Runnable task) {}

    /** A list, mostly of one: most operations have one call under way, and no array for it. */
    private static final class Parts {
        private @Nullable Cancellable one;
        private @Nullable List<Cancellable> others;

        int size() {
            List<Cancellable> list = others;
            return (one == null ? 0 : 1) + (list == null ? 0 : list.size());
        }

        void add(Cancellable part) {
            if (one == null && others == null) {
                one = part;
                return;
            }
            List<Cancellable> list = others;
            if (list == null) {
                list = new ArrayList<>(4);
                others = list;
            }
            list.add(part);
        }

        void remove(Cancellable part) {
            List<Cancellable> list = others;
            if (part.equals(one)) {
                one = null;
            } else if (list != null) {
                list.remove(part);
            }
        }

        /** In the order in which they came. */
        List<Cancellable> takeAll() {
            List<Cancellable> all = new ArrayList<>();
            Cancellable first = one;
            List<Cancellable> list = others;
            if (first != null) {
                all.add(first);
            }
            if (list != null) {
                all.addAll(list);
            }
            one = null;
            others = null;
            return all;
        }
    }

    private final Engine engine;
    private final Strand strand;
    private final String verb;
    private final String object;
    private final long deadlineNanos;
    private final long timeoutNanos;

    /** What to call off; its lock also tells when that has been done. */
    private final Parts outstanding = new Parts();

    /** Held while bytes of its buffers are moved, and by whoever calls it off. */
    private final Object moving = new Object();

    private volatile @Nullable CrailException cancelled;

    /** Who is calling off the parts now. Under the lock of {@link #outstanding}. */
    private @Nullable Thread callingOff;

    private volatile boolean awaited;
    private volatile @Nullable Supplier<String> waitingFor;
    private volatile @Nullable Reminder reminder;

    Operation(Engine engine, Strand strand, String verb, String object, long timeoutNanos) {
        this.engine = engine;
        this.strand = strand;
        this.verb = verb;
        this.object = object;
        this.timeoutNanos = timeoutNanos;
        this.deadlineNanos = engine.nanoTime() + timeoutNanos;
    }

    public Engine engine() {
        return engine;
    }

    public Strand strand() {
        return strand;
    }

    /** What it does on what: "get from table /t". Made when somebody asks, which is seldom. */
    public String what() {
        return verb + object;
    }

    /** Its whole deadline. */
    public long timeoutNanos() {
        return timeoutNanos;
    }

    public long remainingNanos() {
        return deadlineNanos - engine.nanoTime();
    }

    /** Remaining time for a frame header: 1 ms at least, since 0 would mean "none". */
    public int remainingMillis() {
        long millis = TimeUnit.NANOSECONDS.toMillis(remainingNanos());
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE, millis));
    }

    /** The same in every run with the same clock, so that a set of operations has a fixed order. */
    @Override
    public int hashCode() {
        return Long.hashCode(deadlineNanos);
    }

    /** Identity. */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    /** Says, for the message of a timeout, what is waited for now. */
    public void waitingFor(Supplier<String> whom) {
        waitingFor = whom;
    }

    /** Why it was called off, or null. */
    public @Nullable CrailException cancelled() {
        return cancelled;
    }

    /** Throws what the operation was called off with, if it was. */
    public void check() throws CrailException {
        CrailException cause = cancelled;
        if (cause != null) {
            throw cause;
        }
    }

    /** Its starter waits for its outcome in {@link #join}, and does nothing else until then. */
    public Operation awaited() {
        awaited = true;
        return this;
    }

    /**
     * Whether the calling thread will wait for the one part that is under way, before it does
     * anything else.
     */
    public boolean isAwaitedAlone() {
        if (!awaited || !strand.isMine()) {
            return false;
        }
        synchronized (outstanding) {
            return outstanding.size() == 1;
        }
    }

    /** Adds something to call off; calls it off now if the operation is over. */
    public void add(Cancellable part) {
        CrailException cause;
        synchronized (outstanding) {
            cause = cancelled;
            if (cause == null) {
                outstanding.add(part);
                return;
            }
        }
        part.cancel(cause);
    }

    public void remove(Cancellable part) {
        synchronized (outstanding) {
            outstanding.remove(part);
        }
    }

    /**
     * Moves bytes of its buffers in the calling thread, unless it has been called off; who calls it
     * off meanwhile waits for the end of the move. That is short and calls nobody back.
     *
     * @return what the move says; false if it did not begin
     */
    public boolean moveUnlessCancelled(BooleanSupplier move) {
        synchronized (moving) {
            return cancelled == null && move.getAsBoolean();
        }
    }

    /** Calls the operation off; the first cause wins. */
    public void cancel(CrailException cause) {
        if (!callOff(cause)) {
            awaitCalledOff();
        }
    }

    /** Calls the operation off, unless that has been done, or is being done, already. */
    private boolean callOff(CrailException cause) {
        List<Cancellable> parts;
        synchronized (moving) {
            synchronized (outstanding) {
                if (cancelled != null) {
                    return false;
                }
                cancelled = cause;
                callingOff = Thread.currentThread();
                parts = outstanding.takeAll();
            }
        }
        try {
            if (cause.code() == ErrorCode.TIMEOUT) {
                engine.counters().timeouts.increment();
            }
            parts.forEach(part -> part.cancel(cause));
        } finally {
            synchronized (outstanding) {
                callingOff = null;
                outstanding.notifyAll();
            }
        }
        return true;
    }

    /** Until nothing is under way any more; at once in the thread that is calling the parts off. */
    private void awaitCalledOff() {
        boolean interrupted = false;
        long end = engine.nanoTime() + LONGEST_CALL_OFF_NANOS;
        synchronized (outstanding) {
            while (callingOff != null && callingOff != Thread.currentThread()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - engine.nanoTime());
                if (left <= 0) {
                    throw new IllegalStateException(
                            what() + " is still being called off by " + callingOff);
                }
                try {
                    outstanding.wait(left);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Has a task run on the strand whenever the operation has gone on for so long again; while the
     * engine watches it.
     */
    public void remindEvery(long nanos, Runnable task) {
        reminder = new Reminder(engine.nanoTime() + nanos, nanos, task);
    }

    /** Calls the operation off if its deadline has passed; does not wait for another who does. */
    boolean expire() {
        if (remainingNanos() > 0) {
            remind();
            return false;
        }
        callOff(timeout());
        return true;
    }

    private void remind() {
        Reminder now = reminder;
        if (now != null && engine.nanoTime() - now.due() >= 0) {
            remindEvery(now.interval(), now.task());
            strand.execute(now.task());
        }
    }

    /**
     * Waits for the outcome of a step of this operation; the caller owns its strand. When this ends
     * early, by the deadline or by an interrupt, the operation has been called off.
     */
    public <T> T join(CompletableFuture<T> step, boolean interruptible) throws CrailException {
        Engine.Outcome outcome =
                engine.await(strand, step::isDone, remainingNanos(), interruptible);
        if (outcome != Engine.Outcome.DONE) {
            cancel(
                    outcome == Engine.Outcome.TIMED_OUT
                            ? timeout()
                            : new CancelledException(what() + " was interrupted"));
            strand.runTasks();
        }
        return Outcomes.get(this, step);
    }

    /** Calls the operation off, as when its deadline passes. */
    public void timeOut() {
        cancel(timeout());
    }

    TimeoutException timeout() {
        Supplier<String> whom = waitingFor;
        return new TimeoutException(
                what()
                        + " did not finish within its deadline of "
                        + TimeUnit.NANOSECONDS.toMillis(timeoutNanos)
                        + " ms"
                        + (whom == null ? "" : "; it was waiting for " + whom.get()));
    }
}
