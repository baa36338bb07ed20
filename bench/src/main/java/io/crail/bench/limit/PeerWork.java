// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.error.InternalException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

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

    /** The same without waiting in the kernel while messages come. */
    ECHO_SPINNING('s') {
        @Override
        void serve(SocketChannel channel, ByteBuffer source) throws IOException {
            channel.configureBlocking(false);
            ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE);
            while (await(channel, message.clear()) >= 0) {
                if (!fill(channel, message)) {
                    return;
                }
                drain(channel, message.flip());
            }
        }
    },

    /**
     * After the terms of an {@link Exchange}: each request, when all of it has arrived, has an
     * answer of mapped memory. All requests that have arrived are answered together.
     */
    EXCHANGE('x') {
        @Override
        void serve(SocketChannel channel, ByteBuffer source) throws IOException {
            ByteBuffer first = ByteBuffer.allocate(Exchange.Terms.BYTES);
            if (!fill(channel, first)) {
                return;
            }
            Exchange.Terms terms = Exchange.Terms.decode(first.flip());
            channel.configureBlocking(!terms.spinning());
            ByteBuffer bytes = ByteBuffer.allocateDirect(CHUNK);
            CRC32C crc = new CRC32C();
            long arrived = 0;
            int count;
            while ((count = await(channel, bytes.clear())) >= 0) {
                if (terms.checksumOfRequests()) {
                    crc.update(bytes.flip());
                }
                arrived += count;
                send(channel, source, arrived / terms.request() * terms.answer(), CHUNK);
                arrived %= terms.request();
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

    /**
     * For each request of two longs, how much and whether checksums are taken, receives that and
     * answers with its CRC32C, else 0.
     */
    RECEIVE('i') {
        @Override
        void serve(SocketChannel channel, ByteBuffer source) throws IOException {
            ByteBuffer request = ByteBuffer.allocateDirect(2 * Long.BYTES);
            ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
            while (fill(channel, request.clear())) {
                long bytes = request.flip().getLong();
                CRC32C crc = request.getLong() == 0 ? null : new CRC32C();
                receive(channel, chunk, bytes, crc);
                long answer = crc == null ? 0 : crc.getValue();
                drain(channel, request.clear().putLong(answer).flip());
            }
        }
    };

    static final int MESSAGE = 64;
    static final int CHUNK = 1 << 20;

    /**
     * Reads without a byte after which a peer takes a batch for over; half a millisecond or more.
     */
    private static final int IDLE_POLLS = 1_000;

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

    /** Takes the checksum, if wanted, of what has just arrived while it is in the cache. */
    static void receive(SocketChannel channel, ByteBuffer chunk, long bytes, @Nullable CRC32C crc)
            throws IOException {
        long left = bytes;
        while (left > 0) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), left));
            int count = channel.read(chunk);
            if (count < 0) {
                throw new EOFException("the peer has gone");
            }
            if (crc != null) {
                crc.update(chunk.flip());
            }
            left -= count;
        }
    }

    /**
     * Reads what there is, as {@link SocketChannel#read} of a blocking channel. One that is not
     * blocking is polled as long as messages come one after another, and then waited for in the
     * kernel: limits alternate with what they are the limits of, on the same cores, and a peer that
     * went on polling would take half of the core of crail's servers.
     */
    static int await(SocketChannel channel, ByteBuffer buffer) throws IOException {
        for (int i = 0; i < IDLE_POLLS; i++) {
            int count = channel.read(buffer);
            if (count != 0) {
                return count;
            }
            Thread.onSpinWait();
        }
        channel.configureBlocking(true);
        try {
            return channel.read(buffer);
        } finally {
            channel.configureBlocking(false);
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
