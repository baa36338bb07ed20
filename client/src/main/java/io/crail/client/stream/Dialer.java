// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import io.crail.client.spi.IoContext;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** Knows where a connection leads, and makes sockets for it. Thread-safe. */
public interface Dialer {
    /** Where to, for messages. */
    String peer();

    /** Finds the address, without blocking; one of the two results is null. */
    void find(IoContext io, BiConsumer<@Nullable SocketAddress, @Nullable IOException> result);

    /** A new, unconnected, non-blocking socket with its options set. */
    SocketChannel newSocket(IoContext io) throws IOException;
}
