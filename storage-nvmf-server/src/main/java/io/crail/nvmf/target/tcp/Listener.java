// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.shared.SharedMemory;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where hosts connect: at a TCP port, and those of this machine at a Unix socket, too, which takes
 * less time for each message. They are told its path by Identify Controller ({@link
 * io.crail.nvmf.wire.identify.LocalSocketField}).
 *
 * <p>The Unix socket belongs to this user only, and is in the directory of shared memory, where the
 * next start of the same target removes what a killed one has left. Where it cannot be had there is
 * TCP.
 *
 * <p>Immutable.
 */
final class Listener implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final int BACKLOG = 1024;

    /** No more than an unprivileged process may have everywhere (net.core.wmem_max). */
    private static final int SEND_BUFFER = 208 << 10;

    private final ServerSocketChannel tcp;
    private final InetSocketAddress address;
    private final @Nullable ServerSocketChannel local;
    private final String path;

    private Listener(
            ServerSocketChannel tcp, @Nullable ServerSocketChannel local, @Nullable Path path)
            throws IOException {
        this.tcp = tcp;
        this.address = (InetSocketAddress) tcp.getLocalAddress();
        this.local = local;
        this.path = local == null ? "" : String.valueOf(path);
    }

    /**
     * Listens.
     *
     * @param unpaced whether hosts of this machine are not to be paced, as far as can be had
     * @param shared has room for a Unix socket; null for none
     */
    static Listener open(InetSocketAddress bind, boolean unpaced, @Nullable SharedMemory shared)
            throws IOException {
        ServerSocketChannel tcp = ServerSocketChannel.open();
        boolean done = false;
        try {
            tcp.configureBlocking(false);
            tcp.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            tcp.bind(bind, BACKLOG);
            if (unpaced) {
                LoopbackPacing.switchOff(tcp);
            }
            Path path = shared == null ? null : shared.socket();
            Listener listener = new Listener(tcp, path == null ? null : local(path), path);
            done = true;
            return listener;
        } finally {
            if (!done) {
                tcp.close();
            }
        }
    }

    private static @Nullable ServerSocketChannel local(Path path) {
        ServerSocketChannel channel = null;
        boolean done = false;
        try {
            channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
            channel.configureBlocking(false);
            channel.bind(UnixDomainSocketAddress.of(path), BACKLOG);
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
            done = true;
            return channel;
        } catch (IOException | UnsupportedOperationException e) {
            // Too long a path, or a system without such sockets.
            LOG.info("Hosts of this machine use TCP, since {} cannot be: {}", path, e.toString());
            return null;
        } finally {
            if (!done && channel != null) {
                close(channel, path);
            }
        }
    }

    private static void close(ServerSocketChannel channel, Path path) {
        try {
            boolean bound = channel.getLocalAddress() != null;
            channel.close();
            if (bound) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            LOG.warn("Cannot remove {}: {}", path, e.toString());
        }
    }

    ServerSocketChannel tcp() {
        return tcp;
    }

    /** Null if there is none. */
    @Nullable ServerSocketChannel local() {
        return local;
    }

    /** Of TCP. */
    InetSocketAddress address() {
        return address;
    }

    /** What a host is told of the Unix socket: nothing if there is none, or it is elsewhere. */
    String localSocketFor(SocketChannel host) {
        return isLocal(host) ? path : "";
    }

    /** The TCP address at which a host reaches this, though it may have come another way. */
    InetSocketAddress reachedBy(SocketChannel host) throws IOException {
        if (host.getLocalAddress() instanceof InetSocketAddress reached) {
            return reached;
        }
        return address.getAddress().isAnyLocalAddress()
                ? new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort())
                : address;
    }

    /** Whether a host is on this machine: by TCP it has the same address then as this end. */
    static boolean isLocal(SocketChannel host) {
        try {
            return isUnix(host)
                    || (host.getLocalAddress() instanceof InetSocketAddress here
                            && host.getRemoteAddress() instanceof InetSocketAddress there
                            && here.getAddress().equals(there.getAddress()));
        } catch (IOException e) {
            return false; // closed already
        }
    }

    private static boolean isUnix(SocketChannel host) throws IOException {
        return host.getLocalAddress() instanceof UnixDomainSocketAddress;
    }

    /** Prepares a connection that was accepted; returns what to call its host. */
    static String prepare(SocketChannel accepted) throws IOException {
        accepted.configureBlocking(false);
        if (isUnix(accepted)) {
            // Asked for, it counts twice: an answer of many small pieces has room.
            accepted.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER);
            return "a host of this machine";
        }
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        accepted.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        return String.valueOf(accepted.getRemoteAddress());
    }

    /** Accepts nothing any more. Idempotent. */
    @Override
    public void close() throws IOException {
        if (local != null && local.isOpen()) {
            close(local, Path.of(path));
        }
        tcp.close();
    }
}
