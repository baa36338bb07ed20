// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ReadOnlyException;
import io.crail.namenode.log.MetadataDirectory;
import io.crail.namenode.log.SnapshotListener;
import io.crail.namenode.log.SnapshotWriter;
import io.crail.namenode.state.SnapshotEncoder;
import io.crail.namenode.state.SnapshotSink;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.log.SnapshotLayout;
import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a snapshot now and then, in slices, while requests go on.
 *
 * <p>Records normally go straight to the writer's buffers. When these are full and a mutation must
 * save a pre-image, it goes to an overflow queue, which is emptied first later on: order matters,
 * since nodes refer to attributes before them. A writer too slow for the mutations costs the
 * snapshot, not the service: beyond {@link #MAX_OVERFLOW} it is given up and tried again later.
 */
final class Snapshots implements SnapshotSink {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
    private static final long MAX_OVERFLOW = 32L << 20;

    private final Core core;
    private final MetadataDirectory directory;
    private final long retryNanos;

    private @Nullable SnapshotEncoder encoder;
    private @Nullable SnapshotWriter writer;
    private final ArrayDeque<byte[]> overflow = new ArrayDeque<>();
    private final ArrayDeque<Integer> overflowKinds = new ArrayDeque<>();
    private long overflowBytes;
    private @Nullable WireWriter overflowing;
    private int overflowingKind;
    private boolean failed;
    private boolean finishing;
    private boolean requested;
    private long notBefore;
    private long sequence;
    private volatile long lastSequence;
    private volatile boolean writing;

    Snapshots(Core core, MetadataDirectory directory, long retryNanos, long lastSequence) {
        this.core = core;
        this.directory = directory;
        this.retryNanos = retryNanos;
        this.lastSequence = lastSequence;
        this.notBefore = core.nanos();
    }

    /** Sequence of the last log record that the newest complete snapshot holds. */
    long lastSequence() {
        return lastSequence;
    }

    /** Begins one at the next tick when none is running, whatever the log has grown by. */
    void request() {
        requested = true;
    }

    boolean isPending() {
        return requested || writing || encoder != null;
    }

    /** Whether a slice could be written now. */
    boolean isBusy() {
        return encoder != null;
    }

    /**
     * Begins a snapshot when the log has grown enough, or does a slice of the running one.
     *
     * @return whether more can be done at once
     */
    boolean tick() {
        if (encoder == null) {
            boolean due = !writing && !core.isReadOnly() && (requested || isLogLarge());
            if (due) {
                begin();
            }
            return encoder != null;
        }
        try {
            return slice();
        } catch (RuntimeException e) {
            abort();
            throw e;
        }
    }

    private boolean isLogLarge() {
        return core.nanos() - notBefore >= 0
                && core.log().bytesSinceRoll() >= core.config().snapshotLogBytes();
    }

    private void begin() {
        requested = false;
        try {
            core.log().roll();
        } catch (ReadOnlyException e) {
            return; // The next flush reports it.
        }
        if (core.log().position() == lastSequence) {
            return; // There is nothing new.
        }
        sequence = core.log().position();
        writing = true;
        failed = false;
        finishing = false;
        writer = directory.beginSnapshot(sequence, new Completion());
        encoder = new SnapshotEncoder(core.state(), this);
        LOG.info("snapshot of the state at record {} begins", sequence);
        try {
            encoder.begin();
        } catch (RuntimeException e) {
            abort();
            throw e;
        }
    }

    private boolean slice() {
        SnapshotEncoder running = encoder;
        SnapshotWriter target = writer;
        if (running == null || target == null) {
            return false;
        }
        long until = core.workNanos() + core.config().snapshotSlice().toNanos();
        do {
            if (!failed && !drain(target)) {
                return false;
            }
            if (failed) {
                abort();
                return false;
            }
            if (finishing) {
                running.end();
                target.finish();
                encoder = null;
                writer = null;
                return false;
            }
            finishing = !running.advance(core.config().snapshotStep());
        } while (core.workNanos() - until < 0);
        return true;
    }

    /** Gives a running snapshot up. */
    void abort() {
        if (encoder != null && writer != null) {
            encoder.end();
            writer.abort();
            encoder = null;
            writer = null;
            overflow.clear();
            overflowKinds.clear();
            overflowBytes = 0;
            notBefore = core.nanos() + retryNanos;
        }
    }

    /** Moves the overflow to the writer; false if that has no room now. */
    private boolean drain(SnapshotWriter target) {
        while (true) {
            if (!target.hasRoom()) {
                return false;
            }
            byte[] record = overflow.pollFirst();
            if (record == null) {
                return true;
            }
            int kind = overflowKinds.removeFirst();
            overflowBytes -= record.length;
            try {
                target.begin(kind).raw(record);
                target.end();
            } catch (IOException e) {
                failed = true;
                return true;
            }
        }
    }

    @Override
    public WireWriter begin(int kind) {
        if (!failed && overflow.isEmpty() && writer != null && writer.hasRoom()) {
            try {
                overflowing = null;
                return writer.begin(kind);
            } catch (IOException e) {
                failed = true; // The listener has heard why.
            }
        }
        overflowingKind = kind;
        overflowing = new WireWriter(256, SnapshotLayout.MAX_RECORD);
        return overflowing;
    }

    @Override
    public void end() {
        WireWriter record = overflowing;
        if (record == null) {
            if (writer != null) {
                writer.end();
            }
            return;
        }
        overflowing = null;
        if (failed) {
            return;
        }
        byte[] bytes = new byte[record.position()];
        record.buffer().get(0, bytes);
        overflow.add(bytes);
        overflowKinds.add(overflowingKind);
        overflowBytes += bytes.length;
        if (overflowBytes > MAX_OVERFLOW) {
            LOG.warn("the disk is too slow for a snapshot under this load; it is put off");
            failed = true;
        }
    }

    @Override
    public void abandon() {
        // A record that was begun and not ended is forgotten by whoever has it.
        overflowing = null;
    }

    /** Called by the writing thread. */
    private final class Completion implements SnapshotListener {
        @Override
        public void completed(long at, long records, long bytes) {
            lastSequence = at;
            LOG.info("snapshot at record {} is complete: {} records, {} bytes", at, records, bytes);
            try {
                directory.purge();
            } catch (IOException e) {
                LOG.warn("old log files could not be removed: {}", e.toString());
            }
            writing = false;
        }

        @Override
        public void failed(long at, IOException cause) {
            LOG.warn("snapshot at record {} failed: {}; the log stays", at, cause.toString());
            writing = false;
        }
    }
}
