// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The result of an asynchronous call.
 *
 * <p>Waiting for it ({@code join}, {@code get}) drives the client's I/O in the waiting thread, for
 * this future and for those derived from it. Dependents run on the client's progress thread or on a
 * thread that waits for a future of this client, never on a thread in a blocking call; a dependent
 * may itself make blocking calls. {@link #cancel} cancels the operation: when it returns, the
 * client no longer touches the buffers that were handed in.
 *
 * <p>Failures are {@link io.crail.error.CrailException}s, wrapped as {@link CompletableFuture}
 * does.
 *
 * @param <T> type of the result
 */
public class CrailFuture<T> extends CompletableFuture<T> {
    CrailFuture() {}

    @Override
    public <U> CompletableFuture<U> newIncompleteFuture() {
        return new CrailFuture<>();
    }

    @Override
    public Executor defaultExecutor() {
        return super.defaultExecutor();
    }
}
