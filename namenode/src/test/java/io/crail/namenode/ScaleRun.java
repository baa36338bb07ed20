// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.node.NodeType;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Fills a namenode of 768 MiB with key-values over pipelined connections, lets it make snapshots
 * meanwhile, measures lookups beside the load, kills it and starts it again. Prints what it
 * measured. {@link #main} takes a directory, the number of values, and flags of the JVM.
 */
public final class ScaleRun implements Closeable {
    private static final int CONNECTIONS = Integer.getInteger("crail.test.connections", 2);
    private static final int VALUE_BYTES = 100;
    private static final int ENTRIES = 100_000;
    private static final int PAGE = 1000;

    private final Path directory;
    private final List<String> flags;
    private Process process;
    private BufferedReader out;
    private InetSocketAddress address;
    private long startMillis;

    ScaleRun(Path directory, List<String> flags) throws IOException {
        this.directory = directory;
        this.flags = flags;
        this.process = launch();
        this.out = reader(process);
        this.address = awaitStart();
    }

    public static void main(String[] args) throws IOException {
        List<String> flags = Arrays.asList(args).subList(2, args.length);
        try (ScaleRun run = new ScaleRun(Path.of(args[0]), flags)) {
            run.measure(Integer.parseInt(args[1]));
        }
    }

    /** Everything, one after the other. */
    void measure(int values) throws IOException {
        fill(values);
        list();
        kill();
        say("restarted in %d ms: %s", startMillis, ask());
        try (TestSession session = new TestSession(WireClient.open(this::connect, "check"))) {
            Statistics.Reply statistics = session.statistics();
            say(
                    "%d values, %d files, snapshot at %d, log at %d",
                    statistics.keyValues(),
                    statistics.files(),
                    statistics.snapshotPosition(),
                    statistics.logPosition());
            if (statistics.keyValues() != values || statistics.files() != ENTRIES) {
                throw new IOException("something is missing: " + statistics);
            }
            session.get("/table", key(values - 1));
        }
    }

    // The load.

    private void fill(int values) throws IOException {
        try (TestSession session = new TestSession(WireClient.open(this::connect, "maker"))) {
            session.table("/table");
            session.put("/table", "probe", "x".repeat(VALUE_BYTES));
            measureLatency(session, () -> false, 20_000, "idle");
            AtomicBoolean filling = new AtomicBoolean(true);
            long start = System.nanoTime();
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                long from = (long) values * i / CONNECTIONS;
                long to = (long) values * (i + 1) / CONNECTIONS;
                clients.add(CompletableFuture.runAsync(() -> put(from, to)));
            }
            CompletableFuture<Void> all =
                    CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new))
                            .whenComplete((done, cause) -> filling.set(false));
            measureLatency(session, filling::get, Integer.MAX_VALUE, "while filling");
            all.join();
            double seconds = (System.nanoTime() - start) / 1e9;
            session.remove("/table", "probe");
            say("%d values in %.1f s: %.0f puts/s; %s", values, seconds, values / seconds, ask());
        }
    }

    private void put(long from, long to) {
        byte[] value = "v".repeat(VALUE_BYTES).getBytes(StandardCharsets.US_ASCII);
        try (PipelinedClient client = new PipelinedClient(WireClient.open(this::connect, "put"))) {
            client.run(
                    from,
                    to,
                    i ->
                            new PipelinedClient.Item(
                                    TestRequests.putRequest("/table", key(i), 0, 0), value));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** 16 bytes in no order. */
    private static String key(long i) {
        return "%016x".formatted(i * 0x9E3779B97F4A7C15L);
    }

    /** One condition of a measurement: whether it still holds. */
    @FunctionalInterface
    private interface While {
        boolean holds();
    }

    private static void measureLatency(TestSession session, While condition, int most, String when)
            throws IOException {
        long[] nanos = new long[1 << 16];
        int count = 0;
        while ((most < Integer.MAX_VALUE || condition.holds()) && count < most) {
            long start = System.nanoTime();
            session.value("/table", "probe");
            if (count == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * count);
            }
            nanos[count++] = System.nanoTime() - start;
        }
        Arrays.sort(nanos, 0, count);
        say(
                "lookup %s, %d samples: p50 %d us, p99 %d us, p99.9 %d us, max %d us",
                when,
                count,
                nanos[count / 2] / 1000,
                nanos[(int) (count * 0.99)] / 1000,
                nanos[(int) (count * 0.999)] / 1000,
                nanos[count - 1] / 1000);
    }

    private void list() throws IOException {
        try (TestSession session = new TestSession(WireClient.open(this::connect, "list"));
                PipelinedClient maker =
                        new PipelinedClient(WireClient.open(this::connect, "maker"))) {
            session.mkdir("/dir");
            long start = System.nanoTime();
            maker.run(
                    0,
                    ENTRIES,
                    i ->
                            new PipelinedClient.Item(
                                    TestRequests.createRequest(
                                            "/dir/" + key(i), NodeType.FILE, 0, 0),
                                    FrameLink.NO_PAYLOAD));
            long made = System.nanoTime();
            int seen = 0;
            byte[] cursor = TestSession.NOTHING;
            boolean more = true;
            long longest = 0;
            while (more) {
                long before = System.nanoTime();
                ListEntries.Reply page = session.page("/dir", cursor, PAGE);
                longest = Math.max(longest, System.nanoTime() - before);
                seen += page.entries().size();
                cursor = page.entries().get(page.entries().size() - 1).name();
                more = page.more();
            }
            say(
                    "%d files made in %d ms, %d listed in %d ms, longest page %d us",
                    ENTRIES,
                    (made - start) / 1_000_000,
                    seen,
                    (System.nanoTime() - made) / 1_000_000,
                    longest / 1000);
        }
    }

    // The process.

    private Process launch() throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Xmx768m");
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(ScaleServer.class.getName(), directory.toString()));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static BufferedReader reader(Process process) {
        return new BufferedReader(
                new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
    }

    private InetSocketAddress awaitStart() throws IOException {
        String line = out.readLine();
        while (line != null && !line.matches("\\d+ \\d+")) {
            line = out.readLine(); // What the JVM says because of a flag.
        }
        if (line == null) {
            throw new IOException("the namenode did not start");
        }
        String[] parts = line.split(" ", -1);
        startMillis = Long.parseLong(parts[1]);
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(parts[0]));
    }

    private String ask() throws IOException {
        OutputStream in = process.getOutputStream();
        in.write('\n');
        in.flush();
        return String.valueOf(out.readLine());
    }

    private void kill() throws IOException {
        end();
        process = launch();
        out = reader(process);
        address = awaitStart();
    }

    private void end() throws IOException {
        process.destroyForcibly();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                throw new IOException("process " + process.pid() + " does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        out.close();
    }

    private FrameLink connect() throws IOException {
        return new WireConnection(address);
    }

    private static void say(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    @Override
    public void close() throws IOException {
        end();
    }
}
