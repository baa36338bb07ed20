// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.spi;

import io.crail.error.CrailException;

/**
 * A connection that carries frames in both directions. Thread-safe. Answers may come in any order.
 */
public interface RpcChannel {
    /** Hears about the state of a channel, on the polling thread. */
    interface Listener {
        /** The connection stands; nothing but the hello may be sent yet. */
        void opened(RpcChannel channel);

        /** The connection is gone or never came; called once, after all exchanges have failed. */
        void closed(RpcChannel channel, CrailException cause);
    }

    /** What became of a withdrawn exchange. */
    enum Withdrawn {
        /** Not a byte of it was sent, and none will be. Its methods will not be called. */
        UNSENT,
        /** It was sent, at least in part; the rest goes out from a copy, the answer may come. */
        SENT
    }

    /** Sends a frame, or queues it; tries to write at once in the calling thread. */
    void send(Exchange exchange);

    /**
     * Cuts the exchange off from its buffers: when this returns, the channel reads no more from its
     * payload and writes no more to its target.
     */
    Withdrawn withdraw(Exchange exchange);

    /** Closes the connection; exchanges fail with the cause, on the polling thread. */
    void close(CrailException cause);

    /** Who the peer is, for messages: {@code host:port}. */
    String peer();
}
