// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Processor time of this process and of some others together. */
public final class ProcessorTime {
    private final List<ProcessHandle> processes = new ArrayList<>();

    /** Of this process and the given ones. */
    public ProcessorTime(List<ProcessHandle> others) {
        processes.addAll(others);
        processes.add(ProcessHandle.current());
    }

    /** What they have used since they were started, in ticks of the kernel: 10 ms. */
    public long nanos() {
        return nanos(processes);
    }

    /** The same of these processes alone. */
    public static long nanos(List<ProcessHandle> processes) {
        return processes.stream()
                .mapToLong(one -> one.info().totalCpuDuration().map(Duration::toNanos).orElse(0L))
                .sum();
    }

    /** The load of the machine in the last minute: processes that ran or wanted to run. */
    public static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
