// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the machine has left.
 *
 * @param available bytes that programs can have without swapping
 * @param shared bytes free in the file system of shared memory
 */
record MachineMemory(long available, long shared) {
    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    static MachineMemory now() throws IOException {
        // 0 without such a directory.
        long shared = SHARED_MEMORY.toFile().getUsableSpace();
        return new MachineMemory(available(Files.readAllLines(MEMORY)), shared);
    }

    /** The line {@code MemAvailable: 12345 kB}. */
    static long available(List<String> lines) throws IOException {
        for (String line : lines) {
            String[] words = line.split("\\s+", -1);
            if (words.length >= 2 && words[0].equals("MemAvailable:")) {
                return Long.parseLong(words[1]) << 10;
            }
        }
        throw new IOException(MEMORY + " does not tell the available memory");
    }
}
