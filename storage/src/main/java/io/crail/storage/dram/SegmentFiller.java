// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.dram;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.storage.segment.Segment;
import io.crail.storage.segment.SegmentFiles;
import io.crail.storage.spi.SegmentListener;
import io.crail.storage.spi.TierSegment;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the segments that are missing to the capacity, one after the other, on a thread of its own:
 * first touch of memory is slow, and the server can serve what it has meanwhile. The thread is
 * nobody else's, so that no interrupt closes its files.
 */
final class SegmentFiller {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentFiller.class);
    private static final long CLOSE_MILLIS = 10_000;

    /** Bytes of data to have, in new segments of one size. */
    record Goal(long capacity, long segmentSize) {}

    private final Goal goal;
    private final SegmentFiles files;
    private final UUID cluster;
    private final Set<Integer> taken;
    private final Function<Segment, TierSegment> adopt;
    private final SegmentListener listener;
    private final Thread thread;
    private final long missing;
    private volatile boolean closed;

    SegmentFiller(
            Goal goal,
            SegmentFiles files,
            UUID cluster,
            List<Segment> attached,
            Function<Segment, TierSegment> adopt,
            SegmentListener listener) {
        this.goal = goal;
        this.files = files;
        this.cluster = cluster;
        this.adopt = adopt;
        this.listener = listener;
        this.taken = attached.stream().map(Segment::number).collect(Collectors.toSet());
        long there = attached.stream().mapToLong(Segment::dataBytes).sum();
        this.missing = Math.max(0, (goal.capacity() - there) / goal.segmentSize());
        this.thread = new Thread(this::run, "crail-storage-fill");
        thread.setDaemon(true);
    }

    /** Fails unless there is room for all that is missing. */
    void checkSpace() throws CrailException {
        if (missing > 0) {
            files.checkSpace(missing * SegmentLayout.fileSize(goal.segmentSize()));
        }
    }

    void start() {
        thread.start();
    }

    /** Stops after the current step; a half-filled file is removed. */
    void close() {
        closed = true;
        try {
            thread.join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("Still filling a segment of {} bytes while closing", goal.segmentSize());
        }
    }

    private void run() {
        try {
            int number = 0;
            for (long made = 0; made < missing; made++) {
                while (taken.contains(number)) {
                    number++;
                }
                Segment segment = files.create(number, cluster, goal.segmentSize(), () -> closed);
                if (segment == null) {
                    return;
                }
                number++;
                LOG.info("Segment {} of {} bytes is ready", segment.number(), segment.dataBytes());
                listener.ready(adopt.apply(segment));
            }
            listener.complete();
        } catch (CrailException e) {
            listener.failed(e);
        } catch (RuntimeException | Error e) {
            listener.failed(new InternalException("filling segments failed: " + e, e));
            throw e;
        }
    }
}
