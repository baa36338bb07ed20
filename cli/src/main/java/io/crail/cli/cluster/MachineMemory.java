// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the machine has left.
 *
 * @param available bytes that programs can have without swapping
 * @param room bytes free where the segments will be
 */
public record MachineMemory(long available, long room) {
    private static final Path MEMORY = Path.of("/proc/meminfo");

    /** With the place that was chosen for the segments. */
    public static MachineMemory now(DataDirectory data) throws IOException {
        // Free pages of the pool are not among what the kernel calls available.
        long pool = data.huge() ? data.usable() : 0;
        return new MachineMemory(availableNow() + pool, data.usable());
    }

    /** Bytes that programs can have without swapping. */
    public static long availableNow() throws IOException {
        return available(Files.readAllLines(MEMORY));
    }

    /** The line {@code MemAvailable: 12345 kB}. */
    public static long available(List<String> lines) throws IOException {
        for (String line : lines) {
            String[] words = line.split("\\s+", -1);
            if (words.length >= 2 && words[0].equals("MemAvailable:")) {
                return Long.parseLong(words[1]) << 10;
            }
        }
        throw new IOException(MEMORY + " does not tell the available memory");
    }
}
