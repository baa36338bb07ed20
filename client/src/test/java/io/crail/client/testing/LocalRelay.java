// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.protocol.local.LocalEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A Unix socket in a directory with a cookie, which hands every byte to a namenode's port: what a
 * client finds on the host of a namenode.
 */
public final class LocalRelay implements AutoCloseable {
    private final Path directory;
    private final int port;
    private final byte[] cookie = new byte[LocalEndpoint.COOKIE_BYTES];
    private final AtomicInteger accepted = new AtomicInteger();
    private final Set<SocketChannel> channels = ConcurrentHashMap.newKeySet();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private volatile @Nullable ServerSocketChannel listener;
    private volatile boolean mute;

    public LocalRelay(Path parent, int port) throws IOException {
        this.port = port;
        this.directory =
                Files.createTempDirectory(
                        parent,
                        "",
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rwx------")));
        cookie[0] = 1;
        Files.write(directory.resolve(LocalEndpoint.COOKIE), cookie);
        start();
    }

    /** What the namenode tells. */
    public LocalEndpoint endpoint() {
        return new LocalEndpoint(directory.toString(), cookie.clone());
    }

    public Path cookieFile() {
        return directory.resolve(LocalEndpoint.COOKIE);
    }

    /** What a client calls the peer. */
    public String peer() {
        return directory.resolve(LocalEndpoint.SOCKET).toString();
    }

    /** Connections so far. */
    public int accepted() {
        return accepted.get();
    }

    /** New connections are accepted, and nothing of them is handed on. */
    public void mute() {
        mute = true;
    }

    public void start() throws IOException {
        Files.deleteIfExists(directory.resolve(LocalEndpoint.SOCKET));
        ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        socket.bind(UnixDomainSocketAddress.of(directory.resolve(LocalEndpoint.SOCKET)));
        listener = socket;
        spawn(() -> accept(socket));
    }

    public void dropConnections() throws IOException {
        for (SocketChannel each : channels) {
            each.close();
        }
        channels.clear();
    }

    /** Refuses connections, and breaks those there are; the file stays, as of a killed process. */
    public void stop() throws IOException {
        ServerSocketChannel socket = listener;
        if (socket != null) {
            socket.close();
        }
        dropConnections();
    }

    private void accept(ServerSocketChannel socket) {
        while (socket.isOpen()) {
            try {
                SocketChannel client = socket.accept();
                channels.add(client);
                if (!socket.isOpen()) {
                    client.close(); // It came while the socket was being closed.
                    return;
                }
                accepted.incrementAndGet();
                if (mute) {
                    continue;
                }
                SocketChannel server =
                        SocketChannel.open(
                                new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                channels.add(server);
                spawn(() -> pass(client, server));
                spawn(() -> pass(server, client));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void pass(SocketChannel from, SocketChannel to) {
        ByteBuffer buffer = ByteBuffer.allocate(64 << 10);
        try (from;
                to) {
            while (from.read(buffer) >= 0) {
                buffer.flip();
                while (buffer.hasRemaining()) {
                    to.write(buffer);
                }
                buffer.clear();
            }
        } catch (IOException e) {
            // One side has closed; so does the other now.
        }
    }

    private void spawn(Runnable task) {
        Thread thread = new Thread(task, "local-relay");
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        stop();
        try {
            for (Thread each : threads) {
                each.join(20_000);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted", e));
        }
    }
}
