// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import io.crail.bench.limit.MemoryCopy;
import io.crail.bench.measure.Latencies;
import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** The tables of the rows of keys and values: many keys in turn, values of one length. */
final class Values {
    /** The namenode keeps them itself. */
    static final Values SMALL = new Values("/values-of-100-bytes", 100, 1_000);

    /** They lie in blocks. */
    static final Values LARGE = new Values("/values-of-100-kib", 100 << 10, 64);

    private static final int COPIES = 100;

    private final String path;
    private final int length;
    private final byte[][] keys;

    private Values(String path, int length, int count) {
        this.path = path;
        this.length = length;
        this.keys = new byte[count][];
        for (int i = 0; i < count; i++) {
            keys[i] = String.format("key-%012d", i).getBytes(StandardCharsets.UTF_8);
        }
    }

    int length() {
        return length;
    }

    byte[] key(int number) {
        return keys[number % keys.length];
    }

    /** The table, with a value of each key. */
    CrailTable table(CrailClient client) throws IOException {
        CreateOptions options = CreateOptions.builder().existingOk(true).build();
        CrailTable table = client.createTable(path, options);
        ByteBuffer value = ByteBuffer.allocateDirect(length);
        for (byte[] key : keys) {
            table.put(key, value.clear());
        }
        return table;
    }

    /** What the limit of these values has besides the ping-pong. */
    String further() {
        return inBlocks() ? " + copy + CRC32C" : "";
    }

    private boolean inBlocks() {
        return this == LARGE;
    }

    /** One direction of a copy. */
    @FunctionalInterface
    interface Direction {
        /** Bytes per second. */
        double copy(MemoryCopy memory, long position, long bytes);
    }

    /** Nanoseconds of the median copy of a value with its checksum; 0 where there is none. */
    double copyNanos(Stage stage, Direction direction) {
        if (!inBlocks()) {
            return 0;
        }
        MemoryCopy memory = new MemoryCopy(stage.peer(), true);
        Latencies latencies = new Latencies(COPIES);
        for (int i = 0; i < 2 * COPIES; i++) {
            long position = (long) (i % keys.length) * length;
            double rate = direction.copy(memory, position, length);
            if (i >= COPIES) {
                latencies.add(Math.round(length * 1e9 / rate));
            }
        }
        return latencies.median();
    }
}
