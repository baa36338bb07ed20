// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.shm;

import io.crail.client.spi.BlockLoan;
import io.crail.client.spi.BlockTransfer;
import io.crail.client.spi.BytesToWrite;
import io.crail.client.spi.DataPath;
import io.crail.client.spi.DataPeer;
import io.crail.client.spi.IoContext;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InternalException;
import io.crail.error.ServerLostException;
import io.crail.error.StaleReferenceException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.Attach;
import io.crail.protocol.segment.SessionLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One storage server on this host, its segments mapped, for one session.
 *
 * <p><b>Life.</b> IDLE until the first transfer; CONNECTING while the session file is made and
 * shown to the server; ATTACHED from its answer until the control connection breaks; then IDLE
 * again, with the same session file, since open views are pinned in it. What fails before the path
 * was attached for the first time makes it DECLINED for good, as does a server that refuses: all
 * transfers are told to go elsewhere. A connection that broke later, or cannot be made again, is a
 * lost server.
 *
 * <p><b>Threads.</b> Copies that need nothing but what is mapped are carried out without a transfer
 * ({@link CopiesNow}). A transfer is carried out where it is submitted. What has to wait (for the
 * answer, for a segment to be mapped, for a slot) is carried out later on the client's thread for
 * blocking tasks, never on the polling thread. Callbacks only queue tasks at strands, so that they
 * may come from within submit without recursion.
 *
 * <p><b>Waiting transfers</b> are bounded by those who submit: each stream and each read has a
 * bounded number under way. Those that wait for a slot are bounded here.
 */
final class ShmDataPath implements DataPath, ControlConnection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(ShmDataPath.class);
    private static final SecureRandom NAMES = new SecureRandom();

    /** How old news of the control connection may be when a transfer begins. */
    private static final long GLANCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A copy takes microseconds; one that takes so long belongs to a stopped thread. */
    private static final long COPY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int MAX_WAITING_FOR_SLOT = 1024;

    private enum State {
        IDLE,
        CONNECTING,
        ATTACHED,
        DECLINED,
        CLOSED
    }

    private final DataPeer peer;
    private final IoContext io;
    private final int slots;
    private final CopiesNow copies = new CopiesNow();
    private final ConcurrentMap<BlockTransfer, Job> jobs = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Job> waitingForSlot = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean draining = new AtomicBoolean();
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable Attachment attachment;
    private volatile long lastGlance;

    /** Guarded by the lock, as are all that follow. */
    private State state = State.IDLE;

    private final ArrayDeque<Job> waiting = new ArrayDeque<>();
    private @Nullable ControlConnection connection;
    private @Nullable SessionFile session;
    private @Nullable CrailException why;
    private boolean wasAttached;

    ShmDataPath(DataPeer peer, IoContext io) {
        this(peer, io, SessionLayout.DEFAULT_SLOTS);
    }

    ShmDataPath(DataPeer peer, IoContext io, int slots) {
        this.peer = peer;
        this.io = io;
        this.slots = slots;
        this.lastGlance = io.nanoTime();
    }

    @Override
    public boolean lends() {
        return true;
    }

    @Override
    public boolean isAtHand(BlockReference block) {
        glance();
        Attachment current = attachment;
        return current != null && current.segment(block) != null;
    }

    @Override
    public boolean writeNow(BlockReference block, int offset, BytesToWrite bytes) {
        return copies.write(attachment, block, offset, bytes);
    }

    @Override
    public @Nullable BlockLoan lendNow(
            BlockReference block, int offset, int length, boolean checksums) {
        Attachment current = attachment;
        MappedSegment segment = current == null ? null : current.segment(block);
        return current == null || segment == null
                ? null
                : PinnedLoan.now(segment, current.session(), block, offset, length, checksums);
    }

    private void glance() {
        long now = io.nanoTime();
        if (now - lastGlance > GLANCE_NANOS) {
            lastGlance = now;
            io.glance();
        }
    }

    @Override
    public void submit(BlockTransfer transfer) {
        glance();
        Job job = new Job(transfer, done -> jobs.remove(done.transfer()));
        jobs.put(transfer, job);
        Attachment current = attachment;
        MappedSegment segment = current == null ? null : current.segment(job.block());
        if (current == null || segment == null) {
            park(job);
        } else if (!job.run(segment, current.session())) {
            waitForSlot(job);
        }
    }

    @Override
    public void cancel(BlockTransfer transfer) {
        Job job = jobs.get(transfer);
        if (job == null) {
            return;
        }
        job.cancel();
        lock.lock();
        try {
            waiting.remove(job);
        } finally {
            lock.unlock();
        }
        waitingForSlot.remove(job);
    }

    /** Waits for the connection, or for the mapping of a segment. */
    private void park(Job job) {
        lock.lock();
        try {
            CrailException cause = why;
            if (cause != null) {
                boolean declined = state == State.DECLINED;
                io.execute(() -> finish(job, cause, declined));
                return;
            }
            waiting.add(job);
            if (state == State.IDLE) {
                state = State.CONNECTING;
                if (!io.executeBlocking(this::prepare)) {
                    io.execute(() -> leave(null, new BusyException(peer + ": too many files")));
                }
            } else if (state == State.ATTACHED) {
                drainSoon();
            }
        } finally {
            lock.unlock();
        }
    }

    private static void finish(Job job, CrailException cause, boolean declined) {
        if (declined) {
            job.decline(cause);
        } else {
            job.fail(cause);
        }
    }

    /** Makes the session file, if there is none, and begins to connect. May block. */
    private void prepare() {
        try {
            Path directory = Path.of(peer.host());
            if (!directory.isAbsolute()) {
                throw new IOException("'" + directory + "' is no directory of a server");
            }
            UnixDialer dialer = UnixDialer.in(directory);
            SessionFile file = sessionFile(directory);
            ControlConnection made = new ControlConnection(peer, dialer, io, this);
            boolean wanted;
            lock.lock();
            try {
                wanted = state == State.CONNECTING;
                if (wanted) {
                    session = file;
                    connection = made;
                }
            } finally {
                lock.unlock();
            }
            if (wanted) {
                made.attach(file.name());
            } else {
                file.discard();
            }
        } catch (IOException | RuntimeException e) {
            CrailException cause = wrapped(e);
            io.execute(() -> leave(null, cause));
        }
    }

    private SessionFile sessionFile(Path directory) throws IOException {
        lock.lock();
        try {
            if (session != null) {
                return session;
            }
        } finally {
            lock.unlock();
        }
        return SessionFile.create(
                directory,
                peer.cluster(),
                peer.session(),
                NAMES.nextLong(),
                slots,
                this::slotFreed);
    }

    @Override
    public void attached(ControlConnection which, Attach.Reply reply) {
        lock.lock();
        try {
            SessionFile file = session;
            if (which != connection || file == null) {
                return;
            }
            LOG.debug("Attached to the memory of {}.", peer);
            state = State.ATTACHED;
            wasAttached = true;
            attachment = new Attachment(peer.cluster(), reply, file);
            if (!waiting.isEmpty()) {
                drainSoon();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void ended(ControlConnection which, CrailException cause) {
        leave(which, CrailException.of(cause.code(), peer + ": " + cause.getMessage(), cause));
    }

    /**
     * The way is lost, or was never there.
     *
     * @param which the connection concerned, null: there was none yet
     */
    private void leave(@Nullable ControlConnection which, CrailException cause) {
        List<Job> stranded;
        boolean declined;
        Runnable letGo;
        lock.lock();
        try {
            if (which != connection || state == State.CLOSED || state == State.DECLINED) {
                return;
            }
            declined = !wasAttached || cause.code() != ErrorCode.SERVER_LOST;
            LOG.debug("{} memory of {}", declined ? "Not using the" : "Lost the", peer, cause);
            state = declined ? State.DECLINED : State.IDLE;
            why = declined ? cause : null;
            letGo = letGo(declined);
            stranded = takeWaiting();
        } finally {
            lock.unlock();
        }
        letGo.run();
        stranded.forEach(job -> finish(job, cause, declined));
    }

    /** Takes what belongs to the connection away; the result gives it back. Under the lock. */
    private Runnable letGo(boolean forGood) {
        Attachment old = attachment;
        SessionFile file = forGood ? session : null;
        ControlConnection last = connection;
        boolean accepted = wasAttached;
        attachment = null;
        connection = null;
        session = forGood ? null : session;
        return () -> {
            CrailException hungUp = new ServerLostException(peer + ": the connection was given up");
            boolean idle = file != null && file.end();
            if (last != null && idle && accepted) {
                last.detach(hungUp);
            } else if (last != null) {
                last.close(hungUp);
            }
            if (file != null && !accepted) {
                file.discard();
            } else if (file != null && idle) {
                file.release();
            }
            if (old != null) {
                old.release();
            }
        };
    }

    private List<Job> takeWaiting() {
        List<Job> taken = new ArrayList<>(waiting);
        waiting.clear();
        for (Job job = waitingForSlot.poll(); job != null; job = waitingForSlot.poll()) {
            taken.add(job);
        }
        return taken;
    }

    private void drainSoon() {
        if (draining.compareAndSet(false, true) && !io.executeBlocking(this::drain)) {
            draining.set(false);
            io.schedule(GLANCE_NANOS, this::drainSoon);
        }
    }

    /** Carries out what waited. May block. */
    private void drain() {
        draining.set(false);
        Attachment current = attachment;
        for (Job job = next(); job != null && current != null; job = next()) {
            carryOut(job, current);
        }
        for (Job job = waitingForSlot.poll(); job != null; job = waitingForSlot.poll()) {
            if (!carryOut(job, current)) {
                return;
            }
        }
    }

    private @Nullable Job next() {
        lock.lock();
        try {
            return state == State.ATTACHED ? waiting.poll() : null;
        } finally {
            lock.unlock();
        }
    }

    /** False if there was no slot for it: then it waits for one again. */
    private boolean carryOut(Job job, @Nullable Attachment current) {
        if (current == null) {
            park(job);
            return true;
        }
        try {
            if (job.run(current.map(job.block()), current.session())) {
                return true;
            }
            waitForSlot(job);
            return false;
        } catch (StaleReferenceException | ServerLostException e) {
            job.fail(e);
        } catch (IOException | RuntimeException e) {
            CrailException cause = wrapped(e);
            io.execute(() -> giveUp(current, cause));
            job.decline(cause);
        }
        return true;
    }

    /** A segment cannot be mapped here: its blocks are to be had over the network only. */
    private void giveUp(Attachment failed, CrailException cause) {
        ControlConnection last;
        lock.lock();
        try {
            last = connection;
            if (attachment != failed) {
                return;
            }
        } finally {
            lock.unlock();
        }
        leave(last, cause);
    }

    private CrailException wrapped(Exception e) {
        return e instanceof CrailException known
                ? known
                : new InternalException(peer + ": " + e, e);
    }

    private void waitForSlot(Job job) {
        if (waitingForSlot.size() >= MAX_WAITING_FOR_SLOT) {
            job.fail(new BusyException(peer + ": all " + slots + " pins of the session are taken"));
            return;
        }
        waitingForSlot.add(job);
        // Added first, looked second; who frees a slot does it the other way round.
        Attachment current = attachment;
        if (current == null || current.session().hasFreeSlot()) {
            drainSoon();
        }
    }

    private void slotFreed() {
        if (!waitingForSlot.isEmpty()) {
            drainSoon();
        }
    }

    @Override
    public void close(CrailException cause) {
        List<Job> stranded;
        Runnable letGo;
        lock.lock();
        try {
            if (state == State.CLOSED) {
                return;
            }
            state = State.CLOSED;
            why = cause;
            letGo = letGo(true);
            stranded = takeWaiting();
        } finally {
            lock.unlock();
        }
        long end = System.nanoTime() + COPY_NANOS;
        copies.end(COPY_NANOS);
        // Also those that are copying now: their threads are waited for, all within one bound.
        stranded.addAll(jobs.values());
        stranded.forEach(job -> job.abort(cause, end - System.nanoTime()));
        letGo.run();
    }
}
