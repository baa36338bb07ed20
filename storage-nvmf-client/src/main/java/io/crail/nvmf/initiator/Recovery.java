// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator;

import io.crail.nvmf.initiator.engine.Engine;
import io.crail.nvmf.initiator.error.NvmeConnectException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeNamespaceChangedException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a lost controller back: sets up a new life, again and again with growing pauses, until
 * that succeeds, the time is over, the controller says that it is no use, or it is closed. Runs in
 * a daemon thread of its own, which exists only for that time: the set-up waits for one answer
 * after the other.
 */
final class Recovery implements Runnable {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final long MAX_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final NvmeController controller;
    private final NvmeException lostBy;
    private final long limitNanos;

    /**
     * @param limitNanos after which no further attempt begins; 0 for one attempt
     */
    Recovery(NvmeController controller, NvmeException lostBy, long limitNanos) {
        this.controller = controller;
        this.lostBy = lostBy;
        this.limitNanos = limitNanos;
    }

    @Override
    public void run() {
        try {
            attempt();
        } catch (InterruptedIOException e) {
            controller.giveUp(gaveUp("the thread was interrupted", e));
        } catch (RuntimeException e) {
            LOG.error("{}: a fault of the initiator ends the recovery", controller.address(), e);
            controller.giveUp(gaveUp("a fault of the initiator", e));
        }
    }

    private void attempt() throws InterruptedIOException {
        Engine engine = controller.engine();
        long start = engine.nanoTime();
        long pause = controller.config().reconnectDelay().toNanos();
        NvmeException last = lostBy;
        while (!controller.isClosed()) {
            try {
                controller.comeBack();
                LOG.info("{} is back", controller.address());
                return;
            } catch (NvmeException e) {
                last = e;
                LOG.info("{} is not back yet: {}", controller.address(), e.toString());
            }
            controller.expireParked();
            if (isUseless(last) || engine.nanoTime() - start >= limitNanos) {
                break;
            }
            pause(engine, pause);
            pause = Math.min(MAX_PAUSE_NANOS, pause * 2);
        }
        controller.giveUp(gaveUp(String.valueOf(last.getMessage()), last));
    }

    private void pause(Engine engine, long nanos) throws InterruptedIOException {
        NvmeFuture<Void> over = new NvmeFuture<>(engine);
        engine.schedule(nanos, () -> engine.complete(() -> over.complete(null)));
        try {
            over.await();
        } catch (NvmeException e) {
            LOG.debug("The initiator was closed during a pause.", e);
        }
    }

    /** Whether attempts would end in the same way for some time: this host is not let in. */
    private static boolean isUseless(NvmeException cause) {
        if (cause instanceof NvmeStatusException refusal) {
            return Status.isDoNotRetry(refusal.status())
                    || refusal.code() == StatusCode.CONNECT_INVALID_HOST;
        }
        return cause instanceof NvmeNamespaceChangedException
                || cause instanceof NvmeUnsupportedException;
    }

    private NvmeException gaveUp(String why, Throwable cause) {
        return new NvmeConnectException(
                controller.address()
                        + " was lost ("
                        + lostBy.getMessage()
                        + ") and did not come back: "
                        + why,
                cause);
    }
}
