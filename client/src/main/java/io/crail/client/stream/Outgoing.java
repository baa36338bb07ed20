// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.stream;

import io.crail.client.spi.Exchange;
import io.crail.client.spi.RpcChannel.Withdrawn;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.GatheringByteChannel;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who sends what threads post on a connection. Thread-safe.
 *
 * <p><b>Posting.</b> Nobody waits for the lock to post a frame: a write takes several microseconds,
 * and being woken after it ten times as long. A poster adds its frame to {@code posted} first and
 * tries the lock second; if another thread holds it, the frame is left to that thread. Everybody
 * who lets go of the lock looks at {@code posted} afterwards, and sends what is there unless yet
 * another thread holds the lock by then, to which the same applies: so no frame is left behind, and
 * what several threads post during one write goes out in the next one. Who sends for others does so
 * {@value #MOST_WRITES} times at most; then the poller goes on, so that nobody is kept from its own
 * answer.
 *
 * <p><b>Leaving.</b> A thread that will soon post again, and flushes before it waits, may leave
 * frames in the sender, which look for nobody by themselves; whoever sends takes them along.
 *
 * <p><b>Together.</b> Threads that wait for one answer each, and were answered together, post
 * together ({@link Company}): all but the last leave their frames in {@code posted} for a moment.
 * Each of them looks after its own frame: when its patience is over, it sends what is still there.
 *
 * <p>The lock is held for writes that do not block, and never during a callback of an exchange.
 */
final class Outgoing {
    /** Frames that may wait to be sent together. */
    private static final int MOST_WAITING = 32;

    /** So often a poster sends before the poller has to. */
    private static final int MOST_WRITES = 4;

    /**
     * The connection as its sending half needs it; called with the lock held, if nothing else is
     * said.
     */
    interface Wire {
        /** Where to write to, or null if there is no connection. */
        @Nullable GatheringByteChannel channel();

        /**
         * A write is over.
         *
         * @param all false if the socket takes no more for now
         */
        void sent(boolean all);

        /** A write failed; to be dealt with later. */
        void sendFailed(IOException failure);

        /** There is more to send: the poller is to {@link #flush}. Called without the lock. */
        void goOn();
    }

    private final Wire wire;
    private final Company company;
    private final ReentrantLock lock = new ReentrantLock();

    /** Frames that no holder of the lock has taken over yet. */
    private final ConcurrentLinkedQueue<Exchange> posted = new ConcurrentLinkedQueue<>();

    /** Guarded by the lock, as are those below. */
    private final FrameSender sender;

    private boolean connected;
    private boolean ended;

    /** Frames have been left for a flush that is to come. */
    private boolean flushesLater;

    /**
     * The sending half of a connection that is not there yet.
     *
     * @param staging a direct, little-endian buffer of some kilobytes
     * @param clock in nanoseconds
     */
    Outgoing(ByteBuffer staging, Wire wire, LongSupplier clock) {
        this.sender = new FrameSender(staging);
        this.wire = wire;
        this.company = new Company(clock);
    }

    boolean isConnected() {
        lock.lock();
        try {
            return connected;
        } finally {
            letGo();
        }
    }

    /** From now on frames may go out. */
    void connected() {
        lock.lock();
        try {
            connected = true;
        } finally {
            letGo();
        }
    }

    /** From now on neither the connection nor the staging buffer is used. */
    void end() {
        lock.lock();
        try {
            ended = true;
        } finally {
            letGo();
        }
    }

    /** Sends a frame, or has it sent by the thread that is sending. */
    void post(Exchange exchange) {
        if (exchange.isAwaitedAlone()) {
            if (!company.isAlone()) {
                postInCompany(exchange);
                return;
            }
            company.asks();
        }
        if (!lock.tryLock()) {
            posted.add(exchange);
            flush();
            return;
        }
        try {
            takePosted(); // the sender of this one may have left others there
            sender.add(exchange);
            sendAll();
        } finally {
            letGo();
        }
    }

    /** The frame is there before its sender ceases to be due, for whoever is waiting for that. */
    private void postInCompany(Exchange exchange) {
        posted.add(exchange);
        company.asks();
        company.await(posted::isEmpty);
        if (!posted.isEmpty()) {
            flush();
        }
    }

    /** So many threads get the answers that they wait for, and may soon post again. */
    void answered(int threads) {
        company.answered(threads);
    }

    /** What became of a frame that need not go out at once. */
    enum Left {
        /** It must go out now. */
        NOT,
        /** It goes out with the flush that is announced already. */
        TO_ANOTHER,
        /** The caller must see to a flush. */
        TO_CALLER
    }

    /**
     * Leaves a frame to go out with the next ones, in one write. Not while there are frames of
     * other threads, which may be waiting already.
     *
     * @param underWay frames posted and not answered, with this one
     * @param enough so many of them that were sent keep the peer busy
     */
    Left leave(Exchange exchange, int underWay, int enough) {
        lock.lock();
        try {
            int waiting = sender.waiting() + 1;
            if (waiting >= MOST_WAITING || underWay - waiting < enough || !posted.isEmpty()) {
                return Left.NOT;
            }
            sender.add(exchange);
            if (exchange.isAwaitedAlone()) {
                company.asks();
            }
            Left left = flushesLater ? Left.TO_ANOTHER : Left.TO_CALLER;
            flushesLater = true;
            return left;
        } finally {
            letGo();
        }
    }

    /** The flush that was announced when a frame was left. */
    void flushLeft() {
        lock.lock();
        try {
            flushesLater = false;
            sendAll();
        } finally {
            letGo();
        }
    }

    /** Sends what there is, also what others have left; waits for who is sending. */
    void flushAll() {
        lock.lock();
        try {
            sendAll();
        } finally {
            letGo();
        }
    }

    /** Sends what there is, unless another thread does. */
    void flush() {
        for (int i = 0; i < MOST_WRITES; i++) {
            if (!lock.tryLock()) {
                return;
            }
            try {
                sendAll();
            } finally {
                lock.unlock();
            }
            if (posted.isEmpty()) {
                return;
            }
        }
        wire.goOn();
    }

    /** Cuts an exchange off from its payload; see {@link io.crail.client.spi.RpcChannel}. */
    Withdrawn withdraw(Exchange exchange) {
        lock.lock();
        try {
            return posted.remove(exchange) ? Withdrawn.UNSENT : sender.withdraw(exchange);
        } finally {
            letGo();
        }
    }

    private void letGo() {
        lock.unlock();
        if (!posted.isEmpty()) {
            flush();
        }
    }

    private void takePosted() {
        for (Exchange each = posted.poll(); each != null; each = posted.poll()) {
            sender.add(each);
        }
    }

    private void sendAll() {
        takePosted();
        GatheringByteChannel channel = connected && !ended ? wire.channel() : null;
        if (channel == null) {
            return;
        }
        try {
            wire.sent(sender.flush(channel));
        } catch (IOException e) {
            wire.sendFailed(e);
        }
    }
}
