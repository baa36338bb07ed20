// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A namenode in a process of its own, for {@link ScaleRun}: prints its port and the milliseconds
 * that its start took, answers "memory" lines with its heap and garbage collections, and ends with
 * its input.
 */
public final class ScaleServer {
    private static final long MIB = 1 << 20;

    private ScaleServer() {}

    public static void main(String[] args) throws IOException {
        long start = System.nanoTime();
        NamenodeConfig config =
                NamenodeConfig.builder(Path.of(args[0])).snapshotLogBytes(64 * MIB).build();
        try (NamenodeServer server = NamenodeServer.start(config);
                BufferedReader in =
                        new BufferedReader(
                                new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            System.out.println(
                    server.address().getPort() + " " + (System.nanoTime() - start) / 1_000_000);
            while (in.readLine() != null) {
                System.out.println(memory());
            }
        }
    }

    private static String memory() {
        long collections = 0;
        long millis = 0;
        for (GarbageCollectorMXBean each : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += each.getCollectionCount();
            millis += each.getCollectionTime();
        }
        ManagementFactory.getMemoryMXBean().gc();
        return String.format(
                Locale.ROOT,
                "%d MiB of heap after GC; %d collections took %d ms before",
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MIB,
                collections,
                millis);
    }
}
