// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.error.CancelledException;
import io.crail.error.ClosedException;
import io.crail.error.CorruptDataException;
import io.crail.spark.frame.FrameSource;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.DirectBuffers;
import io.crail.spark.store.MapOutputs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.jspecify.annotations.Nullable;

/**
 * Brings the bytes that a reduce task needs, ahead of their use.
 *
 * <p>Three stages follow each other, each a bounded number of steps ahead of the next: outputs are
 * opened, their pieces are planned, and fetches are begun as far as there is room ({@link
 * FetchQueue}). Each time the task goes on to another fetch, the stages are pushed on; in between
 * they run by the client's threads. What the task uses is always the oldest, so bytes come in the
 * order of the plan.
 *
 * <p><b>Threads.</b> One thread reads, mostly that of the task; but Spark has others read for it
 * (the input of a process that rows are piped to) and ends the task by its own, which closes this
 * while that thread is anywhere in here. So all that is under way or held is changed under one
 * lock: for each fetch, and each time that some bytes are copied out of one, never for a record,
 * and never while something is waited for. Whoever takes the lock to begin something looks first
 * whether it is closed; so nothing begins afterwards, and what began before is given back by the
 * one who closes, once, as it leaves the collection or variable under the lock. The one exception
 * are bytes that were {@link #peek}ed at: the reading thread looks at them without the lock, until
 * it comes by again. They are left to it, which gives them back then.
 */
final class BlockFetcher implements FrameSource, AutoCloseable {
    private static final int OPEN_AHEAD = 64;
    private static final int PLAN_AHEAD = 128;

    private final ApplicationStore store;
    private final int shuffle;
    private final int partitions;
    private final FetchQueue ahead;
    private final TaskWait waiting;
    private final ReadCounts counts;
    private final ReadFailure failure;

    /** Guards the queues, the plan, the current fetch, who peeks at it, and the end. */
    private final Object lock = new Object();

    private final ArrayDeque<MapBlocks> wanted;
    private final ArrayDeque<OpenBlocks> opening = new ArrayDeque<>();
    private final ArrayDeque<OpenBlocks> planned = new ArrayDeque<>();
    private final FetchPlan plan = new FetchPlan();
    private @Nullable Fetch current;
    private @Nullable Thread peeking;
    private boolean closed;

    private @Nullable BlockStream stream;
    private long leftInStream;

    BlockFetcher(
            ApplicationStore store,
            int shuffle,
            int partitions,
            List<MapBlocks> maps,
            TaskContext context,
            ShuffleReadMetricsReporter metrics) {
        this.store = store;
        this.shuffle = shuffle;
        this.partitions = partitions;
        this.wanted = new ArrayDeque<>(maps);
        this.waiting = new TaskWait(metrics);
        this.failure =
                new ReadFailure(
                        shuffle,
                        List.copyOf(maps),
                        () -> LossSurvey.of(store, shuffle, waiting),
                        store::tellDriver);
        this.counts = new ReadCounts(metrics);
        long estimate = 0;
        for (MapBlocks each : maps) {
            estimate += each.estimate() + DirectBuffers.sizeFor(1);
        }
        this.ahead =
                new FetchQueue(
                        store,
                        new ReadMemory(
                                context.taskMemoryManager(),
                                Math.min(2 * estimate, store.settings().readInFlight())));
    }

    /** Goes on to the next stream, whatever is left of the one before; null if there is none. */
    @Nullable BlockStream nextStream() throws IOException {
        while (leftInStream > 0) {
            take(null, 0, (int) Math.min(leftInStream, Integer.MAX_VALUE));
        }
        BlockStream next = plannedStream();
        stream = next;
        synchronized (lock) {
            closeBefore(next);
            if (next != null) {
                leftInStream = next.length();
                counts.goOn(next);
                Fetch fetched = current;
                if (fetched != null && fetched.bytes().hasRemaining()) {
                    counts.begin(fetched);
                }
            }
        }
        return next;
    }

    /** The next stream of the plan, which is waited for if need be; null if there is none. */
    private @Nullable BlockStream plannedStream() throws IOException {
        while (true) {
            OpenBlocks oldest;
            synchronized (lock) {
                checkOpen();
                BlockStream next = plan.takeStream();
                if (next == null) {
                    pushOn();
                    next = plan.takeStream();
                }
                if (next != null || (opening.isEmpty() && wanted.isEmpty())) {
                    return next;
                }
                oldest = opening.peek();
            }
            if (oldest != null) {
                awaitOpened(oldest);
            }
        }
    }

    private void awaitOpened(OpenBlocks oldest) throws IOException {
        try {
            await(oldest.opened());
        } catch (ExecutionException e) {
            throw failed(oldest, oldest.blocks().from(), e.getCause());
        }
    }

    /** Outputs whose last stream is through are not needed any more. */
    private void closeBefore(@Nullable BlockStream next) {
        while (!planned.isEmpty() && (next == null || planned.peek() != next.source())) {
            planned.remove().close();
        }
    }

    @Override
    public long left() {
        return leftInStream;
    }

    @Override
    public @Nullable ByteBuffer peek(int length) throws IOException {
        while (true) {
            synchronized (lock) {
                ByteBuffer bytes = bytes();
                if (bytes != null) {
                    boolean all = bytes.remaining() >= length;
                    peeking = all ? Thread.currentThread() : null;
                    return all ? bytes : null;
                }
            }
            nextFetch();
        }
    }

    @Override
    public void skip(int length) {
        synchronized (lock) {
            ByteBuffer bytes = Objects.requireNonNull(current).bytes();
            bytes.position(bytes.position() + length);
            hasPeeked();
        }
        leftInStream -= length;
    }

    /** Nobody looks at the current fetch without the lock any more. */
    private void hasPeeked() {
        peeking = null;
        if (closed) {
            release();
        }
    }

    /** What the store verified is not what was written: Spark makes it again. */
    @Override
    public RuntimeException corrupt(String what) throws IOException {
        synchronized (lock) {
            hasPeeked();
        }
        BlockStream wrong = Objects.requireNonNull(stream);
        throw failed(
                wrong.source(),
                wrong.partition(),
                new CorruptDataException("partition " + wrong.partition() + ": " + what));
    }

    /**
     * Reads bytes of the stream.
     *
     * @return number of bytes, -1 at the end of the stream
     */
    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        if (length == 0) {
            return 0;
        }
        if (leftInStream == 0) {
            return -1;
        }
        return take(target, offset, length);
    }

    /** Copies bytes of the stream, or goes past them if there is no target; at least one. */
    private int take(byte @Nullable [] target, int offset, int length) throws IOException {
        while (true) {
            synchronized (lock) {
                ByteBuffer bytes = bytes();
                if (bytes != null) {
                    int some = (int) Math.min(Math.min(bytes.remaining(), length), leftInStream);
                    if (target != null) {
                        bytes.get(target, offset, some);
                    } else {
                        bytes.position(bytes.position() + some);
                    }
                    leftInStream -= some;
                    return some;
                }
            }
            nextFetch();
        }
    }

    /** Bytes of the stream that can be read without waiting. */
    int available() {
        synchronized (lock) {
            Fetch fetched = current;
            return fetched == null ? 0 : (int) Math.min(fetched.bytes().remaining(), leftInStream);
        }
    }

    /** Bytes of the current fetch, at least one; null if it is time for the next. */
    private @Nullable ByteBuffer bytes() throws IOException {
        hasPeeked();
        checkOpen();
        Fetch fetched = current;
        return fetched == null || !fetched.bytes().hasRemaining() ? null : fetched.bytes();
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw ended(null);
        }
    }

    private IOException ended(@Nullable Throwable cause) {
        return new ClosedException(
                "the task that reads shuffle " + shuffle + " has ended; it reads no more", cause);
    }

    private void nextFetch() throws IOException {
        Fetch next;
        synchronized (lock) {
            checkOpen();
            release();
            pushOn();
            next = ahead.take();
            current = next;
        }
        if (!next.isInPlace()) {
            await(next);
        }
        synchronized (lock) {
            checkOpen();
            if (!next.isInPlace()) {
                next.arrived();
                ahead.arrived(next);
            }
            counts.arrived(next);
            pushOn();
        }
    }

    private void release() {
        Fetch used = current;
        current = null;
        if (used != null) {
            ahead.release(used);
        }
    }

    private void pushOn() {
        while (opening.size() < OPEN_AHEAD && !wanted.isEmpty()) {
            MapBlocks next = wanted.remove();
            opening.add(new OpenBlocks(next, open(next)));
        }
        for (OpenBlocks oldest = opening.peek();
                oldest != null && plan.fetches() < PLAN_AHEAD && oldest.isOpen();
                oldest = opening.peek()) {
            planned.add(opening.remove());
            plan.add(oldest, oldest.opened().join());
        }
        ahead.fill(plan);
    }

    private MapOutputs.Lease open(MapBlocks blocks) {
        return store.outputs().open(shuffle, store.outputPath(shuffle, blocks.mapId()), partitions);
    }

    /** Waits for a fetch; one that failed is tried once more, with the output opened anew. */
    private void await(Fetch fetch) throws IOException {
        try {
            fetch.check(await(fetch.reading()));
        } catch (ExecutionException first) {
            OpenBlocks source = fetch.source();
            if (first.getCause() instanceof CancelledException) {
                throw failed(source, partition(source), first.getCause());
            }
            synchronized (lock) {
                checkOpen();
                source.reopen(() -> open(source.blocks()));
            }
            try {
                await(source.opened());
                synchronized (lock) {
                    checkOpen();
                    fetch.repeat();
                }
                fetch.check(await(fetch.reading()));
            } catch (ExecutionException second) {
                second.addSuppressed(first);
                throw failed(source, partition(source), second.getCause());
            }
        }
    }

    /** Waits, without the lock. */
    private <T> T await(Future<T> future) throws IOException, ExecutionException {
        try {
            return waiting.await(future);
        } catch (CancellationException e) {
            throw ended(e); // Cancelled by whoever closed.
        }
    }

    private int partition(OpenBlocks source) {
        BlockStream present = stream;
        return present != null && present.source() == source
                ? present.partition()
                : source.blocks().from();
    }

    /** When it is closed, what failed is of no interest, and nobody may be told that it did. */
    private IOException failed(OpenBlocks source, int partition, @Nullable Throwable cause)
            throws IOException {
        synchronized (lock) {
            checkOpen();
        }
        return failure.of(
                source.blocks(), partition, cause == null ? new IOException("unknown") : cause);
    }

    /** Gives everything back, also what is under way. By any thread. Idempotent. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
            if (!isPeekedAt()) {
                release();
            }
            ahead.close();
            wanted.clear();
            plan.clear();
            opening.forEach(OpenBlocks::close);
            opening.clear();
            planned.forEach(OpenBlocks::close);
            planned.clear();
        }
    }

    /** Whether another thread does so, and will come by again. */
    private boolean isPeekedAt() {
        Thread other = peeking;
        return other != null && other != Thread.currentThread() && other.isAlive();
    }
}
