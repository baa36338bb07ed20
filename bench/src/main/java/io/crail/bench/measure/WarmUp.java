// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Repeats work until it is warm: for a time at least, and until the compilers of all processes that
 * take part rest. On a slow core they take several times as long as on a fast one, and while they
 * are at it they take the core that is measured. Bounded: who uses ever new code is not waited for.
 *
 * @param least time to warm up
 * @param most time to warm up, whatever the compilers do
 * @param processes all that take part
 */
public record WarmUp(Duration least, Duration most, List<ProcessHandle> processes) {
    /** How long compilers are watched before it is said that they rest. */
    private static final long SLICE_NANOS = 500_000_000;

    /** They rest when they take less than this part of a processor... */
    private static final int REST_PART = 20;

    /**
     * ... so many slices in a row. What is called seldom is due later: a target's last bursts, of a
     * quarter of a second, came two seconds behind the first quiet slice.
     */
    private static final int REST_SLICES = 4;

    /** Something that is repeated. */
    @FunctionalInterface
    public interface Work {
        /** Does it for the {@code number}th time, from 0. */
        void run(int number) throws IOException;
    }

    public WarmUp {
        processes = List.copyOf(processes);
    }

    /** Of this process and others. */
    public static WarmUp with(Duration least, Duration most, List<ProcessHandle> others) {
        List<ProcessHandle> all = new ArrayList<>(others);
        all.add(ProcessHandle.current());
        return new WarmUp(least, most, all);
    }

    /** Does it again and again; at least once. */
    public void run(Work work) throws IOException {
        long start = System.nanoTime();
        long sliceStart = start;
        long compiled = CompilerTime.nanos(processes);
        int rest = 0;
        for (int i = 0; i == 0 || !isWarm(System.nanoTime() - start, rest); i++) {
            work.run(i);
            long now = System.nanoTime();
            if (now - sliceStart >= SLICE_NANOS) {
                long next = CompilerTime.nanos(processes);
                // A thread that ended takes its time away, so that the sum may become less.
                boolean quiet = Math.abs(next - compiled) * REST_PART <= now - sliceStart;
                rest = quiet ? rest + 1 : 0;
                compiled = next;
                sliceStart = now;
            }
        }
    }

    private boolean isWarm(long nanos, int rest) {
        return nanos >= most.toNanos() || (rest >= REST_SLICES && nanos >= least.toNanos());
    }
}
