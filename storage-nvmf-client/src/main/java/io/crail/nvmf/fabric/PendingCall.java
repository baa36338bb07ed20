// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeTimeoutException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A completion that a thread waits for. Used for one call. Thread-safe. */
public final class PendingCall implements IoCompletion {
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile @Nullable NvmeException cause;

    @Override
    public void ended(@Nullable NvmeException failure) {
        cause = failure;
        done.countDown();
    }

    /**
     * Waits for the end.
     *
     * @throws NvmeException what the call ended with; or that it has not ended within the bound:
     *     then its buffer still belongs to it, until its connection was closed
     * @throws InterruptedIOException if the thread was interrupted; the same holds
     */
    public void await(Duration bound) throws NvmeException, InterruptedIOException {
        try {
            if (!done.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new NvmeTimeoutException("no outcome within " + bound.toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException(e.getMessage());
            interrupted.initCause(e);
            throw interrupted;
        }
        NvmeException failure = cause;
        if (failure != null) {
            throw failure;
        }
    }
}
