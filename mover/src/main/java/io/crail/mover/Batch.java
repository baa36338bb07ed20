// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.mover;

import io.crail.client.CrailFuture;
import io.crail.client.CrailTiering;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.message.TierPlan;
import java.util.ArrayDeque;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out one plan: some blocks are on their way at a time, begun in the order of the plan, so
 * that where they go to is written in order. Whatever ends it, nothing is on its way any more when
 * {@link #run} returns. For one thread.
 */
final class Batch {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    /** What is no failure: somebody uses the node, or it has gone. */
    private static final Set<ErrorCode> SKIPPED =
            Set.of(ErrorCode.LEASE_HELD, ErrorCode.NO_SUCH_NODE, ErrorCode.STALE_REFERENCE);

    /** What the blocks behind would fail with, too. */
    private static final Set<ErrorCode> HOPELESS =
            Set.of(ErrorCode.OUT_OF_SPACE, ErrorCode.CLOSED, ErrorCode.ACCESS_DENIED);

    private record Moving(int index, CrailFuture<Boolean> done) {}

    private final CrailTiering tiering;
    private final TierPlan.Reply plan;
    private final int window;
    private final ArrayDeque<Moving> underWay = new ArrayDeque<>();
    private MoverStatistics statistics;
    private final Consumer<MoverStatistics> progress;
    private boolean hopeless;

    /**
     * A batch that has not begun.
     *
     * @param window blocks on their way at a time
     * @param before what was done before
     * @param progress hears of what was done in all, block by block
     */
    Batch(
            CrailTiering tiering,
            TierPlan.Reply plan,
            int window,
            MoverStatistics before,
            Consumer<MoverStatistics> progress) {
        this.tiering = tiering;
        this.plan = plan;
        this.window = window;
        this.statistics = before;
        this.progress = progress;
    }

    void run(RateLimit rate, long bytesPerSecond) throws InterruptedException {
        try {
            for (int i = 0; i < plan.extents().size() && !hopeless; i++) {
                if (underWay.size() == window) {
                    settle();
                }
                rate.acquire(plan.extents().get(i).length(), bytesPerSecond);
                underWay.add(new Moving(i, tiering.move(plan, i)));
            }
            while (!underWay.isEmpty()) {
                settle();
            }
        } finally {
            underWay.forEach(each -> each.done.cancel(true));
        }
    }

    private void settle() throws InterruptedException {
        Moving first = underWay.element();
        int length = plan.extents().get(first.index).length();
        try {
            boolean demoted = plan.firstClass() > plan.sourceClass();
            statistics =
                    first.done.get() ? statistics.moved(length, demoted) : statistics.skipped();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof CrailException cause)) {
                throw new AssertionError("a call fails with a CrailException", e);
            }
            fail(cause);
        }
        underWay.remove();
        progress.accept(statistics);
    }

    private void fail(CrailException cause) {
        if (SKIPPED.contains(cause.code())) {
            statistics = statistics.skipped();
            return;
        }
        hopeless |= HOPELESS.contains(cause.code());
        statistics = statistics.failed(String.valueOf(cause.getMessage()));
        if (cause.code() == ErrorCode.CORRUPT_DATA) {
            LOG.warn("Not moved: {}", cause.getMessage());
        } else {
            LOG.debug("Not moved: {}", cause.getMessage());
        }
    }
}
