// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import io.crail.client.ClientConfig;
import io.crail.client.CrailClient;
import io.crail.system.process.ProcessCluster;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Scanner;

/**
 * How long a lookup takes over TCP and over the namenode's Unix socket, beside a bare ping-pong of
 * 64 bytes with another process over the same kind of socket, in alternating batches. Not a test:
 * run it by hand, with the number of calls of each kind.
 */
public final class LookupLatency {
    private static final int BATCH = 1_000;
    private static final int MESSAGE = 64;
    private static final ByteBuffer PING = ByteBuffer.allocateDirect(MESSAGE);

    private LookupLatency() {}

    /** One kind of call. */
    @FunctionalInterface
    private interface Call {
        void run() throws IOException;
    }

    private record Row(String name, Call call, long[] nanos) {
        void batch(int at) throws IOException {
            for (int i = 0; i < BATCH; i++) {
                long start = System.nanoTime();
                call.run();
                nanos[at + i] = System.nanoTime() - start;
            }
        }

        void print() {
            Arrays.sort(nanos);
            System.out.printf(
                    Locale.ROOT,
                    "%-22s p50 %7.1f us  p99 %7.1f us%n",
                    name,
                    nanos[nanos.length / 2] / 1e3,
                    nanos[nanos.length * 99 / 100] / 1e3);
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 2) {
            echo(args[1]);
            return;
        }
        int calls = args.length > 0 ? Integer.parseInt(args[0]) : 20_000;
        Path directory = Files.createTempDirectory("lookup-latency-");
        Path socket = directory.resolve("echo.sock");
        Process tcpEcho = startEcho("tcp");
        Process localEcho = startEcho(socket.toString());
        try (ProcessCluster cluster = ProcessCluster.builder().servers(1).start();
                CrailClient tcp =
                        CrailClient.connect(cluster.clientConfig().unixSocket(false).build());
                CrailClient local =
                        CrailClient.connect(ClientConfig.of(cluster.namenodeAddress()));
                SocketChannel tcpPing = connect(tcpEcho);
                SocketChannel localPing = connect(localEcho)) {
            local.mkdir("/looked-up");
            System.out.println(load());
            System.out.println(
                    tcp.clientStatistics().namenode() + ", " + local.clientStatistics().namenode());
            List<Row> rows =
                    List.of(
                            new Row("ping-pong TCP", () -> ping(tcpPing), new long[calls]),
                            new Row("lookup TCP", () -> tcp.lookup("/looked-up"), new long[calls]),
                            new Row("ping-pong Unix", () -> ping(localPing), new long[calls]),
                            new Row(
                                    "lookup Unix",
                                    () -> local.lookup("/looked-up"),
                                    new long[calls]));
            for (int warm = 0; warm < 10; warm++) {
                for (Row row : rows) {
                    row.batch(0);
                }
            }
            for (int at = 0; at + BATCH <= calls; at += BATCH) {
                for (Row row : rows) {
                    row.batch(at);
                }
            }
            rows.forEach(Row::print);
            System.out.println(load());
        } finally {
            tcpEcho.destroyForcibly().waitFor();
            localEcho.destroyForcibly().waitFor();
            Files.deleteIfExists(socket);
            Files.delete(directory);
        }
    }

    private static String load() throws IOException {
        return "load " + Files.readString(Path.of("/proc/loadavg")).strip();
    }

    private static Process startEcho(String where) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LookupLatency.class.getName(),
                        "echo",
                        where)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static SocketChannel connect(Process echo) throws IOException {
        Scanner lines = new Scanner(echo.getInputStream(), "UTF-8");
        String where = lines.nextLine();
        if (where.startsWith("/")) {
            return SocketChannel.open(UnixDomainSocketAddress.of(where));
        }
        SocketChannel channel =
                SocketChannel.open(
                        new InetSocketAddress(
                                InetAddress.getLoopbackAddress(), Integer.parseInt(where)));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    private static void ping(SocketChannel channel) throws IOException {
        channel.write(PING.clear());
        readWhole(channel, PING.clear());
    }

    private static void readWhole(SocketChannel channel, ByteBuffer message) throws IOException {
        while (message.hasRemaining()) {
            if (channel.read(message) < 0) {
                throw new EOFException();
            }
        }
    }

    private static void echo(String where) {
        boolean local = where.startsWith("/");
        SocketAddress address =
                local
                        ? UnixDomainSocketAddress.of(where)
                        : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (ServerSocketChannel listener =
                local
                        ? ServerSocketChannel.open(StandardProtocolFamily.UNIX)
                        : ServerSocketChannel.open()) {
            listener.bind(address);
            System.out.println(
                    listener.getLocalAddress() instanceof InetSocketAddress bound
                            ? Integer.toString(bound.getPort())
                            : where);
            try (SocketChannel channel = listener.accept()) {
                if (!local) {
                    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
                }
                ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE);
                while (true) {
                    readWhole(channel, message.clear());
                    channel.write(message.flip());
                }
            }
        } catch (EOFException e) {
            System.exit(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
