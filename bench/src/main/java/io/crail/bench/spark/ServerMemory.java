// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Memory that servers take up: their heaps and what they have stored ({@code VmRSS}, proc(5)). */
final class ServerMemory {
    private static final String KEY = "VmRSS:";

    private ServerMemory() {}

    static long bytes(List<ProcessHandle> servers) throws IOException {
        long bytes = 0;
        for (ProcessHandle server : servers) {
            Path status = Path.of("/proc", Long.toString(server.pid()), "status");
            bytes += parse(Files.readAllLines(status));
        }
        return bytes;
    }

    static long parse(List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(KEY))
                .mapToLong(line -> Long.parseLong(line.split("\\s+", -1)[1]) << 10)
                .sum();
    }
}
