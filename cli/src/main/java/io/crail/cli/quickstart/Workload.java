// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.client.Value;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;
import java.util.zip.CRC32C;

/** The single steps against a running cluster; each checks what it gets. */
final class Workload {
    private static final String FILE = "/generated";
    private static final String TABLE = "/table";
    private static final int VALUE = 100;
    private static final int WARM_UP = 2_000;
    private static final int CHUNK = 1 << 20;

    private final CrailClient client;
    private final LongConsumer progress;

    Workload(CrailClient client, LongConsumer progress) {
        this.client = client;
        this.progress = progress;
    }

    /** Writes the generated file; returns when everybody can read it. */
    void write(GeneratedFile file) throws IOException {
        CreateOptions options = CreateOptions.builder().expectedBytes(file.length()).build();
        try (CrailOutputStream out = client.createFile(FILE, options)) {
            for (long position = 0; position < file.length(); position += CHUNK) {
                ByteBuffer block = file.block(position);
                progress.accept(block.remaining());
                out.append(block);
            }
        }
    }

    /** Reads the generated file and compares it. */
    void readAndCompare(GeneratedFile file, long expected) throws IOException {
        CRC32C crc = new CRC32C();
        ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
        try (CrailFile in = client.open(FILE);
                CrailInputStream stream = in.newInputStream()) {
            while (stream.read(buffer.clear()) >= 0) {
                progress.accept(buffer.flip().remaining());
                crc.update(buffer);
            }
            if (in.length() != file.length() || crc.getValue() != expected) {
                throw new CorruptDataException(
                        FILE
                                + " differs from what was written: "
                                + in.length()
                                + " bytes, CRC32C "
                                + Long.toHexString(crc.getValue())
                                + " instead of "
                                + Long.toHexString(expected));
            }
        }
    }

    Latencies lookups(int count) throws IOException {
        Latencies latencies = new Latencies(count);
        for (int i = -WARM_UP; i < count; i++) {
            long start = System.nanoTime();
            client.status(FILE);
            if (i >= 0) {
                latencies.add(System.nanoTime() - start);
            }
        }
        return latencies;
    }

    Latencies puts(int count) throws IOException {
        CrailTable table = client.createTable(TABLE);
        Latencies latencies = new Latencies(count);
        for (int i = -WARM_UP; i < count; i++) {
            byte[] key = key(Math.max(i, -i));
            byte[] value = value(Math.max(i, -i));
            long start = System.nanoTime();
            table.put(key, value);
            if (i >= 0) {
                latencies.add(System.nanoTime() - start);
            }
        }
        return latencies;
    }

    Latencies gets(int count) throws IOException {
        CrailTable table = client.table(TABLE);
        Latencies latencies = new Latencies(count);
        for (int i = 0; i < count; i++) {
            byte[] key = key(i);
            long start = System.nanoTime();
            Optional<Value> value = table.get(key);
            latencies.add(System.nanoTime() - start);
            if (value.isEmpty() || !Arrays.equals(value.get().toByteArray(), value(i))) {
                throw new CorruptDataException("key " + i + " of " + TABLE + " has a wrong value");
            }
        }
        return latencies;
    }

    private static byte[] key(int number) {
        return ("key-" + number).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] value(int number) {
        byte[] value = new byte[VALUE];
        new SplittableRandom(number).nextBytes(value);
        return value;
    }
}
