// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.error.CorruptDataException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/**
 * A raw blocking stream from mapped memory in pieces of 1 MiB, with CRC32C taken by the receiver.
 * Not thread-safe.
 */
public final class RawStream implements AutoCloseable {
    private final SocketChannel incoming;
    private final SocketChannel outgoing;
    private final ByteBuffer memory;
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(PeerWork.CHUNK);

    /** Connects. */
    public RawStream(Peer peer) throws IOException {
        memory = peer.memory();
        incoming = peer.connect(PeerWork.SEND);
        boolean complete = false;
        try {
            outgoing = peer.connect(PeerWork.RECEIVE);
            complete = true;
        } finally {
            if (!complete) {
                incoming.close();
            }
        }
    }

    /** Bytes per second from the peer to here. */
    public double receive(long bytes) throws IOException {
        long start = System.nanoTime();
        ByteBuffer request = ByteBuffer.allocate(2 * Long.BYTES);
        PeerWork.drain(incoming, request.putLong(bytes).putLong(PeerWork.CHUNK).flip());
        PeerWork.receive(incoming, chunk, bytes, new CRC32C());
        return bytes * 1e9 / (System.nanoTime() - start);
    }

    /** Bytes per second from here to the peer, until it says that it has all. */
    public double send(long bytes) throws IOException {
        long start = System.nanoTime();
        ByteBuffer request = ByteBuffer.allocate(Long.BYTES);
        PeerWork.drain(outgoing, request.putLong(bytes).flip());
        PeerWork.send(outgoing, memory, bytes, PeerWork.CHUNK);
        if (!PeerWork.fill(outgoing, request.clear())) {
            throw new InternalException("the peer of the stream has gone");
        }
        double rate = bytes * 1e9 / (System.nanoTime() - start);
        CRC32C crc = new CRC32C();
        for (long done = 0; done < bytes; done += memory.capacity()) {
            crc.update(memory.clear().limit((int) Math.min(memory.capacity(), bytes - done)));
        }
        if (crc.getValue() != request.flip().getLong()) {
            throw new CorruptDataException(
                    "the raw stream of " + bytes + " bytes has changed them");
        }
        return rate;
    }

    @Override
    public void close() throws IOException {
        try (SocketChannel first = incoming;
                SocketChannel second = outgoing) {
            first.shutdownOutput();
            second.shutdownOutput();
        }
    }
}
