// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.error.CorruptDataException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/**
 * A raw blocking stream from mapped memory in pieces of one length, with CRC32C taken by the
 * receiver, if wanted. Not thread-safe.
 */
public final class RawStream implements AutoCloseable {
    private static final long BOUT = 8 << 20;

    private final SocketChannel incoming;
    private final SocketChannel outgoing;
    private final ByteBuffer memory;
    private final ByteBuffer chunk;
    private final boolean checksum;

    /** Pieces of 1 MiB, with checksums. */
    public RawStream(Peer peer) throws IOException {
        this(peer, PeerWork.CHUNK, true);
    }

    /**
     * Connects.
     *
     * @param piece bytes of a write, and of a read on this side
     * @param checksum whether the receiver takes checksums
     */
    public RawStream(Peer peer, int piece, boolean checksum) throws IOException {
        this.memory = peer.memory();
        this.chunk = ByteBuffer.allocateDirect(piece);
        this.checksum = checksum;
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
        PeerWork.drain(incoming, request.putLong(bytes).putLong(chunk.capacity()).flip());
        PeerWork.receive(incoming, chunk, bytes, checksum ? new CRC32C() : null);
        return bytes * 1e9 / (System.nanoTime() - start);
    }

    /** Bytes per second from here to the peer, until it says that it has all. */
    public double send(long bytes) throws IOException {
        long start = System.nanoTime();
        long crc = store(bytes);
        double rate = bytes * 1e9 / (System.nanoTime() - start);
        if (checksum) {
            check(bytes, crc);
        }
        return rate;
    }

    private long store(long bytes) throws IOException {
        ByteBuffer request = ByteBuffer.allocate(2 * Long.BYTES);
        PeerWork.drain(outgoing, request.putLong(bytes).putLong(checksum ? 1 : 0).flip());
        PeerWork.send(outgoing, memory, bytes, chunk.capacity());
        if (!PeerWork.fill(outgoing, request.clear().limit(Long.BYTES))) {
            throw new InternalException("the peer of the stream has gone");
        }
        return request.flip().getLong();
    }

    private void check(long bytes, long expected) throws CorruptDataException {
        CRC32C crc = new CRC32C();
        for (long done = 0; done < bytes; done += memory.capacity()) {
            crc.update(memory.clear().limit((int) Math.min(memory.capacity(), bytes - done)));
        }
        if (crc.getValue() != expected) {
            throw new CorruptDataException(
                    "the raw stream of " + bytes + " bytes has changed them");
        }
    }

    /** Pieces in one direction, in bouts until the time is up; returns how many. */
    public long run(boolean receive, long nanos) throws IOException {
        long pieces = (BOUT + chunk.capacity() - 1) / chunk.capacity();
        long bytes = pieces * chunk.capacity();
        long start = System.nanoTime();
        long count = 0;
        do {
            if (receive) {
                receive(bytes);
            } else {
                store(bytes);
            }
            count += pieces;
        } while (System.nanoTime() - start < nanos);
        return count;
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
