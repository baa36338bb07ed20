// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A raw blocking connection whose pieces are the caller's own: each one is complete at its receiver
 * before the next one begins, as data of commands is before the command has ended. Nobody takes
 * checksums. Not thread-safe.
 */
public final class PieceStream implements AutoCloseable {
    private final SocketChannel channel;
    private final boolean toPeer;
    private final ByteBuffer message = ByteBuffer.allocateDirect(2 * Long.BYTES);

    /**
     * Connects.
     *
     * @param toPeer whether pieces go to the peer, or come from it
     */
    public PieceStream(Peer peer, boolean toPeer) throws IOException {
        this.toPeer = toPeer;
        channel = peer.connect(toPeer ? PeerWork.RECEIVE : PeerWork.SEND);
    }

    /** Sends, or fills, what is left of a piece; returns when its receiver has all of it. */
    public void move(ByteBuffer piece) throws IOException {
        if (toPeer) {
            send(piece);
        } else {
            receive(piece);
        }
    }

    private void send(ByteBuffer piece) throws IOException {
        ByteBuffer[] all = {message.clear().putLong(piece.remaining()).putLong(0).flip(), piece};
        while (piece.hasRemaining()) {
            channel.write(all);
        }
        fill(message.clear().limit(Long.BYTES));
    }

    private void receive(ByteBuffer piece) throws IOException {
        message.clear().putLong(piece.remaining()).putLong(piece.remaining());
        PeerWork.drain(channel, message.flip());
        fill(piece);
    }

    private void fill(ByteBuffer buffer) throws IOException {
        if (!PeerWork.fill(channel, buffer)) {
            throw new InternalException("the peer of the pieces has gone");
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
