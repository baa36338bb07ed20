// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Strand;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The result of an asynchronous call.
 *
 * <p>Waiting for it ({@code join}, {@code get}) drives the client's I/O in the waiting thread, for
 * this future and for those derived from it. Dependents run on the client's progress thread or on a
 * thread that waits for a future of this client, never on a thread in a blocking call; a dependent
 * may itself make blocking calls. {@link #cancel} cancels the operation: when it returns, the
 * client no longer touches the buffers that were handed in.
 *
 * <p>Failures are {@link CrailException}s, wrapped as {@link CompletableFuture} does.
 *
 * @param <T> type of the result
 */
public final class CrailFuture<T> extends CompletableFuture<T> {
    private final Engine engine;
    private final @Nullable Operation operation;
    private final @Nullable Strand stream;

    /**
     * @param operation what is called off by a cancel
     * @param stream strand of the stream that holds the buffers, if one does
     */
    CrailFuture(Engine engine, @Nullable Operation operation, @Nullable Strand stream) {
        this.engine = engine;
        this.operation = operation;
        this.stream = stream;
    }

    /** Completes with the outcome; a resource that comes too late is closed again. */
    void settle(@Nullable T value, @Nullable CrailException cause) {
        if (cause != null) {
            completeExceptionally(cause);
        } else if (!complete(value)) {
            if (value instanceof CrailOutputStream stream) {
                stream.abort();
            } else if (value instanceof CrailFile file) {
                file.close();
            } else if (value instanceof CrailView view) {
                view.close();
            }
        }
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CrailFuture<>(engine, null, null);
    }

    @Override
    public T join() {
        engine.asksForOutcome();
        if (!isDone()) {
            engine.awaitFuture(this, Long.MAX_VALUE / 2, false);
        }
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        engine.asksForOutcome();
        if (!isDone()) {
            awaitInterruptibly(Long.MAX_VALUE / 2);
        }
        return super.get();
    }

    @Override
    public T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        engine.asksForOutcome();
        if (!isDone()
                && awaitInterruptibly(unit.toNanos(timeout)) == Engine.Outcome.TIMED_OUT
                && !isDone()) {
            throw new TimeoutException("the future is not done after " + timeout + " " + unit);
        }
        return super.get();
    }

    private Engine.Outcome awaitInterruptibly(long nanos) throws InterruptedException {
        Engine.Outcome outcome = engine.awaitFuture(this, nanos, true);
        if (outcome == Engine.Outcome.INTERRUPTED) {
            Thread.interrupted();
            throw new InterruptedException("interrupted while waiting for a future");
        }
        return outcome;
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        Operation called = operation;
        if (cancelled && called != null) {
            called.cancel(new CancelledException(called.what() + " was cancelled"));
            // Steps that are running now, and those that let go of the buffers, end before this
            // returns.
            if (stream != null) {
                stream.drain();
            }
            called.strand().drain();
        }
        return cancelled;
    }
}
