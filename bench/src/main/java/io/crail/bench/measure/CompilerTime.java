// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processor time of the compiler threads of Java processes, as the kernel counts it. Zero where it
 * cannot be read.
 */
final class CompilerTime {
    /** Names of threads, which the kernel cuts off: C1 and C2 CompilerThread0. */
    private static final String FIRST = "C1 CompilerThre";

    private static final String SECOND = "C2 CompilerThre";

    /** Fields of proc_pid_stat(5) behind the name: state is 3, utime 14, stime 15. */
    private static final int USER = 14 - 3;

    private static final int SYSTEM = 15 - 3;

    /** Of a tick, which is a hundredth of a second on all that Java runs on. */
    private static final long TICK_NANOS = 10_000_000;

    private CompilerTime() {}

    static long nanos(List<ProcessHandle> processes) {
        return processes.stream().mapToLong(each -> nanos(each.pid())).sum();
    }

    private static long nanos(long process) {
        Path tasks = Path.of("/proc", Long.toString(process), "task");
        try (Stream<Path> each = Files.list(tasks)) {
            return each.mapToLong(CompilerTime::ticks).sum() * TICK_NANOS;
        } catch (IOException e) {
            return 0; // Not this system, or the process has ended.
        }
    }

    private static long ticks(Path task) {
        try {
            return ticks(Files.readString(task.resolve("stat")));
        } catch (IOException e) {
            return 0; // The thread has ended meanwhile.
        }
    }

    static long ticks(String stat) {
        int open = stat.indexOf('(');
        int close = stat.lastIndexOf(')');
        String name = stat.substring(open + 1, close);
        if (!name.equals(FIRST) && !name.equals(SECOND)) {
            return 0;
        }
        String[] fields = stat.substring(close + 2).split(" ", -1);
        return Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM]);
    }
}
