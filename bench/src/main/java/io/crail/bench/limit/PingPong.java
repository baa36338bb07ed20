// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.bench.measure.Latencies;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Round trips of 64 bytes over TCP, one after another. Not thread-safe. */
public final class PingPong implements AutoCloseable {
    private final SocketChannel channel;
    private final ByteBuffer message = ByteBuffer.allocateDirect(PeerWork.MESSAGE);

    /**
     * Connects.
     *
     * @param spinning whether both sides poll their socket without waiting in the kernel
     */
    public PingPong(Peer peer, boolean spinning) throws IOException {
        channel = peer.connect(spinning ? PeerWork.ECHO_SPINNING : PeerWork.ECHO_BLOCKING);
        channel.configureBlocking(!spinning);
    }

    /** Nanoseconds of the median of some round trips. */
    public double median(int roundTrips) throws IOException {
        Latencies latencies = new Latencies(roundTrips);
        for (int i = 0; i < roundTrips; i++) {
            long start = System.nanoTime();
            PeerWork.drain(channel, message.clear());
            if (!PeerWork.fill(channel, message.clear())) {
                throw new InternalException("the peer of the ping-pong has gone");
            }
            latencies.add(System.nanoTime() - start);
        }
        return latencies.median();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
