// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.rpc;

import io.crail.protocol.frame.FrameHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Prints what the server alone can do on this machine: requests per second over pipelined
 * connections, and the round trip beside that of a bare echo over the same kind of socket. Not a
 * test: run it by hand, with the number of connections, requests in flight on each, and seconds.
 */
public final class RpcThroughput {
    private static final int CONTROL = 40;
    private static final int ROUND_TRIPS = 20_000;

    private RpcThroughput() {}

    public static void main(String[] args) throws IOException {
        int connections = args.length > 0 ? Integer.parseInt(args[0]) : 4;
        int depth = args.length > 1 ? Integer.parseInt(args[1]) : 64;
        int seconds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        Path temporary = Files.createTempDirectory("rpc-throughput-");
        try (RpcServer server =
                SocketKind.bind(temporary, new TestHandler(), RpcOptions.defaults())) {
            server.start();
            for (int round = 0; round < 3; round++) {
                for (SocketKind kind : SocketKind.values()) {
                    measure(kind, kind.address(server), connections, depth, seconds);
                }
            }
        }
        try (var homes = Files.list(temporary)) {
            for (Path home : homes.toList()) {
                Files.delete(home);
            }
        }
        Files.delete(temporary);
    }

    private static void measure(
            SocketKind kind, SocketAddress address, int connections, int depth, int seconds)
            throws IOException {
        double perSecond = throughput(address, connections, depth, seconds);
        double bare = bareRoundTripMicros(kind);
        double product = roundTripMicros(address);
        System.out.printf(
                Locale.ROOT,
                "%s: %d connections x %d: %.0f requests/s; round trip p50 %.1f us, bare %.1f us,"
                        + " ratio %.2f%n",
                kind,
                connections,
                depth,
                perSecond,
                product,
                bare,
                product / bare);
    }

    private static double throughput(
            SocketAddress address, int connections, int depth, int seconds) {
        CompletableFuture<?>[] clients = new CompletableFuture<?>[connections];
        long[] counts = new long[connections];
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        for (int i = 0; i < connections; i++) {
            int index = i;
            clients[i] =
                    CompletableFuture.runAsync(
                            () -> counts[index] = pipeline(address, depth, end),
                            task -> new Thread(task, "client-" + index).start());
        }
        CompletableFuture.allOf(clients).join();
        return (double) Arrays.stream(counts).sum() / seconds;
    }

    private static long pipeline(SocketAddress address, int depth, long end) {
        try (SocketChannel channel = establish(address)) {
            ByteBuffer requests = requests(depth);
            int answers = depth * (FrameHeader.SIZE + CONTROL);
            ByteBuffer in = ByteBuffer.allocateDirect(answers);
            long count = 0;
            while (System.nanoTime() < end) {
                exchange(channel, requests, in);
                count += depth;
            }
            return count;
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static double roundTripMicros(SocketAddress address) throws IOException {
        try (SocketChannel channel = establish(address)) {
            return medianMicros(channel, FrameHeader.SIZE + CONTROL);
        }
    }

    private static double bareRoundTripMicros(SocketKind kind) throws IOException {
        boolean local = kind == SocketKind.UNIX;
        try (ServerSocketChannel listener =
                local
                        ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        : ServerSocketChannel.open()) {
            listener.bind(
                    local ? null : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            Thread echo = new Thread(() -> echo(listener), "bare-echo");
            echo.start();
            try (SocketChannel channel = open(listener.getLocalAddress())) {
                return medianMicros(channel, FrameHeader.SIZE + CONTROL);
            } finally {
                if (listener.getLocalAddress() instanceof UnixDomainSocketAddress named) {
                    Files.delete(named.getPath());
                }
            }
        }
    }

    private static void echo(ServerSocketChannel listener) {
        try (SocketChannel channel = listener.accept()) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
            while (channel.read(buffer) >= 0) {
                channel.write(buffer.flip());
                buffer.clear();
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static double medianMicros(SocketChannel channel, int size) throws IOException {
        ByteBuffer request = requests(1);
        ByteBuffer in = ByteBuffer.allocateDirect(size);
        long[] nanos = new long[ROUND_TRIPS];
        for (int i = 0; i < 2 * ROUND_TRIPS; i++) {
            long start = System.nanoTime();
            exchange(channel, request, in);
            nanos[i % ROUND_TRIPS] = System.nanoTime() - start;
        }
        Arrays.sort(nanos);
        return nanos[ROUND_TRIPS / 2] / 1000.0;
    }

    private static void exchange(SocketChannel channel, ByteBuffer requests, ByteBuffer in)
            throws IOException {
        requests.rewind();
        while (requests.hasRemaining()) {
            channel.write(requests);
        }
        in.clear();
        while (in.hasRemaining()) {
            if (channel.read(in) < 0) {
                throw new IOException("the server closed the connection");
            }
        }
    }

    private static ByteBuffer requests(int count) {
        int size = FrameHeader.SIZE + CONTROL;
        ByteBuffer requests =
                ByteBuffer.allocateDirect(count * size).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            FrameHeader.putRequest(
                    requests, i * size, 0, TestHandler.ECHO, i, 1, 1000, CONTROL, 0, 0, 0);
        }
        return requests;
    }

    private static SocketChannel open(SocketAddress address) throws IOException {
        SocketChannel channel = SocketChannel.open(address);
        if (address instanceof InetSocketAddress) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        return channel;
    }

    private static SocketChannel establish(SocketAddress address) throws IOException {
        SocketChannel channel = open(address);
        exchange(channel, hello(), ByteBuffer.allocateDirect(FrameHeader.SIZE + 8));
        return channel;
    }

    private static ByteBuffer hello() {
        ByteBuffer hello =
                ByteBuffer.allocateDirect(FrameHeader.SIZE).order(ByteOrder.LITTLE_ENDIAN);
        FrameHeader.putRequest(hello, 0, 0, TestHandler.HELLO, 0, 0, 1000, 0, 0, 0, 0);
        return hello;
    }
}
