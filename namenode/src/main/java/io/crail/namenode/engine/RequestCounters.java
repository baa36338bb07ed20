// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.ErrorCode;
import io.crail.protocol.message.MessageType;
import io.crail.status.Latencies;
import io.crail.status.Tallies;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts requests by type and errors by code, and times some of the requests.
 *
 * <p>The engine's thread writes, any thread reads. A request costs one plain addition to a long.
 * Reading the clock twice costs as much as a tenth of a lookup, so only every {@value #EVERY}th
 * request of a type is timed, from the first one on: rare types are seen, and what is frequent is
 * sampled evenly.
 */
public final class RequestCounters {
    static final int EVERY = 16;

    /** Index of what is of no known type. */
    private static final int UNKNOWN = 0;

    private static final int TYPES = 256;
    private static final long NOT_TIMED = Long.MIN_VALUE;

    private final LongSupplier nanoTime;
    private final Tallies requests = new Tallies(TYPES);
    private final Tallies errors = new Tallies(ErrorCode.values().length + 1);
    private final AtomicReferenceArray<@Nullable Latencies> durations =
            new AtomicReferenceArray<>(TYPES);

    RequestCounters(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** A request begins; what it returns goes to {@link #end}. */
    long begin(int wire) {
        long count = requests.add(index(wire), 1);
        return (count & (EVERY - 1)) == 1 ? nanoTime.getAsLong() : NOT_TIMED;
    }

    void failed(ErrorCode code) {
        errors.add(code.wire(), 1);
    }

    void end(int wire, long start) {
        if (start != NOT_TIMED) {
            record(index(wire), nanoTime.getAsLong() - start);
        }
    }

    private void record(int index, long nanos) {
        Latencies known = durations.getPlain(index);
        if (known == null) {
            known = new Latencies();
            durations.setRelease(index, known);
        }
        known.record(nanos);
    }

    private static int index(int wire) {
        return MessageType.ofWire(wire) == null ? UNKNOWN : wire;
    }

    /** Requests of a type; null for those of no known type. */
    public long requests(@Nullable MessageType type) {
        return requests.get(type == null ? UNKNOWN : type.wire());
    }

    public long errors(ErrorCode code) {
        return errors.get(code.wire());
    }

    /** Durations of the requests of a type that were timed; null if none was. */
    public @Nullable Latencies durations(MessageType type) {
        return durations.getAcquire(type.wire());
    }
}
