// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.error.BusyException;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a call: in the calling thread until there is an outcome, or in the background
 * with a future. Thread-safe.
 */
final class Caller {
    /** Asynchronous calls under way; further ones wait. */
    private static final int MAX_ASYNC = 4096;

    /** The steps of one call. */
    @FunctionalInterface
    interface Steps<T> {
        CompletableFuture<T> start(Operation operation) throws CrailException;
    }

    private final Engine engine;
    private final AtomicInteger underWay;
    private final long timeoutNanos;

    private Caller(Engine engine, AtomicInteger underWay, long timeoutNanos) {
        this.engine = engine;
        this.underWay = underWay;
        this.timeoutNanos = timeoutNanos;
    }

    static Caller of(Engine engine, long timeoutNanos) {
        return new Caller(engine, new AtomicInteger(), timeoutNanos);
    }

    /** The same with another deadline. */
    Caller withTimeout(long nanos) {
        return new Caller(engine, underWay, nanos);
    }

    long timeoutNanos() {
        return timeoutNanos;
    }

    /** Makes a call and waits for its outcome. */
    <T> T call(String what, Steps<T> steps) throws CrailException {
        return call(what, engine.newStrand(), steps);
    }

    /** As {@link #call(String, Steps)}, on the strand of a stream. */
    <T> T call(String what, Strand strand, Steps<T> steps) throws CrailException {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancelledException(what + ": the thread is interrupted");
        }
        return call(what, strand, steps, true);
    }

    /** As {@link #call(String, Strand, Steps)}; an interrupt does not end it. */
    <T> T callToTheEnd(String what, Strand strand, Steps<T> steps) throws CrailException {
        return call(what, strand, steps, false);
    }

    private <T> T call(String what, Strand strand, Steps<T> steps, boolean interruptible)
            throws CrailException {
        Operation operation = engine.newOperation(strand, what, timeoutNanos).awaited();
        strand.enter();
        try {
            return operation.join(steps.start(operation), interruptible);
        } finally {
            strand.exit();
        }
    }

    /** Waits on a strand that the caller has entered. */
    Engine.Outcome await(Strand strand, BooleanSupplier done, long nanos) {
        return engine.await(strand, done, nanos, true);
    }

    /** Makes a call in the background. */
    <T> CrailFuture<T> begin(String what, Steps<T> steps) {
        return begin(what, null, steps);
    }

    /** As {@link #begin(String, Steps)}, for a stream, whose strand holds the buffers. */
    <T> CrailFuture<T> begin(String what, @Nullable Strand stream, Steps<T> steps) {
        Strand strand = engine.newStrand();
        Operation operation = engine.newOperation(strand, what, timeoutNanos);
        CrailFuture<T> result = new CrailFuture<>(engine, operation, stream);
        if (!admit(what, result)) {
            return result;
        }
        engine.retain();
        engine.watch(operation);
        strand.enter();
        try {
            Outcomes.whenDone(
                    started(operation, steps),
                    (value, cause) -> {
                        engine.unwatch(operation);
                        engine.release();
                        underWay.decrementAndGet();
                        engine.deliver(() -> result.settle(value, cause));
                    });
        } finally {
            strand.exit();
        }
        return result;
    }

    private static <T> CompletableFuture<T> started(Operation operation, Steps<T> steps) {
        try {
            return steps.start(operation);
        } catch (CrailException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Back-pressure: the caller waits, driving I/O, until fewer calls are under way. */
    private boolean admit(String what, CrailFuture<?> result) {
        if (underWay.incrementAndGet() <= MAX_ASYNC) {
            return true;
        }
        Engine.Outcome outcome =
                engine.await(null, () -> underWay.get() <= MAX_ASYNC, timeoutNanos, true);
        if (outcome == Engine.Outcome.DONE) {
            return true;
        }
        underWay.decrementAndGet();
        result.completeExceptionally(
                outcome == Engine.Outcome.INTERRUPTED
                        ? new CancelledException(what + ": interrupted while waiting for its turn")
                        : new BusyException(
                                what + ": " + MAX_ASYNC + " asynchronous calls are under way"));
        return false;
    }
}
