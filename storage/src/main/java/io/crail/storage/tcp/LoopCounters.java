// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.status.Latencies;
import io.crail.status.Tallies;
import io.crail.storage.spi.DataRequests;
import java.util.Collection;
import java.util.function.LongSupplier;

/**
 * Counts and times the requests of one event loop, which alone writes; any thread reads. A request
 * costs one plain addition; as the clock is dear beside a small read, only every 16th request of a
 * kind is timed, from the first one on.
 */
final class LoopCounters {
    private static final int EVERY = 16;
    private static final long NOT_TIMED = Long.MIN_VALUE;
    private static final int READS = 0;
    private static final int WRITES = 1;

    private final LongSupplier nanoTime;
    private final Tallies requests = new Tallies(2);
    private final Latencies reads = new Latencies();
    private final Latencies writes = new Latencies();

    LoopCounters(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A READ begins; what it returns goes to {@link #readEnds}. */
    long readBegins() {
        return begin(READS);
    }

    /** A WRITE begins; what it returns goes to {@link #writeEnds}. */
    long writeBegins() {
        return begin(WRITES);
    }

    private long begin(int kind) {
        return (requests.add(kind, 1) & (EVERY - 1)) == 1 ? nanoTime.getAsLong() : NOT_TIMED;
    }

    void readEnds(long start) {
        end(reads, start);
    }

    void writeEnds(long start) {
        end(writes, start);
    }

    private void end(Latencies durations, long start) {
        if (start != NOT_TIMED) {
            durations.record(nanoTime.getAsLong() - start);
        }
    }

    static DataRequests sum(Collection<LoopCounters> all) {
        DataRequests sum = DataRequests.none();
        for (LoopCounters one : all) {
            sum =
                    new DataRequests(
                            sum.reads() + one.requests.get(READS),
                            sum.writes() + one.requests.get(WRITES),
                            sum.readDurations().add(one.reads),
                            sum.writeDurations().add(one.writes));
        }
        return sum;
    }
}
