// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.protocol.frame.FrameHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection: bytes under way, in order, and those that have arrived. What a
 * fault does to bytes it does here.
 */
final class Pipe {
    private static final int WINDOW = 256 << 10;
    private static final long LATENCY = 30_000;
    private static final long LATENCY_JITTER = 150_000;

    /** Bandwidth of a slow connection: 64 KiB/s. */
    private static final long SLOW_NANOS_PER_BYTE = 15_000;

    private final Timeline timeline;
    private final Runnable receiverReady;
    private final Runnable senderReady;
    private final Runnable breakDown;
    private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();
    private final CRC32C crc = new CRC32C();

    /** The frame that is being sent, for faults that concern whole frames. */
    private byte[] frame = new byte[256];

    private int inFrame;
    private int unread;
    private int underWay;
    private long lastArrival;
    private long pauseNanos;
    private long slowUntil;
    private boolean duplicateNext;
    private boolean truncateNext;
    private boolean swallows;
    private boolean endSent;
    private boolean endArrived;
    private boolean broken;

    /**
     * @param breakDown resets the whole connection
     */
    Pipe(Timeline timeline, Runnable receiverReady, Runnable senderReady, Runnable breakDown) {
        this.timeline = timeline;
        this.receiverReady = receiverReady;
        this.senderReady = senderReady;
        this.breakDown = breakDown;
    }

    // ---- Sender.

    int room() {
        return endSent ? 0 : Math.max(0, WINDOW - unread - underWay);
    }

    int write(ByteBuffer source) {
        int count = Math.min(room(), source.remaining());
        if (count == 0) {
            return 0;
        }
        byte[] bytes = new byte[count];
        source.get(bytes);
        crc.reset();
        crc.update(bytes);
        timeline.note(crc.getValue() ^ ((long) count << 32));
        ByteBuffer more = followFrames(bytes);
        boolean truncate = truncateNext;
        truncateNext = false;
        if (truncate) {
            send(ByteBuffer.wrap(bytes, 0, count / 2), breakDown);
        } else {
            send(ByteBuffer.wrap(bytes), null);
            if (more != null) {
                send(more, null);
            }
        }
        return count;
    }

    void end() {
        if (!endSent) {
            endSent = true;
            send(ByteBuffer.allocate(0), () -> endArrived = true);
        }
    }

    private void send(ByteBuffer bytes, @Nullable Runnable then) {
        underWay += bytes.remaining();
        if (swallows) {
            return;
        }
        long slow = timeline.now() < slowUntil ? bytes.remaining() * SLOW_NANOS_PER_BYTE : 0;
        long at = timeline.now() + LATENCY + timeline.jitter(LATENCY_JITTER) + pauseNanos;
        pauseNanos = 0;
        at = Math.max(at, lastArrival + 1) + slow;
        lastArrival = at;
        timeline.after(at - timeline.now(), () -> arrive(bytes, then));
    }

    private void arrive(ByteBuffer bytes, @Nullable Runnable then) {
        if (broken || swallows) {
            return;
        }
        underWay -= bytes.remaining();
        if (bytes.hasRemaining()) {
            unread += bytes.remaining();
            arrived.add(bytes);
        }
        if (then != null) {
            then.run();
        }
        receiverReady.run();
    }

    /** Follows the frames of the stream; returns a copy of the last one if it is to come twice. */
    private @Nullable ByteBuffer followFrames(byte[] bytes) {
        int at = 0;
        ByteBuffer copy = null;
        while (at < bytes.length) {
            int wanted = inFrame < 4 ? 4 - inFrame : frameLength() - inFrame;
            int piece = Math.min(Math.max(1, wanted), bytes.length - at);
            if (inFrame + piece > frame.length) {
                frame = Arrays.copyOf(frame, Math.max(2 * frame.length, inFrame + piece));
            }
            System.arraycopy(bytes, at, frame, inFrame, piece);
            inFrame += piece;
            at += piece;
            if (inFrame >= FrameHeader.SIZE && inFrame == frameLength()) {
                if (duplicateNext && at == bytes.length) {
                    duplicateNext = false;
                    copy = ByteBuffer.wrap(Arrays.copyOf(frame, inFrame));
                }
                inFrame = 0;
            }
        }
        return copy;
    }

    private int frameLength() {
        return FrameHeader.length(ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN), 0);
    }

    // ---- Receiver.

    boolean isReadable() {
        return unread > 0 || endArrived;
    }

    boolean hasUnread() {
        return unread > 0;
    }

    int read(ByteBuffer target) {
        int count = 0;
        while (target.hasRemaining() && !arrived.isEmpty()) {
            ByteBuffer first = arrived.getFirst();
            int piece = Math.min(target.remaining(), first.remaining());
            target.put(first.slice(first.position(), piece));
            first.position(first.position() + piece);
            count += piece;
            if (!first.hasRemaining()) {
                arrived.removeFirst();
            }
        }
        unread -= count;
        if (count > 0) {
            senderReady.run();
        }
        return count == 0 && endArrived && target.hasRemaining() ? -1 : count;
    }

    // ---- Faults.

    /** What is under way is lost, and what comes later. */
    void breakUp() {
        broken = true;
        arrived.clear();
        unread = 0;
        endArrived = false;
    }

    /** Bytes go nowhere from now on, and nobody is told. */
    void swallow() {
        swallows = true;
    }

    void delayNext(long nanos) {
        pauseNanos += nanos;
    }

    void slowDown(long nanos) {
        slowUntil = timeline.now() + nanos;
    }

    void duplicateNextFrame() {
        duplicateNext = true;
    }

    /** Half of what is written next arrives, then the connection breaks. */
    void truncateNext() {
        truncateNext = true;
    }
}
