// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.error.InternalException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;

/**
 * What a {@link Peer} can be asked to do with a connection, until it is closed: its first byte is
 * the letter.
 */
enum PeerWork {
    /** Messages of 64 bytes go back, one after another; waits in the kernel. */
    ECHO_BLOCKING('b') {
        @Override
        void serve(SocketChannel channel, ByteBuffer source) throws IOException {
            ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE);
            while (fill(channel, message.clear())) {
                drain(channel, message.flip());
            }
        }
    },

    /** The same without ever waiting in the kernel. */
    ECHO_SPINNING('s') {
        @Override
        void serve(SocketChannel channel, ByteBuffer source) throws IOException {
            channel.configureBlocking(false);
            ECHO_BLOCKING.serve(channel, source);
        }
    },

    /** Whatever has arrived goes back by one write. */
    ECHO_ALL('a') {
        @Override
        void serve(SocketChannel channel, ByteBuffer source) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocateDirect(CHUNK);
            while (channel.read(bytes.clear()) >= 0) {
                drain(channel, bytes.flip());
            }
        }
    },

    /** For each request of two longs, how much and in what pieces, sends mapped memory. */
    SEND('o') {
        @Override
        void serve(SocketChannel channel, ByteBuffer source) throws IOException {
            ByteBuffer request = ByteBuffer.allocateDirect(2 * Long.BYTES);
            while (fill(channel, request.clear())) {
                send(channel, source, request.flip().getLong(), (int) request.getLong());
            }
        }
    },

    /** For each long, how much, receives that and answers with its CRC32C. */
    RECEIVE('i') {
        @Override
        void serve(SocketChannel channel, ByteBuffer source) throws IOException {
            ByteBuffer request = ByteBuffer.allocateDirect(Long.BYTES);
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
            while (fill(channel, request.clear())) {
                CRC32C crc = new CRC32C();
                receive(channel, chunk, request.flip().getLong(), crc);
                drain(channel, request.clear().putLong(crc.getValue()).flip());
            }
        }
    };

    static final int MESSAGE = 64;
    static final int CHUNK = 1 << 20;

    private final char letter;

    PeerWork(char letter) {
        this.letter = letter;
    }

    byte letter() {
        return (byte) letter;
    }

    /** The work of that letter. */
    static PeerWork of(byte letter) throws InternalException {
        for (PeerWork work : values()) {
            if (work.letter() == letter) {
                return work;
            }
        }
        throw new InternalException("the peer of the limits has no work '" + letter + "'");
    }

    /**
     * Does it until the other side closes the connection.
     *
     * @param source mapped memory
     */
    abstract void serve(SocketChannel channel, ByteBuffer source) throws IOException;

    static void send(SocketChannel channel, ByteBuffer source, long bytes, int piece)
            throws IOException {
        long sent = 0;
        while (sent < bytes) {
            int at = (int) (sent % source.capacity());
            int length = (int) Math.min(Math.min(piece, bytes - sent), source.capacity() - at);
            drain(channel, source.clear().position(at).limit(at + length));
            sent += length;
        }
    }

    /** Takes the checksum of what has just arrived while it is in the cache. */
    static void receive(SocketChannel channel, ByteBuffer chunk, long bytes, CRC32C crc)
            throws IOException {
        long left = bytes;
        while (left > 0) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), left));
            int count = channel.read(chunk);
            if (count < 0) {
                throw new EOFException("the peer has gone");
            }
            crc.update(chunk.flip());
            left -= count;
        }
    }

    /** Whether the buffer could be filled; false at the end of the stream. */
    static boolean fill(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            int count = channel.read(buffer);
            if (count < 0) {
                return false;
            }
            if (count == 0) {
                Thread.onSpinWait();
            }
        }
        return true;
    }

    static void drain(SocketChannel channel, ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }
}
