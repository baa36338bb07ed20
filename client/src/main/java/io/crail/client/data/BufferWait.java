// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Operation;
import io.crail.client.spi.BufferPool;
import io.crail.error.CrailException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Waits for a buffer of the pool on behalf of an operation. All methods run on the operation's
 * strand, except {@link #cancel} and the pool's callback, which only hand over to it.
 */
public final class BufferWait implements Cancellable {
    private final Operation operation;
    private final BufferPool pool;
    private final int bytes;
    private final CompletableFuture<BufferPool.Lease> future = new CompletableFuture<>();

    private BufferWait(Operation operation, BufferPool pool, int bytes) {
        this.operation = operation;
        this.pool = pool;
        this.bytes = bytes;
    }

    /** A buffer, as soon as the pool has one; on the operation's strand. */
    public static CompletableFuture<BufferPool.Lease> acquire(
            Operation operation, BufferPool pool, int bytes) {
        BufferPool.@Nullable Lease lease = pool.tryAcquire(bytes);
        if (lease != null) {
            return CompletableFuture.completedFuture(lease);
        }
        BufferWait wait = new BufferWait(operation, pool, bytes);
        operation.waitingFor(() -> "the buffer pool, which is exhausted: raise bufferPoolBytes");
        operation.add(wait);
        pool.whenAvailable(bytes, () -> operation.strand().execute(wait::tryAgain));
        return wait.future;
    }

    private void tryAgain() {
        if (future.isDone()) {
            return;
        }
        BufferPool.@Nullable Lease lease = pool.tryAcquire(bytes);
        if (lease == null) {
            pool.whenAvailable(bytes, () -> operation.strand().execute(this::tryAgain));
            return;
        }
        operation.remove(this);
        future.complete(lease);
    }

    @Override
    public void cancel(CrailException cause) {
        operation.strand().execute(() -> future.completeExceptionally(cause));
    }
}
