// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.nvmf.initiator.ReservationStatus;
import io.crail.nvmf.initiator.ReservationStatus.Registrant;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.layout.OwnerRecord;
import io.crail.storage.block.BlockTable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out when nobody can write a freed block any more at a target that knows no blocks, and
 * keeps the owner record. The argument is in docs/adr/0021-flash-tier.md, "External targets".
 *
 * <p>A round: look whether the namespace is still ours; raise the epoch if blocks came into
 * quarantine since the last one; then let out what is safe. With reservations that are blocks of
 * epochs that every registered host has acknowledged in its key; one that does not in time is
 * preempted, and its commands aborted. Without them, and where not all hosts can be seen, that are
 * blocks that were held for {@link ExternalTiming#quarantine}.
 *
 * <p>A host that could not be preempted may have lost its registration, and yet have commands under
 * way, to any block that it knew: also to such as are freed later. So for the time of a quarantine
 * acknowledgements tell nothing then, and each block is held for its own.
 *
 * <p><b>Threads.</b> One thread makes rounds; it waits for the target, with bounds. All fields but
 * those under the lock are its own.
 */
final class Fence implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Fence.class);
    private static final long CLOSE_MILLIS = 15_000;

    /** Keep-alive timeouts until a host that does not acknowledge is preempted. */
    private static final int PATIENCE = 2;

    private final RemoteMedium medium;
    private final OwnerEntry entry;
    private final Ownership ownership;
    private final ExternalTiming timing;
    private final Quarantine quarantine;
    private final Deallocation exit;
    private final BlockTable table;
    private final LongSupplier clock;
    private final Consumer<CrailException> lost;
    private final Thread thread;
    private long epoch;
    private boolean complained;

    /** When preempting failed last. */
    private long doubtedAt;

    /** What waits for a quarantine of the whole namespace, and since when. */
    private @Nullable Runnable whole;

    private long wholeSince;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by the lock, as is the next. */
    private boolean closed;

    private boolean left;

    /**
     * @param exit started and closed with this
     * @param before what an earlier life wrote
     * @param lost told, once, that somebody else has taken the namespace
     */
    Fence(
            RemoteMedium medium,
            OwnerEntry entry,
            Ownership ownership,
            ExternalTiming timing,
            Quarantine quarantine,
            Deallocation exit,
            BlockTable table,
            LongSupplier clock,
            Optional<OwnerRecord> before,
            Consumer<CrailException> lost) {
        this.medium = medium;
        this.entry = entry;
        this.ownership = ownership;
        this.timing = timing;
        this.quarantine = quarantine;
        this.exit = exit;
        this.table = table;
        this.clock = clock;
        this.lost = lost;
        this.epoch = before.map(OwnerRecord::epoch).orElse(0L);
        this.doubtedAt = clock.getAsLong() - timing.quarantine().toNanos();
        this.thread = new Thread(this::run, "crail-nvmf-fence");
        thread.setDaemon(true);
    }

    /**
     * Writes the record of this life, and begins.
     *
     * @param later run by a round when a quarantine of the whole namespace is over; null: nothing
     */
    void start(@Nullable Runnable later) throws IOException {
        whole = later;
        wholeSince = clock.getAsLong();
        epoch++;
        entry.write(epoch, false);
        long now = clock.getAsLong();
        quarantine.those(each -> true).forEach(each -> each.announced(epoch, now));
        exit.start();
        thread.start();
    }

    private void run() {
        while (await()) {
            try {
                round();
                complained = false;
            } catch (InvalidArgumentException e) {
                LOG.error("Serving {} has ended: {}", medium.name(), e.getMessage());
                lost.accept(e);
                return;
            } catch (IOException e) {
                if (!complained) {
                    complained = true;
                    LOG.warn("Freed blocks wait, it is tried again: {}", e.getMessage());
                }
            } catch (RuntimeException e) {
                LOG.error("A fault of this server keeps freed blocks from use", e);
            }
        }
    }

    /** Waits for the next round, letting blocks out meanwhile; false: there is none. */
    private boolean await() {
        long rest = timing.look().toNanos();
        while (true) {
            lock.lock();
            try {
                while (rest > 0 && !left && !closed) {
                    rest = changed.awaitNanos(rest);
                }
                if (closed) {
                    return false;
                }
                left = false;
            } catch (InterruptedException e) {
                LOG.warn("Nobody interrupts this thread; going on", e);
            } finally {
                lock.unlock();
            }
            table.recheck();
            if (rest <= 0) {
                return true;
            }
        }
    }

    /** Blocks are not pinned any more: by the thread that writes counters. */
    private void left() {
        lock.lock();
        try {
            left = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    private void round() throws IOException {
        entry.check();
        List<Quarantine.Held> fresh = quarantine.those(each -> each.epoch() == 0);
        if (!fresh.isEmpty()) {
            epoch++;
        }
        entry.write(epoch, false);
        long now = clock.getAsLong();
        fresh.forEach(each -> each.announced(epoch, now));
        long bound = timing.quarantine().toNanos();
        boolean answered =
                ownership.isReserved()
                        && now - doubtedAt >= bound
                        && (quarantine.size() == 0 || acknowledged(now));
        exit.leave(
                quarantine.those(
                        each ->
                                each.epoch() > 0
                                        && (!answered || each.isByTime())
                                        && now - each.since() >= bound),
                this::left);
        Runnable waiting = whole;
        if (waiting != null && now - wholeSince >= bound) {
            whole = null;
            waiting.run();
        }
    }

    /** Lets out what all hosts have acknowledged; false if only time tells. */
    private boolean acknowledged(long now) throws IOException {
        ReservationStatus status = ownership.report();
        if (status.count() > status.registrants().size()) {
            return false; // Whom we do not see may not have acknowledged: time tells.
        }
        List<Registrant> clients =
                status.registrants().stream().filter(r -> !HostKey.isServer(r.key())).toList();
        long least = clients.stream().mapToLong(r -> HostKey.epoch(r.key())).min().orElse(epoch);
        exit.leave(quarantine.those(each -> each.epoch() > 0 && each.epoch() <= least), this::left);
        long patience = PATIENCE * timing.keepAlive().toNanos();
        long due =
                quarantine.those(each -> now - each.since() >= patience).stream()
                        .mapToLong(Quarantine.Held::epoch)
                        .filter(waiting -> waiting <= epoch)
                        .max()
                        .orElse(0);
        boolean sure = true;
        for (Registrant each : clients) {
            if (HostKey.epoch(each.key()) < due) {
                sure &= preempt(each);
            }
        }
        return sure;
    }

    /** Whether a host is gone; else acknowledgements tell nothing for a while. */
    private boolean preempt(Registrant silent) throws IOException {
        boolean gone = false;
        try {
            gone = ownership.fence(silent.key());
            if (gone) {
                LOG.info(
                        "Preempted host {} of {}, which does not acknowledge freed blocks",
                        silent.hostId(),
                        medium.name());
            }
        } catch (NvmeException e) {
            LOG.warn(
                    "Cannot preempt host {} of {}, so freed blocks are held for {} ms: {}",
                    silent.hostId(),
                    medium.name(),
                    timing.quarantine().toMillis(),
                    e.getMessage());
        } finally {
            if (!gone) {
                doubtedAt = clock.getAsLong();
            }
        }
        return gone;
    }

    /** Ends the rounds; the record says then that nothing of this life is under way. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("A command to {} hangs", medium.name());
        }
        exit.close();
    }

    /** Says that this life has ended in order; after all that writes has ended. */
    void release() {
        if (thread.isAlive() || !exit.isOver()) {
            return;
        }
        try {
            entry.check();
            entry.write(epoch, true);
        } catch (IOException e) {
            LOG.warn("The next start will wait for this one's end: {}", e.getMessage());
        }
    }
}
