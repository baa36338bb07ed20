// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.InvalidArgumentException;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** How Netty talks to the kernel. */
enum Transport {
    NIO {
        @Override
        @Nullable Throwable unavailability() {
            return null;
        }

        @Override
        IoHandlerFactory handlers(boolean busyPoll) {
            return NioIoHandler.newFactory(
                    SelectorProvider.provider(),
                    () -> new SpinningSelect(System::nanoTime, busyPoll));
        }

        @Override
        Class<? extends ServerSocketChannel> serverChannel() {
            return NioServerSocketChannel.class;
        }

        @Override
        Class<? extends ServerChannel> localServerChannel() {
            return NioServerDomainSocketChannel.class;
        }

        @Override
        SocketAddress localAddress(Path path) {
            return UnixDomainSocketAddress.of(path);
        }
    },
    EPOLL {
        @Override
        @Nullable Throwable unavailability() {
            return Epoll.unavailabilityCause();
        }

        @Override
        IoHandlerFactory handlers(boolean busyPoll) {
            return EpollIoHandler.newFactory(
                    0, () -> new SpinningSelect(System::nanoTime, busyPoll));
        }

        @Override
        Class<? extends ServerSocketChannel> serverChannel() {
            return EpollServerSocketChannel.class;
        }

        @Override
        Class<? extends ServerChannel> localServerChannel() {
            return EpollServerDomainSocketChannel.class;
        }
    },
    IO_URING {
        @Override
        @Nullable Throwable unavailability() {
            return IoUring.unavailabilityCause();
        }

        @Override
        IoHandlerFactory handlers(boolean busyPoll) {
            return IoUringIoHandler.newFactory();
        }

        @Override
        Class<? extends ServerSocketChannel> serverChannel() {
            return IoUringServerSocketChannel.class;
        }

        @Override
        Class<? extends ServerChannel> localServerChannel() {
            return IoUringServerDomainSocketChannel.class;
        }
    };

    /** Why this transport cannot be used here, or null if it can. */
    abstract @Nullable Throwable unavailability();

    /**
     * Makes what waits for events.
     *
     * @param busyPoll whether it looks for them before it sleeps, while that pays
     */
    abstract IoHandlerFactory handlers(boolean busyPoll);

    abstract Class<? extends ServerSocketChannel> serverChannel();

    /** Listens on Unix sockets. */
    abstract Class<? extends ServerChannel> localServerChannel();

    /** The address of a Unix socket, as this transport wants it. */
    SocketAddress localAddress(Path path) {
        return new DomainSocketAddress(path.toFile());
    }

    /**
     * The transport of a name: "auto" takes epoll where it works and NIO elsewhere; one named
     * explicitly must work.
     */
    static Transport of(String name) throws InvalidArgumentException {
        if (name.equals("auto")) {
            return EPOLL.unavailability() == null ? EPOLL : NIO;
        }
        for (Transport transport : values()) {
            if (transport.label().equals(name)) {
                Throwable cause = transport.unavailability();
                if (cause != null) {
                    throw new InvalidArgumentException(
                            "transport "
                                    + name
                                    + " does not work on this machine: "
                                    + cause.getMessage()
                                    + "; use auto",
                            cause);
                }
                return transport;
            }
        }
        throw new InvalidArgumentException(
                "transport " + name + " is none of auto, nio, epoll, io_uring");
    }

    String label() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
