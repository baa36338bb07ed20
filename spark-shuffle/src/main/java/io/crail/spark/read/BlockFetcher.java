// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.error.CancelledException;
import io.crail.error.CorruptDataException;
import io.crail.spark.frame.FrameSource;
import io.crail.spark.interop.Unchecked;
import io.crail.spark.store.ApplicationStore;
import io.crail.spark.store.DirectBuffers;
import io.crail.spark.store.MapOutputs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import org.apache.spark.TaskContext;
import org.apache.spark.shuffle.ShuffleReadMetricsReporter;
import org.jspecify.annotations.Nullable;

/**
 * Brings the bytes that a reduce task needs, ahead of their use. Belongs to the thread of the task.
 *
 * <p>Three stages follow each other, each a bounded number of steps ahead of the next: outputs are
 * opened, their pieces are planned, and fetches are begun as far as there is room ({@link
 * FetchQueue}). Each time the task goes on to another fetch, the stages are pushed on; in between
 * they run by the client's threads. What the task uses is always the oldest, so bytes come in the
 * order of the plan.
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
    private final List<MapBlocks> maps;
    private final ArrayDeque<MapBlocks> wanted;
    private final ArrayDeque<OpenBlocks> opening = new ArrayDeque<>();
    private final ArrayDeque<OpenBlocks> planned = new ArrayDeque<>();
    private final FetchPlan plan = new FetchPlan();
    private @Nullable BlockStream stream;
    private long leftInStream;
    private @Nullable Fetch current;

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
        this.maps = List.copyOf(maps);
        this.wanted = new ArrayDeque<>(maps);
        this.waiting = new TaskWait(metrics);
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
            ByteBuffer bytes = bytes();
            int skipped = (int) Math.min(bytes.remaining(), leftInStream);
            bytes.position(bytes.position() + skipped);
            leftInStream -= skipped;
        }
        BlockStream next = plan.takeStream();
        while (next == null && !(opening.isEmpty() && wanted.isEmpty())) {
            pushOn();
            planNext();
            next = plan.takeStream();
        }
        closeBefore(next);
        stream = next;
        if (next != null) {
            leftInStream = next.length();
            counts.goOn(next);
            Fetch fetched = current;
            if (fetched != null && fetched.bytes().hasRemaining()) {
                counts.begin(fetched);
            }
        }
        return next;
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
        ByteBuffer bytes = bytes();
        return bytes.remaining() < length ? null : bytes;
    }

    @Override
    public void skip(int length) {
        ByteBuffer bytes = Objects.requireNonNull(current).bytes();
        bytes.position(bytes.position() + length);
        leftInStream -= length;
    }

    /** What the store verified is not what was written: Spark makes it again. */
    @Override
    public RuntimeException corrupt(String what) throws IOException {
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
        ByteBuffer bytes = bytes();
        int some = (int) Math.min(Math.min(bytes.remaining(), length), leftInStream);
        bytes.get(target, offset, some);
        leftInStream -= some;
        return some;
    }

    /** Bytes of the stream that can be read without waiting. */
    int available() {
        Fetch fetched = current;
        return fetched == null ? 0 : (int) Math.min(fetched.bytes().remaining(), leftInStream);
    }

    /** Bytes of the current fetch, at least one. */
    private ByteBuffer bytes() throws IOException {
        Fetch fetched = current;
        if (fetched == null || !fetched.bytes().hasRemaining()) {
            fetched = nextFetch();
        }
        return fetched.bytes();
    }

    private Fetch nextFetch() throws IOException {
        release();
        pushOn();
        Fetch next = ahead.take();
        current = next;
        if (!next.isInPlace()) {
            await(next);
            next.arrived();
        }
        counts.arrived(next);
        pushOn();
        return next;
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
        while (plan.fetches() < PLAN_AHEAD && isOpen(opening.peek())) {
            plan(opening.remove());
        }
        ahead.fill(plan);
    }

    private MapOutputs.Lease open(MapBlocks blocks) {
        return store.outputs().open(shuffle, store.outputPath(shuffle, blocks.mapId()), partitions);
    }

    private static boolean isOpen(@Nullable OpenBlocks oldest) {
        return oldest != null
                && oldest.opened().isDone()
                && !oldest.opened().isCompletedExceptionally();
    }

    private void plan(OpenBlocks open) {
        planned.add(open);
        plan.add(open, open.opened().join());
    }

    /** Waits for the oldest output that is being opened. */
    private void planNext() throws IOException {
        OpenBlocks oldest = opening.peek();
        if (oldest != null && plan.fetches() < PLAN_AHEAD) {
            try {
                waiting.await(oldest.opened());
            } catch (ExecutionException e) {
                throw failed(oldest, oldest.blocks().from(), e.getCause());
            }
            plan(opening.remove());
            pushOn();
        }
    }

    /** Waits for a fetch; one that failed is tried once more, with the output opened anew. */
    private void await(Fetch fetch) throws IOException {
        try {
            check(fetch, waiting.await(fetch.reading()));
        } catch (ExecutionException first) {
            OpenBlocks source = fetch.source();
            if (isCancelled(first.getCause())) {
                throw failed(source, partition(source), first.getCause());
            }
            source.reopen(() -> open(source.blocks()));
            try {
                waiting.await(source.opened());
                fetch.repeat();
                check(fetch, waiting.await(fetch.reading()));
            } catch (ExecutionException second) {
                second.addSuppressed(first);
                throw failed(source, partition(source), second.getCause());
            }
        }
    }

    private static void check(Fetch fetch, int read) throws ExecutionException {
        if (read != fetch.length()) {
            throw new ExecutionException(
                    new CorruptDataException(
                            "the file ends "
                                    + (fetch.length() - read)
                                    + " bytes before its index says so"));
        }
    }

    private int partition(OpenBlocks source) {
        BlockStream present = stream;
        return present != null && present.source() == source
                ? present.partition()
                : source.blocks().from();
    }

    private static boolean isCancelled(@Nullable Throwable cause) {
        return cause instanceof CancelledException;
    }

    private IOException failed(OpenBlocks source, int partition, @Nullable Throwable cause) {
        if (cause instanceof CancelledException e) {
            // The task ends; nothing is wrong with the output.
            return e;
        }
        try {
            new LossSurvey(store, shuffle).tellOfLostAmong(maps);
        } catch (InterruptedException e) {
            return TaskWait.interrupted(e);
        }
        throw Unchecked.rethrow(
                source.failed(
                        shuffle, partition, cause == null ? new IOException("unknown") : cause));
    }

    /** Gives everything back, also what is under way. Idempotent. */
    @Override
    public void close() {
        release();
        ahead.close();
        wanted.clear();
        opening.forEach(OpenBlocks::close);
        opening.clear();
        planned.forEach(OpenBlocks::close);
        planned.clear();
        leftInStream = 0;
    }
}
