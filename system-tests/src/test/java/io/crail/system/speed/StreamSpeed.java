// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.speed;

import io.crail.client.CrailClient;
import io.crail.client.CrailFuture;
import io.crail.client.CrailStream;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.error.CrailException;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Appends and reads of a stream, beside a plain socket over loopback that moves as many bytes, in
 * alternating batches. Prints the median of the batches and of their ratios.
 */
final class StreamSpeed {
    private static final int BATCHES = 9;
    private static final int SMALL = 100;
    private static final int LARGE = 1 << 20;
    private static final int LARGE_RECORDS = 64;

    private StreamSpeed() {}

    /** Work that reports how much of it was done in a second. */
    @FunctionalInterface
    private interface Work {
        double perSecond() throws IOException, InterruptedException, ExecutionException;
    }

    public static void main(String[] args)
            throws IOException, InterruptedException, ExecutionException {
        try (ProcessCluster cluster =
                        ProcessCluster.builder().servers(1).capacity("1 GiB").start();
                CrailClient client = cluster.client()) {
            print("append 100 B, 1 thread waiting", "1/s", () -> blocking(client, 1, 3000));
            print("append 100 B, 4 threads waiting", "1/s", () -> blocking(client, 4, 3000));
            print("append 100 B, 1 thread async", "1/s", () -> asynchronous(client, 1, 300_000));
            print("append 100 B, 4 threads async", "1/s", () -> asynchronous(client, 4, 100_000));
            print("append 1 MiB, async", "MiB/s", () -> appendLarge(client), StreamSpeed::socket);
            print("read 1 MiB", "MiB/s", () -> readLarge(client), StreamSpeed::socket);
        }
        try (java.util.stream.Stream<String> load =
                java.nio.file.Files.lines(java.nio.file.Path.of("/proc/loadavg"))) {
            System.out.println("load " + load.findFirst().orElse("?"));
        }
    }

    private static void print(String what, String unit, Work work)
            throws IOException, InterruptedException, ExecutionException {
        double[] numbers = new double[BATCHES];
        for (int i = -2; i < BATCHES; i++) {
            double number = work.perSecond();
            if (i >= 0) {
                numbers[i] = number;
            }
        }
        Arrays.sort(numbers);
        System.out.printf(
                "%-34s %,12.0f %s (%,.0f .. %,.0f)%n",
                what, numbers[BATCHES / 2], unit, numbers[0], numbers[BATCHES - 1]);
    }

    private static void print(String what, String unit, Work work, Work limit)
            throws IOException, InterruptedException, ExecutionException {
        double[] numbers = new double[BATCHES];
        double[] limits = new double[BATCHES];
        double[] ratios = new double[BATCHES];
        for (int i = -2; i < BATCHES; i++) {
            double most = limit.perSecond();
            double number = work.perSecond();
            if (i >= 0) {
                limits[i] = most;
                numbers[i] = number;
                ratios[i] = number / most;
            }
        }
        Arrays.sort(numbers);
        Arrays.sort(limits);
        Arrays.sort(ratios);
        int middle = BATCHES / 2;
        System.out.printf(
                "%-34s %,12.0f %s, socket %,.0f (%,.0f .. %,.0f), ratio %.2f (%.2f .. %.2f)%n",
                what,
                numbers[middle],
                unit,
                limits[middle],
                limits[0],
                limits[BATCHES - 1],
                ratios[middle],
                ratios[0],
                ratios[BATCHES - 1]);
    }

    private static double blocking(CrailClient client, int threads, int each)
            throws IOException, InterruptedException, ExecutionException {
        return threads(
                client,
                threads,
                each,
                stream -> {
                    byte[] record = new byte[SMALL];
                    for (int i = 0; i < each; i++) {
                        stream.append(record);
                    }
                });
    }

    private static double asynchronous(CrailClient client, int threads, int each)
            throws IOException, InterruptedException, ExecutionException {
        return threads(
                client,
                threads,
                each,
                stream -> {
                    ByteBuffer record = ByteBuffer.allocate(SMALL);
                    List<CrailFuture<Long>> futures = new ArrayList<>();
                    for (int i = 0; i < each; i++) {
                        futures.add(stream.appendAsync(record));
                    }
                    futures.forEach(CrailFuture::join);
                });
    }

    @FunctionalInterface
    private interface Appender {
        void run(CrailStream stream) throws CrailException;
    }

    private static double threads(CrailClient client, int threads, int each, Appender appender)
            throws IOException, InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try (CrailStream stream = client.createStream("/small", StreamOptions.DEFAULT)) {
            long start = System.nanoTime();
            List<Future<?>> all = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                all.add(
                        executor.submit(
                                () -> {
                                    appender.run(stream);
                                    return null;
                                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
            return threads * each * 1e9 / (System.nanoTime() - start);
        } finally {
            executor.shutdown();
            client.delete("/small", false);
        }
    }

    private static double appendLarge(CrailClient client) throws IOException {
        ByteBuffer record = ByteBuffer.allocateDirect(LARGE - 8);
        try (CrailStream stream = client.createStream("/large", StreamOptions.DEFAULT)) {
            long start = System.nanoTime();
            append(stream, record);
            return LARGE_RECORDS * 1e9 / (System.nanoTime() - start);
        } finally {
            client.delete("/large", false);
        }
    }

    private static void append(CrailStream stream, ByteBuffer record) throws CrailException {
        List<CrailFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < LARGE_RECORDS; i++) {
            futures.add(stream.appendAsync(record));
        }
        futures.forEach(CrailFuture::join);
        stream.flush();
    }

    private static double readLarge(CrailClient client) throws IOException {
        try (CrailStream stream = client.createStream("/read", StreamOptions.DEFAULT)) {
            append(stream, ByteBuffer.allocateDirect(LARGE - 8));
            long start = System.nanoTime();
            int count = 0;
            try (StreamReader reader = stream.readerFromEarliest()) {
                while (count < LARGE_RECORDS) {
                    List<StreamRecord> records = reader.poll(10, Duration.ofSeconds(10));
                    count += records.size();
                }
            }
            return count * 1e9 / (System.nanoTime() - start);
        } finally {
            client.delete("/read", false);
        }
    }

    /** As many bytes through a socket, in pieces of 1 MiB. */
    private static double socket() throws IOException, InterruptedException, ExecutionException {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Future<Long> received =
                    executor.submit(
                            () -> {
                                try (SocketChannel channel = server.accept()) {
                                    ByteBuffer buffer = ByteBuffer.allocateDirect(LARGE);
                                    long sum = 0;
                                    for (int n = 0; n >= 0; n = channel.read(buffer.clear())) {
                                        sum += n;
                                    }
                                    return sum;
                                }
                            });
            long start = System.nanoTime();
            try (SocketChannel channel = SocketChannel.open(server.getLocalAddress())) {
                ByteBuffer buffer = ByteBuffer.allocateDirect(LARGE);
                for (int i = 0; i < LARGE_RECORDS; i++) {
                    buffer.clear();
                    while (buffer.hasRemaining()) {
                        int written = channel.write(buffer);
                        assert written >= 0;
                    }
                }
            }
            long bytes = received.get();
            return bytes / (double) LARGE * 1e9 / (System.nanoTime() - start);
        } finally {
            executor.shutdown();
        }
    }
}
