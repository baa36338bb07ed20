// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import io.crail.bench.measure.Histogram;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Requests of one length to the peer and answers of another over one connection, one after another
 * or several under way: as many requests go out by one write as answers have come by one read. What
 * a server and its client have to do at least. Not thread-safe.
 */
public final class Exchange implements AutoCloseable {
    /** Bytes that any kernel takes without anybody reading them. */
    private static final int SOCKET_BUFFERS = 64 << 10;

    private final SocketChannel channel;
    private final Terms terms;
    private final int depth;
    private final long[] begun;
    private final ByteBuffer requests;
    private final ByteBuffer answers;
    private final CRC32C crc = new CRC32C();
    private long sent;
    private long done;

    /**
     * What both sides have to know.
     *
     * @param request bytes of a request
     * @param answer bytes of an answer
     * @param checksum whether the receiver of the longer of both takes its CRC32C
     * @param spinning whether both sides poll their socket without waiting in the kernel
     */
    public record Terms(int request, int answer, boolean checksum, boolean spinning) {
        static final int BYTES = 2 * Integer.BYTES + 2;

        public Terms {
            if (request < 1 || answer < 1) {
                throw new IllegalArgumentException(request + " bytes, answered by " + answer);
            }
        }

        /** Messages of 64 bytes in both directions. */
        public static Terms echo(boolean spinning) {
            return new Terms(PeerWork.MESSAGE, PeerWork.MESSAGE, false, spinning);
        }

        /** Requests of 64 bytes, answered by that many. */
        public static Terms fetch(int answer, boolean checksum, boolean spinning) {
            return new Terms(PeerWork.MESSAGE, answer, checksum, spinning);
        }

        /** Requests of that many bytes, answered by 64. */
        public static Terms store(int request, boolean checksum, boolean spinning) {
            return new Terms(request, PeerWork.MESSAGE, checksum, spinning);
        }

        boolean checksumOfRequests() {
            return checksum && request > answer;
        }

        boolean checksumOfAnswers() {
            return checksum && answer >= request;
        }

        ByteBuffer encode() {
            return ByteBuffer.allocate(BYTES)
                    .putInt(request)
                    .putInt(answer)
                    .put((byte) (checksum ? 1 : 0))
                    .put((byte) (spinning ? 1 : 0))
                    .flip();
        }

        static Terms decode(ByteBuffer bytes) {
            return new Terms(bytes.getInt(), bytes.getInt(), bytes.get() == 1, bytes.get() == 1);
        }
    }

    /**
     * Connects.
     *
     * @param door of the peer
     * @param depth requests under way
     */
    public Exchange(Door door, Terms terms, int depth) throws IOException {
        // Neither side reads while it writes: what one side writes meanwhile must fit in between.
        if ((long) Math.min(terms.request, terms.answer) * depth > SOCKET_BUFFERS) {
            throw new IllegalArgumentException(terms + ", " + depth + " under way");
        }
        this.terms = terms;
        this.depth = depth;
        this.begun = new long[depth];
        this.requests = buffer(terms.request);
        this.answers = buffer(terms.answer);
        this.channel = door.connect(PeerWork.EXCHANGE);
        boolean complete = false;
        try {
            PeerWork.drain(channel, terms.encode());
            channel.configureBlocking(!terms.spinning);
            complete = true;
        } finally {
            if (!complete) {
                channel.close();
            }
        }
    }

    private ByteBuffer buffer(int message) {
        return ByteBuffer.allocateDirect((int) Math.min(PeerWork.CHUNK, (long) message * depth));
    }

    /** Exchanges until the time is up; returns how many it were. */
    public long run(long nanos, Histogram times) throws IOException {
        long end = System.nanoTime() + nanos;
        return run(Long.MAX_VALUE, end, times);
    }

    /** That many exchanges. */
    public void run(long count) throws IOException {
        run(count, Long.MAX_VALUE, null);
    }

    /** Until the number is reached or the time has come, whatever is first. */
    private long run(long most, long end, @Nullable Histogram times) throws IOException {
        sent = 0;
        done = 0;
        long now = System.nanoTime();
        send(Math.min(most, depth), now);
        long arrived = 0;
        while (done < sent) {
            arrived += receive();
            long complete = arrived / terms.answer;
            if (complete == 0) {
                continue;
            }
            arrived %= terms.answer;
            now = times == null && most < Long.MAX_VALUE ? 0 : System.nanoTime();
            for (long i = 0; times != null && i < complete; i++) {
                times.add(now - begun[(int) ((done + i) % depth)]);
            }
            done += complete;
            if (most < Long.MAX_VALUE || now - end < 0) {
                send(Math.min(most - sent, complete), now);
            }
        }
        return done;
    }

    private void send(long count, long now) throws IOException {
        for (long i = 0; i < count; i++) {
            begun[(int) ((sent + i) % depth)] = now;
        }
        sent += count;
        for (long left = count * terms.request; left > 0; left -= requests.limit()) {
            requests.clear().limit((int) Math.min(requests.capacity(), left));
            PeerWork.drain(channel, requests);
        }
    }

    private int receive() throws IOException {
        int count = channel.read(answers.clear());
        if (count < 0) {
            throw new InternalException("the peer of the exchange has gone");
        }
        if (count == 0) {
            Thread.onSpinWait();
        } else if (terms.checksumOfAnswers()) {
            crc.update(answers.flip());
        }
        return count;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
