// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Messages of 64 bytes to the peer and back over one connection, many under way: as many as come
 * back by one read go out by one write. Not thread-safe.
 */
public final class EchoPipeline implements AutoCloseable {
    private final SocketChannel channel;
    private final int depth;
    private final ByteBuffer bytes;

    /**
     * Connects.
     *
     * @param depth messages under way
     */
    public EchoPipeline(Peer peer, int depth) throws IOException {
        this.channel = peer.connect(PeerWork.ECHO_ALL);
        this.depth = depth;
        this.bytes = ByteBuffer.allocateDirect(depth * PeerWork.MESSAGE);
    }

    /** Echoes at least that many messages; returns how many it were. */
    public long run(long messages) throws IOException {
        long wanted = Math.max(messages, depth) * PeerWork.MESSAGE;
        PeerWork.drain(channel, bytes.clear());
        long sent = bytes.capacity();
        long received = 0;
        while (received < sent) {
            int count = channel.read(bytes.clear());
            if (count < 0) {
                throw new InternalException("the peer of the echo has gone");
            }
            received += count;
            if (sent < wanted) {
                sent += count;
                PeerWork.drain(channel, bytes.flip());
            }
        }
        return received / PeerWork.MESSAGE;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
