// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.InvalidArgumentException;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import org.jspecify.annotations.Nullable;

/** How Netty talks to the kernel. */
enum Transport {
    NIO {
        @Override
        @Nullable Throwable unavailability() {
            return null;
        }

        @Override
        IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        Class<? extends ServerSocketChannel> serverChannel() {
            return NioServerSocketChannel.class;
        }
    },
    EPOLL {
        @Override
        @Nullable Throwable unavailability() {
            return Epoll.unavailabilityCause();
        }

        @Override
        IoHandlerFactory handlers() {
            return EpollIoHandler.newFactory();
        }

        @Override
        Class<? extends ServerSocketChannel> serverChannel() {
            return EpollServerSocketChannel.class;
        }
    },
    IO_URING {
        @Override
        @Nullable Throwable unavailability() {
            return IoUring.unavailabilityCause();
        }

        @Override
        IoHandlerFactory handlers() {
            return IoUringIoHandler.newFactory();
        }

        @Override
        Class<? extends ServerSocketChannel> serverChannel() {
            return IoUringServerSocketChannel.class;
        }
    };

    /** Why this transport cannot be used here, or null if it can. */
    abstract @Nullable Throwable unavailability();

    abstract IoHandlerFactory handlers();

    abstract Class<? extends ServerSocketChannel> serverChannel();

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
