// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.mover;

import io.crail.client.CrailClient;
import io.crail.client.CrailTiering;
import io.crail.error.CrailException;
import io.crail.protocol.message.TierPlan;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves blocks between storage classes as the namenode plans, until it is closed.
 *
 * <p>One daemon thread asks for a plan of up to {@value #BATCH_BYTES} bytes, carries it out, and
 * asks for the next; it owns all state but the published statistics. It loses nothing when it
 * stops, whenever that is: a copy that was not swapped in is a block granted to its session, and is
 * freed with that; a block that was swapped is moved. It waits for nothing without a bound: calls
 * have the client's deadline, failures are followed by longer and longer pauses.
 *
 * <p>Thread-safe.
 */
public final class Mover implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Mover.class);
    static final int BATCH_BYTES = 64 << 20;
    static final int BATCH_SECONDS = 4;

    /**
     * While what was moved is not paid for, the namenode is asked so often for nothing: the rate
     * may be another one, and the claim stands.
     */
    private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final long NEEDED_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Between two questions that the namenode answers with "go on": it has others to serve. */
    private static final long BREATH_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LAST_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long CLOSE_MILLIS = 15_000;

    private final MoverConfig config;
    private final Pause pause;
    private final RateLimit rate;
    private final Thread thread;
    private volatile MoverStatistics statistics = MoverStatistics.NONE;
    private volatile boolean closed;
    private @Nullable CrailClient client;
    private long backoff;
    private long limit;
    private int claimed;

    private Mover(MoverConfig config, LongSupplier clock, Pause pause) {
        this.config = config;
        this.limit = config.bytesPerSecond();
        this.pause = pause;
        this.rate = new RateLimit(clock, pause);
        this.thread = new Thread(this::run, "crail-mover-" + config.server());
        thread.setDaemon(true);
    }

    /** Starts a mover; it connects when it is needed, and again when it has to. */
    public static Mover start(MoverConfig config) {
        Mover mover = new Mover(config, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
        mover.thread.start();
        return mover;
    }

    public MoverStatistics statistics() {
        return statistics;
    }

    private void run() {
        try {
            while (!closed) {
                step();
            }
        } catch (InterruptedException e) {
            LOG.debug("The mover for storage server {} ends", config.server());
        } finally {
            // An interrupted thread could not end the session, and its grants would live on.
            Thread.interrupted();
            disconnect();
        }
    }

    private void step() throws InterruptedException {
        if (!config.needed().getAsBoolean()) {
            disconnect();
            pause.nanos(NEEDED_NANOS);
            return;
        }
        try {
            work(connected());
        } catch (CrailException e) {
            if (closed || Thread.currentThread().isInterrupted()) {
                throw new InterruptedException();
            }
            tell(e);
            disconnect();
            backOff();
        }
    }

    private void work(CrailClient connected) throws CrailException, InterruptedException {
        boolean owing = rate.owedNanos(limit) > ASK_NANOS;
        CrailTiering tiering = connected.admin().tiering();
        TierPlan.Reply plan =
                owing ? tiering.plan(claimed, 0) : tiering.plan(config.server(), batchBytes());
        claimed = plan.server();
        limit = plan.bytesPerSecond() > 0 ? plan.bytesPerSecond() : config.bytesPerSecond();
        if (owing && plan.extents().isEmpty()) {
            pause.nanos(Math.min(ASK_NANOS, rate.owedNanos(limit)));
            return;
        }
        if (plan.extents().isEmpty()) {
            long wait = TimeUnit.MILLISECONDS.toNanos(plan.waitMillis());
            pause.nanos(Math.max(BREATH_NANOS, Math.min(wait, LAST_BACKOFF_NANOS)));
            return;
        }
        MoverStatistics before = statistics;
        tiering.move(
                plan,
                (long) config.blocks() << 20,
                new Batch(plan, rate, limit, before, now -> statistics = now));
        if (statistics.failedBlocks() > before.failedBlocks()
                && statistics.movedBlocks() == before.movedBlocks()) {
            backOff();
        } else {
            backoff = 0;
        }
    }

    /** Of a slow mover so much that it asks again while it is still known to be at work. */
    private int batchBytes() {
        return limit == 0
                ? BATCH_BYTES
                : (int) (BATCH_SECONDS * Math.min(BATCH_BYTES / BATCH_SECONDS, limit));
    }

    private CrailClient connected() throws CrailException {
        CrailClient known = client;
        if (known == null) {
            known = CrailClient.connect(config.client());
            client = known;
        }
        return known;
    }

    private void disconnect() {
        CrailClient known = client;
        client = null;
        if (known != null) {
            known.close();
        }
    }

    /** Each reason once, until there is another. */
    private void tell(CrailException cause) {
        String why = String.valueOf(cause.getMessage());
        if (!why.equals(statistics.failure())) {
            LOG.info("Nothing moves between storage classes from here now: {}", why);
        }
        statistics = statistics.without(why);
    }

    private void backOff() throws InterruptedException {
        backoff = Math.min(LAST_BACKOFF_NANOS, Math.max(FIRST_BACKOFF_NANOS, 2 * backoff));
        pause.nanos(backoff);
    }

    /** Ends it; what was swapped is moved, what was not is where it was. Idempotent. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        boolean interrupted = false;
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (thread.isAlive() && !interrupted) {
            LOG.warn("A mover is still ending; its session times out");
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
