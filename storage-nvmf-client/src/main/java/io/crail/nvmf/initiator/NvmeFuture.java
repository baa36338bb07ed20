// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeClosedException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeTimeoutException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The outcome of an asynchronous call. Waiting for it drives the initiator's I/O in the waiting
 * thread, for this future and for those derived from it. Dependents run in a thread that waits for
 * a future of the initiator, or in its progress thread, outside of all locks; they may wait for
 * other futures themselves.
 *
 * <p>Failures are {@link NvmeException}s. Cancelling gives the outcome up, not the command: buffers
 * belong to it until it ends all the same, so do not cancel what still holds a buffer of yours.
 *
 * @param <T> type of the result
 */
public final class NvmeFuture<T> extends CompletableFuture<T> {
    private final Engine engine;

    NvmeFuture(Engine engine) {
        this.engine = engine;
    }

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new NvmeFuture<>(engine);
    }

    /**
     * Waits for the result.
     *
     * @throws NvmeException the failure
     * @throws InterruptedIOException if the thread was interrupted; the call goes on
     */
    public T await() throws NvmeException, InterruptedIOException {
        return await(Long.MAX_VALUE / 4);
    }

    T await(long nanos) throws NvmeException, InterruptedIOException {
        try {
            if (!isDone() && !engine.await(this, nanos, true)) {
                throw new NvmeTimeoutException(
                        "no outcome within "
                                + TimeUnit.NANOSECONDS.toMillis(nanos)
                                + " ms, or the initiator was closed");
            }
            return super.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException(e.getMessage());
            interrupted.initCause(e);
            throw interrupted;
        } catch (CompletionException e) {
            if (e.getCause() instanceof NvmeException failure) {
                throw failure;
            }
            throw e;
        }
    }

    @Override
    public T join() {
        if (!isDone()) {
            try {
                if (!engine.await(this, Long.MAX_VALUE / 4, false)) {
                    completeExceptionally(closed());
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("an uninterruptible wait was interrupted", e);
            }
        }
        return super.join();
    }

    @Override
    public T get() throws InterruptedException, ExecutionException {
        if (!isDone() && !engine.await(this, Long.MAX_VALUE / 4, true)) {
            completeExceptionally(closed());
        }
        return super.get();
    }

    private static NvmeClosedException closed() {
        return new NvmeClosedException("the initiator was closed before the call had ended");
    }

    @Override
    public T get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (!isDone() && !engine.await(this, unit.toNanos(timeout), true)) {
            throw new TimeoutException("the future is not done after " + timeout + " " + unit);
        }
        return super.get();
    }
}
