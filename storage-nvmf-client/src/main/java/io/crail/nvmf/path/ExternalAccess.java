// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.ServerLostException;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.FabricReservations;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.wire.status.StatusCode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a target that knows no blocks: what takes the place of a guard there. Each
 * connection is a host of its own, so that what a lost one has left behind can be fenced before the
 * next one writes: a unit that is written in part must not be overwritten by an older state of it.
 * Thread-safe.
 */
final class ExternalAccess {
    /**
     * A connection that was lost with writes under way.
     *
     * @param key of its registration; 0: it had none
     * @param overAt when the target has given it up at the latest
     */
    record Leftover(long key, long overAt) {}

    private final EpochWatch watch;
    private final BlockGate gate;
    private final ExternalTiming timing;
    private final LongSupplier clock;

    private ExternalAccess(
            EpochWatch watch, BlockGate gate, ExternalTiming timing, LongSupplier clock) {
        this.watch = watch;
        this.gate = gate;
        this.timing = timing;
        this.clock = clock;
    }

    /**
     * Registers, fences what an earlier connection left, and reads the epoch. Waits for these.
     *
     * @param kept for how long the target keeps silent hosts; 0: for ever
     */
    static ExternalAccess open(
            String peer,
            FabricNamespace namespace,
            Duration kept,
            UnitIo units,
            ExternalTiming timing,
            LongSupplier clock,
            @Nullable Leftover leftover)
            throws CrailException, IOException {
        int salt = ThreadLocalRandom.current().nextInt();
        EpochWatch watch = new EpochWatch(namespace, timing, clock, salt);
        Optional<FabricReservations> reservations = register(peer, watch);
        if (kept.isZero() && reservations.isEmpty()) {
            throw new InternalException(
                    peer
                            + ": the target has neither reservations that fence nor a keep-alive"
                            + " timer, so nothing tells when a client has gone. The storage server"
                            + " needs another target");
        }
        if (leftover != null) {
            fence(peer, reservations.orElse(null), watch.key(), leftover, clock.getAsLong());
        }
        EpochWatch.Look look = watch.look();
        watch.acknowledge(look.epoch());
        BlockGate gate =
                new BlockGate(
                        units, peer, timing.validity().toNanos(), clock, look.epoch(), look.at());
        return new ExternalAccess(watch, gate, timing, clock);
    }

    private static Optional<FabricReservations> register(String peer, EpochWatch watch)
            throws CrailException, IOException {
        try {
            return watch.register();
        } catch (NvmeStatusException e) {
            if (e.code() == StatusCode.INTERNAL_ERROR) {
                throw new BusyException(
                        peer
                                + ": the target registers no more hosts for its reservations, or"
                                + " is in trouble ("
                                + e.getMessage()
                                + "). SPDK takes 16 for a namespace; this client tries again",
                        e);
            }
            throw e;
        }
    }

    private static void fence(
            String peer,
            @Nullable FabricReservations reservations,
            long key,
            Leftover leftover,
            long now)
            throws CrailException, IOException {
        if (reservations != null && leftover.key() != 0) {
            try {
                reservations.preemptAndAbort(EpochWatch.TYPE, key, leftover.key());
                if (isGone(reservations.report(), leftover.key())) {
                    return;
                }
                // Success says nothing at some targets: time tells.
            } catch (NvmeStatusException e) {
                if (e.code() != StatusCode.RESERVATION_CONFLICT) {
                    throw e;
                }
                // Somebody else fences it, perhaps at this moment: time tells.
            }
        }
        long left = leftover.overAt() - now;
        if (left > 0) {
            throw new BusyException(
                    peer
                            + ": the connection was lost with writes under way; waiting another "
                            + Duration.ofNanos(left).toMillis()
                            + " ms until the target has given it up");
        }
    }

    private static boolean isGone(ReservationStatus now, long key) {
        return now.count() <= now.registrants().size()
                && now.registrants().stream().noneMatch(each -> each.key() == key);
    }

    /** Lets a write begin when its block is known to have its generation still. */
    void enter(FlashJob job, FlashLink link) {
        gate.enter(
                job.block(),
                new BlockGate.Writer() {
                    @Override
                    public void entered(long token) {
                        job.whenAtRest(() -> gate.exit(token));
                        job.begin(link);
                    }

                    @Override
                    public void refused(CrailException why) {
                        job.fail(why);
                    }
                });
    }

    /** Begins to watch the epoch. */
    void start(FlashLink link, Runnable lost) {
        watch.start(gate, cause -> lost.run());
    }

    /** What must be fenced, if the connection is lost now; null: nothing is under way. */
    @Nullable Leftover leftover() {
        return gate.isEmpty()
                ? null
                : new Leftover(watch.key(), clock.getAsLong() + timing.association().toNanos());
    }

    /**
     * Lets nobody write any more.
     *
     * @param cause null: the connection is lost, so that nothing can be said over it
     */
    void close(@Nullable CrailException cause) {
        watch.close();
        gate.close(cause != null ? cause : new ServerLostException("the connection was lost"));
        if (cause != null && gate.isEmpty()) {
            watch.unregister();
        }
    }
}
