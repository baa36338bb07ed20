// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.fabric.FabricReservations;
import io.crail.nvmf.fabric.PendingCall;
import io.crail.nvmf.initiator.error.NvmeConnectionLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.HostKey;
import io.crail.nvmf.layout.OwnerRecord;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.reservation.ReservationType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the epoch of a namespace again and again, over one connection, and acknowledges it there by
 * the key of this host, if it has one: so a storage server hears, from the target, that nothing of
 * revoked blocks is under way, without knowing this client. A thread of its own, which ends with
 * the connection: by itself if the target does not answer, or has taken the registration away.
 */
final class EpochWatch {
    private static final Logger LOG = LoggerFactory.getLogger(EpochWatch.class);
    static final ReservationType TYPE = ReservationType.WRITE_EXCLUSIVE_REGISTRANTS_ONLY;

    private static final int READINGS = 5;

    /** An epoch, and when its reading began. */
    record Look(long epoch, long at) {}

    private final FabricNamespace namespace;
    private final ExternalTiming timing;
    private final LongSupplier clock;
    private final int salt;
    private final ByteBuffer unit = ByteBuffer.allocateDirect(FlashLayout.UNIT);
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Null if they are of no use; guarded by this, as are all that follow. */
    private @Nullable FabricReservations reservations;

    /** What the key of this host says. */
    private long told;

    private long key;

    EpochWatch(FabricNamespace namespace, ExternalTiming timing, LongSupplier clock, int salt) {
        this.namespace = namespace;
        this.reservations =
                namespace.reservations().filter(each -> each.supports(TYPE)).orElse(null);
        this.timing = timing;
        this.clock = clock;
        this.salt = salt;
        this.key = HostKey.ofClient(0, salt);
    }

    /**
     * Registers this host, if the target has reservations: without, it could not write. Those that
     * cannot end commands of others are none: the storage server uses none then, too.
     */
    synchronized Optional<FabricReservations> register() throws IOException {
        FabricReservations found = reservations;
        if (found != null) {
            found.register(key);
            if (!found.canAbort(TYPE, key, HostKey.NOBODY)) {
                found.unregister(key);
                reservations = null;
            }
        }
        return Optional.ofNullable(reservations);
    }

    /** The key of this host; 0 without reservations. */
    synchronized long key() {
        return reservations == null ? 0 : key;
    }

    /** Reads the epoch, again if it was just being written: units are not written at once. */
    Look look() throws IOException {
        for (int i = 0; i < READINGS; i++) {
            long begun = clock.getAsLong();
            Optional<OwnerRecord> found = read();
            if (found.isPresent()) {
                return new Look(found.get().epoch(), begun);
            }
        }
        throw new NvmeConnectionLostException("the owner record of the namespace is damaged");
    }

    private Optional<OwnerRecord> read() throws IOException {
        PendingCall read = new PendingCall();
        namespace
                .command(
                        IoOpcode.READ,
                        OwnerRecord.OFFSET / namespace.info().blockSize(),
                        unit,
                        (entry, at) -> {},
                        read)
                .start();
        read.await(bound());
        return OwnerRecord.decode(unit);
    }

    private Duration bound() {
        return timing.command().multipliedBy(2).plus(timing.abort());
    }

    /** Says by the key that nothing below that epoch is under way. */
    synchronized void acknowledge(long epoch) throws IOException {
        FabricReservations found = reservations;
        if (found == null || epoch == told || closed.getCount() == 0) {
            return;
        }
        long next = HostKey.ofClient(epoch, salt);
        found.replaceKey(next);
        key = next;
        told = epoch;
    }

    /** Begins to watch. */
    void start(BlockGate gate, Consumer<NvmeException> lost) {
        Thread thread = new Thread(() -> run(gate, lost), "crail-nvmf-epoch");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(BlockGate gate, Consumer<NvmeException> lost) {
        try {
            while (!closed.await(timing.look().toMillis(), TimeUnit.MILLISECONDS)) {
                Look now = look();
                gate.looked(now.epoch(), now.at());
                acknowledge(gate.acknowledged());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException | RuntimeException e) {
            if (closed.getCount() > 0) {
                LOG.debug("The watch ends", e);
                lost.accept(
                        e instanceof NvmeException failure
                                ? failure
                                : new NvmeConnectionLostException(String.valueOf(e), e));
            }
        }
    }

    void close() {
        closed.countDown();
    }

    /**
     * Takes the registration back, so that nobody waits for this host; closed, nothing under way.
     */
    synchronized void unregister() {
        FabricReservations found = reservations;
        if (found == null) {
            return;
        }
        try {
            found.unregister(key);
        } catch (IOException e) {
            LOG.debug("Stays registered until it is preempted", e);
        }
    }
}
