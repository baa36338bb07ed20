// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.tcp;

import io.crail.nvmf.target.backing.Span;
import io.crail.nvmf.target.ring.Ring;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reads of an event loop, by a {@link Ring}: a worker for each would cost two changes of
 * context and a call of the device for each read, and a change of thread there and back.
 *
 * <p><b>Threads.</b> Belongs to the driver of the loop, as the ring does. A driver that lost the
 * loop ({@link Lease}) was carrying out the only command there was, so nothing was under way; the
 * next one makes a ring of its own, and the old one closes its ring when it is back. Only {@link
 * #wakeup} is for others.
 *
 * <p><b>Gates and guards.</b> {@link Slot#beginRead} enters them before the read is begun, {@link
 * Slot#endRead} leaves them after the kernel has said that it has ended, as a worker does around
 * its system call. A read that never ends is never left, and its slot stays in {@link #underWay},
 * so its buffer is used for nothing else.
 *
 * <p><b>A unit that goes along</b> with the data (ADR 24) is a read of its own, begun right behind
 * that of the data; the command has ended when both have.
 *
 * <p><b>Whatever is not as it should be</b>, an error or a short read, is done again by a worker,
 * whose own failure counts and is told.
 *
 * <p><b>Bounds.</b> {@link #ENTRIES} reads, and {@link #MOST_UNDER_WAY_BYTES} of data of each
 * namespace, are with the kernel; what waits is bounded by the slots of all connections.
 */
final class RingReads {
    private static final Logger LOG = LoggerFactory.getLogger(RingReads.class);

    /** The kernel takes over what is no longer than this in about 10 us, in huge pages. */
    static final int MOST_BYTES = 1 << 20;

    private static final int ENTRIES = 256;

    /** Its data, and the unit that goes along. */
    private static final int MOST_READS_OF_A_COMMAND = 2;

    /**
     * So many bytes of a namespace are with the kernel at a time, unless it is one read. What waits
     * is handed over as soon as these are there, and read while they are being sent. With all of a
     * host's commands at the device none would be left for the time in which the host gets its
     * data.
     */
    private static final int MOST_UNDER_WAY_BYTES = 4 << 20;

    /** A fast device takes 100 us for so many bytes. */
    private static final int LONG_BYTES = 512 << 10;

    private final RingFiles files;
    private final Consumer<Slot> completed;
    private final Consumer<Slot> again;
    private final @Nullable Slot[] underWay = new Slot[ENTRIES];
    private final int[] wanted = new int[ENTRIES];
    private final int[] freeTokens = new int[ENTRIES];
    private final Lane[] lanes;
    private int free;
    private boolean unsent;
    private volatile @Nullable Ring ring;
    private boolean failed;

    /** The reads of a namespace, in the order in which they came. */
    private static final class Lane {
        final ArrayDeque<Slot> waiting = new ArrayDeque<>();
        int bytesUnderWay;

        boolean hasRoom(int bytes) {
            return bytesUnderWay == 0 || bytesUnderWay + bytes <= MOST_UNDER_WAY_BYTES;
        }
    }

    /**
     * Reads without a ring yet.
     *
     * @param completed gets slots whose command has its outcome
     * @param again gets slots whose read has to be done by a worker
     */
    RingReads(RingFiles files, Consumer<Slot> completed, Consumer<Slot> again) {
        this.files = files;
        this.completed = completed;
        this.again = again;
        for (int token = 0; token < ENTRIES; token++) {
            freeTokens[free++] = token;
        }
        this.lanes = new Lane[files.count()];
        for (int index = 0; index < lanes.length; index++) {
            lanes[index] = new Lane();
        }
    }

    /** A driver begins. */
    @Nullable Ring open() {
        try {
            Ring made = new Ring(ENTRIES, this::ended);
            ring = made;
            return made;
        } catch (IOException e) {
            LOG.warn("Each read takes a worker: {}", e.getMessage());
            ring = null;
            return null;
        }
    }

    /** Takes a command over if it is a read that can go this way. */
    boolean take(Slot slot) {
        Ring mine = ring;
        if (mine == null
                || failed
                || !slot.isPlainRead()
                || slot.command.span().bytes() > MOST_BYTES
                || !files.has(slot.command.namespace())) {
            return false;
        }
        boolean idle = free == ENTRIES;
        lane(slot).waiting.add(slot);
        boolean unused = beginWaiting(mine, lane(slot));
        if (idle) {
            poll(); // The device begins before the others that came along are looked at.
        }
        return true;
    }

    private Lane lane(Slot slot) {
        return lanes[slot.command.namespace().id()];
    }

    private void handOver(Ring mine) {
        unsent = false;
        mine.run(0);
    }

    /** Begins what there is room for; whether there was something. */
    private boolean beginWaiting(Ring mine, Lane lane) {
        boolean any = false;
        while (beginNext(mine, lane)) {
            any = true;
        }
        return any;
    }

    /** Begins the next read of those that wait, if there is one and room for it. */
    private boolean beginNext(Ring mine, Lane lane) {
        Slot next = lane.waiting.peek();
        if (next == null
                || free < MOST_READS_OF_A_COMMAND
                || !lane.hasRoom(next.command.span().bytes())) {
            return false;
        }
        lane.waiting.remove();
        begin(mine, next);
        return true;
    }

    private void begin(Ring mine, Slot slot) {
        if (!slot.beginRead()) {
            completed.accept(slot);
            return;
        }
        lane(slot).bytesUnderWay += slot.command.span().bytes();
        slot.readsUnderWay = 0;
        slot.fellShort = false;
        begin(mine, slot, slot.command.span(), slot.command.data());
        ByteBuffer rider = slot.command.rider();
        if (rider != null) {
            begin(mine, slot, slot.command.riderSpan(), rider);
        }
    }

    private void begin(Ring mine, Slot slot, Span span, ByteBuffer into) {
        int token = freeTokens[--free];
        underWay[token] = slot;
        wanted[token] = span.bytes();
        slot.readsUnderWay++;
        unsent = true;
        mine.read(
                files.of(slot.command.namespace()),
                span.start(),
                into.clear().limit(span.bytes()),
                token);
    }

    /** By the ring, in our thread. */
    private void ended(int token, int result) {
        Slot slot = underWay[token];
        if (slot == null) {
            throw new IllegalStateException("a read ended twice");
        }
        underWay[token] = null;
        freeTokens[free++] = token;
        slot.fellShort |= result != wanted[token];
        if (--slot.readsUnderWay > 0) {
            return;
        }
        lane(slot).bytesUnderWay -= slot.command.span().bytes();
        slot.endRead();
        (slot.fellShort ? again : completed).accept(slot);
    }

    /** Reads that are with the kernel. */
    int underWay() {
        return ENTRIES - free;
    }

    /** Whether what is with the kernel takes longer than it takes to wake up behind it. */
    boolean isLongUnderWay() {
        int bytes = 0;
        for (Lane each : lanes) {
            bytes += each.bytesUnderWay;
        }
        return bytes >= LONG_BYTES;
    }

    /** Hands over to the kernel what was taken. */
    void submit() {
        if (unsent) {
            poll();
        }
    }

    /** The same, and takes what has ended. */
    void poll() {
        if (free < ENTRIES) {
            run(0);
        }
    }

    /** The same, and waits for that if need be, or until {@link #wakeup}. */
    void await(long nanos) {
        run(nanos);
    }

    private void run(long nanos) {
        Ring mine = ring;
        if (mine == null || failed) {
            return;
        }
        unsent = false;
        try {
            mine.run(nanos);
            // Reads may end as soon as they are handed over: whoever waits then has to begin here,
            // since nobody looks at a ring that has nothing.
            boolean began = true;
            while (began) {
                began = false;
                for (Lane each : lanes) {
                    if (each.bytesUnderWay == 0 && beginNext(mine, each)) {
                        handOver(mine); // The device begins with one before the others are there.
                        began = true;
                    }
                    began |= beginWaiting(mine, each);
                }
                if (unsent) {
                    handOver(mine);
                }
            }
        } catch (RuntimeException e) {
            // What is under way has no end any more, as at a medium that hangs.
            LOG.error("A ring failed; workers go on", e);
            failed = true;
            for (Lane each : lanes) {
                each.waiting.forEach(again);
                each.waiting.clear();
            }
        }
    }

    /** Ends a wait, this one or the next. Any thread. */
    void wakeup() {
        Ring now = ring;
        if (now != null) {
            now.wakeup();
        }
    }
}
