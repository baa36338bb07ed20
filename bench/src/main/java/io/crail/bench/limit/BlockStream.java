// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A raw stream that is written and read by calls of 4 KiB. Not thread-safe. */
public final class BlockStream implements AutoCloseable {
    /** Bytes of a write and of a read. */
    public static final int BLOCK = 4 << 10;

    private final SocketChannel channel;
    private final ByteBuffer block = ByteBuffer.allocateDirect(BLOCK);

    /** Connects. */
    public BlockStream(Peer peer) throws IOException {
        channel = peer.connect(PeerWork.SEND);
    }

    /** Blocks per second from the peer to here. */
    public double receive(int blocks) throws IOException {
        long start = System.nanoTime();
        ByteBuffer request = ByteBuffer.allocate(2 * Long.BYTES);
        PeerWork.drain(channel, request.putLong((long) blocks * BLOCK).putLong(BLOCK).flip());
        for (int i = 0; i < blocks; i++) {
            if (!PeerWork.fill(channel, block.clear())) {
                throw new InternalException("the peer of the stream has gone");
            }
        }
        return blocks * 1e9 / (System.nanoTime() - start);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
