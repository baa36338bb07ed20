// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import io.crail.bench.measure.Latencies;
import io.crail.client.CrailStream;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.error.TimeoutException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A stream that is read while another process appends to it: as fast as it can, then one record at
 * a time. Every record must come, complete and in order.
 */
final class StreamStep implements Step {
    private static final String PATH = "/stream";
    private static final int AT_ONCE = 20_000;
    private static final int SINGLY = 400;
    private static final int POLLED = 4096;
    private static final Duration WAIT = Duration.ofSeconds(30);

    /** The first round of each kind warms up. */
    private static final int ROUNDS = 1 + Comparison.BATCHES;

    /** Bytes that the stream has in the end, with what each record needs besides. */
    static final long BYTES = (long) ROUNDS * (AT_ONCE + SINGLY) * (TimedRecord.LENGTH + 8);

    private long next;

    @Override
    public String subject() {
        return "a stream, read while another process appends";
    }

    @Override
    public void run(Stage stage) throws IOException {
        long singlyFrom = (long) ROUNDS * AT_ONCE;
        try (CrailStream stream = stage.client().createStream(PATH, StreamOptions.DEFAULT);
                StreamReader reader = stream.readerFromEarliest();
                Participant many = appender(stage, "appender-0", 0, AT_ONCE);
                Participant single =
                        appender(stage, "appender-1", singlyFrom, SINGLY, "--singly")) {
            many.awaitReady();
            single.awaitReady();
            stage.add(throughput(reader, many));
            latency(stage, reader, single);
        }
    }

    @Override
    public void verify(Stage stage) throws IOException {
        long records = next;
        try (CrailStream stream = stage.client().stream(PATH);
                StreamReader reader = stream.readerFromEarliest()) {
            next = 0;
            receive(reader, (int) records);
        }
    }

    private static Participant appender(
            Stage stage, String name, long first, int records, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(AppendRecordsCommand.NAME));
        arguments.addAll(List.of("--first=" + first, "--records=" + records, PATH));
        arguments.addAll(List.of(more));
        return Participant.start(stage, name, arguments);
    }

    private Measurement throughput(StreamReader reader, Participant appender) throws IOException {
        Comparison comparison = new Comparison(Loopback.ROUND_TRIP);
        long total = 0;
        for (int round = 0; round < ROUNDS; round++) {
            double roundTrip = Loopback.roundTrips().median();
            long nanos = Stage.time(() -> round(reader, appender, AT_ONCE));
            if (round > 0) {
                comparison.add(Measurement.perSecond(AT_ONCE, nanos), 1e9 / roundTrip);
                total += nanos;
            }
        }
        return new Measurement(
                "stream of 100 B, append to tail",
                amount(AT_ONCE),
                total,
                Measurement.Kind.COUNT,
                comparison);
    }

    private void latency(Stage stage, StreamReader reader, Participant appender)
            throws IOException {
        Comparison middle = new Comparison(Loopback.ROUND_TRIP);
        Comparison slow = new Comparison(Loopback.ROUND_TRIP + " p99");
        long total = 0;
        for (int round = 0; round < ROUNDS; round++) {
            Latencies limit = Loopback.roundTrips();
            long start = System.nanoTime();
            Latencies latencies = round(reader, appender, SINGLY);
            if (round > 0) {
                middle.add(latencies.median(), limit.median());
                slow.add(latencies.quantile(0.99), limit.quantile(0.99));
                total += System.nanoTime() - start;
            }
        }
        Measurement.Kind kind = Measurement.Kind.LATENCY;
        String amount = amount(SINGLY);
        stage.add(new Measurement("append to arrival, p50", amount, total, kind, middle));
        stage.add(new Measurement("append to arrival, p99", amount, total, kind, slow));
    }

    private static String amount(int each) {
        return String.format(Locale.ROOT, "%,d", Comparison.BATCHES * each);
    }

    private Latencies round(StreamReader reader, Participant appender, int records)
            throws IOException {
        appender.go();
        Latencies latencies = receive(reader, records);
        appender.awaitDone();
        return latencies;
    }

    /** Times from the append of each record to its arrival here. */
    private Latencies receive(StreamReader reader, int records) throws IOException {
        Latencies latencies = new Latencies(records);
        while (latencies.count() < records) {
            int wanted = Math.min(POLLED, records - latencies.count());
            List<StreamRecord> polled = reader.poll(wanted, WAIT);
            long now = System.nanoTime();
            if (polled.isEmpty()) {
                throw new TimeoutException(
                        "record " + next + " of " + PATH + " does not come within " + WAIT);
            }
            for (StreamRecord record : polled) {
                latencies.add(now - TimedRecord.check(record, next));
                next++;
            }
        }
        return latencies;
    }
}
