// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time of all processors of this machine since it was started, in ticks of the kernel ({@code
 * /proc/stat} of proc(5)).
 *
 * @param all that they had
 * @param stolen what other virtual machines took of it
 */
public record MachineTime(long all, long stolen) {
    private static final Path SOURCE = Path.of("/proc/stat");

    /** user, nice, system, idle, iowait, irq, softirq, steal; what follows is counted in user. */
    private static final int STEAL = 8;

    /** Reads it. */
    public static MachineTime now() throws IOException {
        return parse(Files.readAllLines(SOURCE).get(0));
    }

    static MachineTime parse(String line) {
        String[] words = line.split(" +", -1);
        long all = 0;
        for (int i = 1; i <= STEAL && i < words.length; i++) {
            all += Long.parseLong(words[i]);
        }
        return new MachineTime(all, words.length > STEAL ? Long.parseLong(words[STEAL]) : 0);
    }

    /** Which part of the time since then was stolen, 0..1. */
    public double stolenSince(MachineTime earlier) {
        return (stolen - earlier.stolen) / (double) Math.max(1, all - earlier.all);
    }
}
