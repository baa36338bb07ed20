// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.error.InternalException;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * What the machine itself can do over loopback sockets, with nothing but blocking channels: the
 * limit that crail is compared with.
 *
 * @param bytesPerSecond one stream, one reader and one writer
 * @param roundTripNanos median round trip of 64 bytes
 */
record MachineLimits(double bytesPerSecond, double roundTripNanos) {
    private static final int CHUNK = 1 << 20;
    private static final int MESSAGE = 64;
    private static final int TRIALS = 5;
    private static final int WARM_UP = 2_000;
    private static final int ROUND_TRIPS = 4_000;
    private static final long BOUND_SECONDS = 60;

    /** Measures both; takes about a second. */
    static MachineLimits measure(long bytes) throws IOException {
        double roundTrip = Double.MAX_VALUE;
        // Where the two threads happen to run decides; a limit is the best that is possible.
        for (int i = 0; i < TRIALS; i++) {
            roundTrip = Math.min(roundTrip, pingPong());
        }
        return new MachineLimits(stream(bytes), roundTrip);
    }

    private static double stream(long bytes) throws IOException {
        return withPeer(
                channel -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
                    long received = 0;
                    while (received < bytes) {
                        int count = channel.read(buffer.clear());
                        if (count < 0) {
                            throw new EOFException("stream ended early");
                        }
                        received += count;
                    }
                    channel.write(ByteBuffer.allocate(1));
                    return received;
                },
                channel -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
                    long start = System.nanoTime();
                    for (long left = bytes; left > 0; ) {
                        buffer.clear().limit((int) Math.min(CHUNK, left));
                        left -= channel.write(buffer);
                    }
                    readFully(channel, ByteBuffer.allocate(1));
                    return bytes * 1e9 / (System.nanoTime() - start);
                });
    }

    private static double pingPong() throws IOException {
        int rounds = WARM_UP + ROUND_TRIPS;
        return withPeer(
                channel -> {
                    ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE);
                    for (int i = 0; i < rounds; i++) {
                        readFully(channel, message.clear());
                        writeFully(channel, message.flip());
                    }
                    return (long) rounds;
                },
                channel -> {
                    Latencies latencies = new Latencies(ROUND_TRIPS);
                    ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE);
                    for (int i = 0; i < rounds; i++) {
                        long start = System.nanoTime();
                        writeFully(channel, message.clear());
                        readFully(channel, message.clear());
                        if (i >= WARM_UP) {
                            latencies.add(System.nanoTime() - start);
                        }
                    }
                    return latencies.median();
                });
    }

    /** One side of a connection. */
    @FunctionalInterface
    private interface Side<T> {
        T run(SocketChannel channel) throws IOException;
    }

    private static double withPeer(Side<Long> peer, Side<Double> measured) throws IOException {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Callable<Long> accepted =
                    () -> {
                        try (SocketChannel channel = noDelay(listener.accept())) {
                            return peer.run(channel);
                        }
                    };
            Future<Long> done = thread.submit(accepted);
            try (SocketChannel channel = noDelay(SocketChannel.open(listener.getLocalAddress()))) {
                double result = measured.run(channel);
                done.get(BOUND_SECONDS, TimeUnit.SECONDS);
                return result;
            }
        } catch (ExecutionException | java.util.concurrent.TimeoutException e) {
            throw new InternalException("the machine's limits cannot be measured: " + e, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InternalException("interrupted", e);
        } finally {
            thread.shutdownNow();
        }
    }

    private static SocketChannel noDelay(SocketChannel channel) throws IOException {
        return channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    private static void readFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("peer has closed");
            }
        }
    }

    private static void writeFully(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }
}
