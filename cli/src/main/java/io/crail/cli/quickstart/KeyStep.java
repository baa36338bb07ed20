// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import io.crail.bench.measure.Latencies;
import io.crail.client.CrailClient;
import io.crail.client.CrailTable;
import io.crail.client.Value;
import io.crail.error.CorruptDataException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;

/** One call at a time: a file looked up, small values put and got. */
final class KeyStep implements Step {
    static final String TABLE = "/table";

    private static final int VALUE = 100;
    private static final int WARM_UP = 2_000;

    private final int keys;

    KeyStep(int keys) {
        this.keys = keys;
    }

    /** One call, for the key of a number. */
    @FunctionalInterface
    private interface Operation {
        /** How long it took. */
        long nanos(int number) throws IOException;
    }

    @Override
    public String subject() {
        return "looking up, putting and getting keys";
    }

    @Override
    public void run(Stage stage) throws IOException {
        CrailClient client = stage.client();
        CrailTable table = client.createTable(TABLE);
        stage.add(measure("look up a file", i -> lookup(client)));
        stage.add(measure("put 100 B", i -> put(table, i)));
        stage.add(measure("get 100 B, comparing", i -> get(table, i)));
    }

    @Override
    public void verify(Stage stage) throws IOException {
        CrailTable table = stage.client().table(TABLE);
        for (int i = 0; i < keys; i++) {
            get(table, i);
        }
    }

    private Measurement measure(String operation, Operation call) throws IOException {
        for (int i = 0; i < WARM_UP; i++) {
            call.nanos(i % keys);
        }
        Comparison comparison = new Comparison(Loopback.ROUND_TRIP);
        long total = 0;
        int batches = Math.min(keys, Comparison.BATCHES);
        for (int batch = 0; batch < batches; batch++) {
            int from = (int) ((long) keys * batch / batches);
            int to = (int) ((long) keys * (batch + 1) / batches);
            double limit = Loopback.roundTrips().median();
            Latencies latencies = new Latencies(to - from);
            for (int i = from; i < to; i++) {
                latencies.add(call.nanos(i));
            }
            comparison.add(latencies.median(), limit);
            total += latencies.total();
        }
        String amount = String.format(Locale.ROOT, "%,d", keys);
        return new Measurement(operation, amount, total, Measurement.Kind.LATENCY, comparison);
    }

    private static long lookup(CrailClient client) throws IOException {
        long start = System.nanoTime();
        client.status(FileStep.PATH);
        return System.nanoTime() - start;
    }

    private static long put(CrailTable table, int number) throws IOException {
        byte[] key = key(number);
        byte[] value = value(number);
        long start = System.nanoTime();
        table.put(key, value);
        return System.nanoTime() - start;
    }

    private static long get(CrailTable table, int number) throws IOException {
        byte[] key = key(number);
        long start = System.nanoTime();
        Optional<Value> value = table.get(key);
        long nanos = System.nanoTime() - start;
        if (value.isEmpty() || !Arrays.equals(value.get().toByteArray(), value(number))) {
            throw new CorruptDataException("key " + number + " of " + TABLE + " has a wrong value");
        }
        return nanos;
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
