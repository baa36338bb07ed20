// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.mover;

import io.crail.client.CrailTiering;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.protocol.message.TierPlan;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pace and the account of one plan that is carried out: waits for the rate limit before each
 * block, ends with what takes longer than {@value Mover#BATCH_SECONDS} s, and counts what becomes
 * of all. For one thread.
 */
final class Batch implements CrailTiering.Moves {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);

    /** What is no failure: somebody uses the node. */
    private static final Set<ErrorCode> SKIPPED = Set.of(ErrorCode.LEASE_HELD);

    /** What the blocks behind would fail with, too. */
    private static final Set<ErrorCode> HOPELESS =
            Set.of(ErrorCode.OUT_OF_SPACE, ErrorCode.CLOSED, ErrorCode.ACCESS_DENIED);

    private final TierPlan.Reply plan;
    private final RateLimit rate;
    private final long bytesPerSecond;
    private final Consumer<MoverStatistics> progress;
    private MoverStatistics statistics;
    private boolean hopeless;
    private long passed;

    /**
     * The account of a plan that has not begun.
     *
     * @param before what was done before
     * @param progress hears of what was done in all, block by block
     */
    Batch(
            TierPlan.Reply plan,
            RateLimit rate,
            long bytesPerSecond,
            MoverStatistics before,
            Consumer<MoverStatistics> progress) {
        this.plan = plan;
        this.rate = rate;
        this.bytesPerSecond = bytesPerSecond;
        this.statistics = before;
        this.progress = progress;
    }

    @Override
    public boolean begin(int index) throws InterruptedException {
        if (hopeless || isLong()) {
            return false;
        }
        int length = plan.extents().get(index).length();
        rate.acquire(length, bytesPerSecond);
        passed += length;
        return true;
    }

    /**
     * A plan that was asked for under a higher limit than that of now; what is left of it is found
     * again by a later one.
     */
    private boolean isLong() {
        return bytesPerSecond > 0 && passed / Mover.BATCH_SECONDS >= bytesPerSecond;
    }

    @Override
    public void ended(int index, boolean moved) {
        boolean demoted = plan.firstClass() > plan.sourceClass();
        int length = plan.extents().get(index).length();
        tell(moved ? statistics.moved(length, demoted) : statistics.skipped());
    }

    @Override
    public void failed(int index, CrailException cause) {
        if (SKIPPED.contains(cause.code())) {
            tell(statistics.skipped());
            return;
        }
        hopeless |= HOPELESS.contains(cause.code());
        tell(statistics.failed(String.valueOf(cause.getMessage())));
        if (cause.code() == ErrorCode.CORRUPT_DATA) {
            LOG.warn("Not moved: {}", cause.getMessage());
        } else {
            LOG.debug("Not moved: {}", cause.getMessage());
        }
    }

    private void tell(MoverStatistics now) {
        statistics = now;
        progress.accept(now);
    }
}
