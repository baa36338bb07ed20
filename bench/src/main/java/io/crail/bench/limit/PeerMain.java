// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * The other process: serves connections of {@link Peer}, each by a thread of its own, until its
 * standard input ends, so that it does not outlive whoever started it.
 */
final class PeerMain {
    private PeerMain() {}

    /** Its argument is the file to map; its first line on standard output is the port. */
    public static void main(String[] arguments) throws IOException {
        ByteBuffer source;
        try (FileChannel file = FileChannel.open(Path.of(arguments[0]))) {
            source = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
        }
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            System.out.println(listener.socket().getLocalPort());
            daemon("accept", () -> accept(listener, source));
            System.in.transferTo(OutputStream.nullOutputStream());
        }
    }

    private static void accept(ServerSocketChannel listener, ByteBuffer source) {
        try {
            while (true) {
                SocketChannel channel = listener.accept();
                daemon("connection", () -> serve(channel, source.duplicate()));
            }
        } catch (IOException e) {
            // The listener is closed: this process ends.
        }
    }

    private static void serve(SocketChannel accepted, ByteBuffer source) {
        try (SocketChannel channel = accepted) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
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
