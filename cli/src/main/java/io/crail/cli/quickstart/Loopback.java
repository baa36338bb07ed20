// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Latencies;
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
 * What the machine can do over loopback sockets with nothing but blocking channels: a limit that
 * crail is compared with.
 */
final class Loopback {
    static final String ROUND_TRIP = "round trip";
    static final String STREAM = "loopback stream";

    private static final int CHUNK = 1 << 20;
    private static final int MESSAGE = 64;
    private static final int WARM_UP = 500;
    private static final int ROUND_TRIPS = 1_000;
    private static final long BOUND_SECONDS = 60;

    private Loopback() {}

    /** Bytes per second of one stream, one reader and one writer. */
    static double stream(long bytes) throws IOException {
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

    /** Round trips of 64 bytes, one after another. */
    static Latencies roundTrips() throws IOException {
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
                    return latencies;
                });
    }

    /** One side of a connection. */
    @FunctionalInterface
    private interface Side<T> {
        T run(SocketChannel channel) throws IOException;
    }

    private static <T> T withPeer(Side<Long> peer, Side<T> measured) throws IOException {
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
                T result = measured.run(channel);
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
