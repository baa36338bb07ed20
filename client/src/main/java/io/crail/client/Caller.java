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
        return call(what, "", steps);
    }

    /** As {@link #call(String, Steps)}, with the words for messages: what it does, on what. */
    <T> T call(String verb, String object, Steps<T> steps) throws CrailException {
        return callUnlessInterrupted(operation(engine.newStrand(), verb, object), steps);
    }

    /** As {@link #call(String, Steps)}, on the strand of a stream. */
    <T> T call(String what, Strand strand, Steps<T> steps) throws CrailException {
        return callUnlessInterrupted(operation(strand, what, ""), steps);
    }

    private <T> T callUnlessInterrupted(Operation operation, Steps<T> steps) throws CrailException {
        if (Thread.currentThread().isInterrupted()) {
            throw new CancelledException(operation.what() + ": the thread is interrupted");
        }
        return call(operation, steps, true);
    }

    /** As {@link #call(String, Strand, Steps)}; an interrupt does not end it. */
    <T> T callToTheEnd(String what, Strand strand, Steps<T> steps) throws CrailException {
        return call(operation(strand, what, ""), steps, false);
    }

    private Operation operation(Strand strand, String verb, String object) {
        return engine.newOperation(strand, verb, object, timeoutNanos);
    }

    private static <T> T call(Operation operation, Steps<T> steps, boolean interruptible)
            throws CrailException {
        operation.awaited();
        Strand strand = operation.strand();
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
        return begin(what, "", steps);
    }

    /** As {@link #begin(String, Steps)}, with the words for messages: what it does, on what. */
    <T> CrailFuture<T> begin(String verb, String object, Steps<T> steps) {
        return begin(operation(engine.newStrand(), verb, object), null, steps);
    }

    /** As {@link #begin(String, Steps)}, for a stream, whose strand holds the buffers. */
    <T> CrailFuture<T> begin(String what, @Nullable Strand stream, Steps<T> steps) {
        return begin(operation(engine.newStrand(), what, ""), stream, steps);
    }

    private <T> CrailFuture<T> begin(Operation operation, @Nullable Strand stream, Steps<T> steps) {
        Strand strand = operation.strand();
        CrailFuture<T> result = new CrailFuture<>(engine, operation, stream);
        if (!admit(operation, result)) {
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
    private boolean admit(Operation operation, CrailFuture<?> result) {
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
                        ? new CancelledException(
                                operation.what() + ": interrupted while waiting for its turn")
                        : new BusyException(
                                operation.what()
                                        + ": "
                                        + MAX_ASYNC
                                        + " asynchronous calls are under way"));
        return false;
    }
}
