// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The other process: serves connections of {@link Peer}, each by a thread of its own, until its
 * standard input ends, so that it does not outlive whoever started it.
 */
final class PeerMain {
    private PeerMain() {}

    /**
     * Its arguments are the file to map, and the Unix socket to make in a directory that goes with
     * it; its first line on standard output is the port.
     */
    public static void main(String[] arguments) throws IOException {
        ByteBuffer source;
        try (FileChannel file = FileChannel.open(Path.of(arguments[0]))) {
            source = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
        }
        Path socket = Path.of(arguments[1]);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(socket), "remove-socket"));
        try (ServerSocketChannel listener = ServerSocketChannel.open();
                ServerSocketChannel local = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            local.bind(UnixDomainSocketAddress.of(socket));
            System.out.println(listener.socket().getLocalPort());
            daemon("accept", () -> accept(listener, true, source));
            daemon("accept-local", () -> accept(local, false, source));
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    /** Whoever started this process may have been killed, and it may be ended by a signal. */
    private static void remove(Path socket) {
        try {
            Files.deleteIfExists(socket);
            Files.deleteIfExists(socket.toAbsolutePath().getParent());
        } catch (IOException e) {
            // It lies in a directory for temporary files.
        }
    }

    private static void accept(ServerSocketChannel listener, boolean tcp, ByteBuffer source) {
        try {
            while (true) {
                SocketChannel channel = listener.accept();
                daemon("connection", () -> serve(channel, tcp, source.duplicate()));
            }
        } catch (IOException e) {
            // The listener is closed: this process ends.
        }
    }

    private static void serve(SocketChannel accepted, boolean tcp, ByteBuffer source) {
        try (SocketChannel channel = accepted) {
            if (tcp) {
                channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            }
            ByteBuffer first = ByteBuffer.allocate(1);
            if (PeerWork.fill(channel, first)) {
                PeerWork.of(first.get(0)).serve(channel, source);
            }
        } catch (IOException e) {
            // The other side has gone in the middle of a batch, and knows.
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
