// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ReadOnlyException;
import io.crail.namenode.state.TrimStream;
import io.crail.namenode.tree.Retention;
import io.crail.namenode.tree.StreamNode;
import io.crail.namenode.tree.StreamRun;

/**
 * Removes from streams what exceeds their limits, whole runs from the oldest on, in slices. Bytes
 * and records are looked at after every append, age now and then.
 */
final class StreamRetention {
    private static final long EVERY_NANOS = 250_000_000L;

    /** Streams looked at in one tick. */
    private static final int TURN = 256;

    /** What one mutation frees: a fraction of a millisecond. */
    private static final int SLICE_RUNS = 128;

    private static final int SLICE_BLOCKS = 2048;

    private final Core core;
    private long nextTurn;

    StreamRetention(Core core) {
        this.core = core;
        this.nextTurn = core.nanos() + EVERY_NANOS;
    }

    /** The mutation that makes {@code first} the first record, as far as a slice goes. */
    static TrimStream trim(StreamNode stream, long first) {
        long start = Math.max(first, stream.first());
        int runs = 0;
        int blocks = 0;
        while (runs < stream.runs() && runs < SLICE_RUNS && blocks < SLICE_BLOCKS) {
            StreamRun run = stream.run(runs);
            if (run.end() > start) {
                break;
            }
            blocks += run.blocks();
            runs++;
        }
        return new TrimStream(stream.id(), start, runs);
    }

    /** Trims a stream if it exceeds a limit or has something left to free. */
    void apply(StreamNode stream) throws ReadOnlyException {
        long first = firstToKeep(stream);
        if (first > stream.first() || stream.hasLeftovers()) {
            core.commit(trim(stream, first));
        }
    }

    /**
     * The newest run stays, unless it is too old. Records that were trimmed do not count, though
     * their run may still be there; their bytes do, as their blocks are held.
     */
    private long firstToKeep(StreamNode stream) {
        Retention limits = stream.retention();
        if (limits.equals(Retention.ALL)) {
            return stream.first();
        }
        long oldest =
                limits.maxAgeMillis() > 0 ? core.millis() - limits.maxAgeMillis() : Long.MIN_VALUE;
        long first = stream.first();
        for (int i = 0; i < stream.runs() && i < SLICE_RUNS; i++) {
            StreamRun run = stream.run(i);
            boolean last = i == stream.runs() - 1;
            long records = stream.next() - Math.max(run.first(), stream.first());
            boolean tooMuch =
                    exceeds(stream.end() - run.position(), limits.maxBytes())
                            || exceeds(records, limits.maxRecords());
            if (run.time() >= oldest && (last || !tooMuch)) {
                break;
            }
            first = run.end();
        }
        return first;
    }

    private static boolean exceeds(long amount, long limit) {
        return limit > 0 && amount > limit;
    }

    /** Returns whether more can be done at once. */
    boolean tick() throws ReadOnlyException {
        if (core.isReadOnly() || core.nanos() - nextTurn < 0) {
            return false;
        }
        boolean more = false;
        for (StreamNode stream : core.state().tree().streams().tended(TURN)) {
            apply(stream);
            more |= stream.hasLeftovers();
        }
        if (!more) {
            nextTurn = core.nanos() + EVERY_NANOS;
        }
        return more;
    }
}
