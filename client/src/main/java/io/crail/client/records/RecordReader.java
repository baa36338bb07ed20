// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.records;

import io.crail.client.data.ExtentReader;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.error.CancelledException;
import io.crail.error.ClosedException;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.error.ProtocolException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.StreamExtents;
import io.crail.protocol.stream.RecordFrame;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a stream in order, some runs ahead of the application. All state belongs to
 * the strand.
 *
 * <p>One request for references is under way at a time. It asks from the record behind all that is
 * known; if that is still to come, it waits at the namenode for as long as the poll it serves. Runs
 * are read whole into memory, several at a time, as far as the window permits. What fails is told
 * by the next poll that gets there, and is asked for afresh by the one after.
 */
public final class RecordReader {
    /** Bytes read ahead, unless a single run has more. */
    private static final int WINDOW_BYTES = 8 << 20;

    private static final int INLINE_BYTES = 256 << 10;
    private static final long LONGEST_WAIT_MILLIS = 10_000;
    private static final long STALE_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);

    /** A record as read. */
    public record Found(long offset, ByteBuffer bytes) {}

    /** Frames of a run, in memory or on their way. */
    private static final class Chunk {
        private final StreamExtents.Run run;
        private final List<Extent> extents = new ArrayList<>();
        private ByteBuffer frames;
        private @Nullable Operation operation;
        private boolean started;
        private boolean done;
        private @Nullable CrailException failure;
        private long nextOffset;

        Chunk(StreamExtents.Run run, ByteBuffer frames, boolean done) {
            this.run = run;
            this.frames = frames;
            this.done = done;
            this.started = done;
            this.nextOffset = run.offset();
        }

        long end() {
            return run.offset() + run.records();
        }

        boolean isComplete() {
            return extents.size() == run.blocks();
        }
    }

    /** A poll that waits for records, since so many requests had been answered. */
    private record Poll(
            int max, long untilNanos, long answers, CompletableFuture<List<Found>> future) {}

    private final Engine engine;
    private final Session session;
    private final ExtentReader reader;
    private final Strand strand;
    private final StreamTarget target;
    private final long timeoutNanos;
    private final ArrayDeque<Chunk> chunks = new ArrayDeque<>();
    private final ArrayDeque<Poll> polls = new ArrayDeque<>();
    private @Nullable Operation fetching;
    private @Nullable CrailException failure;
    private long position;
    private int generation;
    private long answers;

    /** Whether the request under way waits for a record that was still to come. */
    private boolean awaiting;

    private int staleAnswers;
    private boolean closed;

    public RecordReader(
            Engine engine,
            Session session,
            ExtentReader reader,
            StreamTarget target,
            long position,
            long timeoutNanos) {
        this.engine = engine;
        this.session = session;
        this.reader = reader;
        this.strand = engine.newStrand();
        this.target = target;
        this.position = position;
        this.timeoutNanos = timeoutNanos;
    }

    public Strand strand() {
        return strand;
    }

    /** Offset of the next record; on the strand. */
    public long position() {
        return position;
    }

    /** Moves to another record; on the strand. */
    public void seek(long offset) {
        position = offset;
        failure = null;
        forgetAll();
    }

    /** Records in order; none if none came in time. On the strand. */
    public CompletableFuture<List<Found>> poll(int max, long waitNanos) {
        CompletableFuture<List<Found>> future = new CompletableFuture<>();
        polls.add(new Poll(max, engine.nanoTime() + waitNanos, answers, future));
        pump();
        if (!future.isDone()) {
            engine.schedule(waitNanos + 1, () -> strand.execute(this::pump));
        }
        return future;
    }

    private void pump() {
        while (!polls.isEmpty()) {
            Poll poll = polls.element();
            if (poll.future.isDone()) {
                polls.remove();
                continue;
            }
            if (closed) {
                polls.remove();
                poll.future.completeExceptionally(
                        new ClosedException("the reader of " + target.path() + " is closed"));
                continue;
            }
            if (!serve(poll)) {
                break;
            }
            polls.remove();
        }
        if (!closed) {
            readAhead();
        }
    }

    /** Whether the poll has its answer. */
    private boolean serve(Poll poll) {
        List<Found> found = new ArrayList<>();
        try {
            take(found, poll.max);
        } catch (CrailException e) {
            failure = e;
            forgetAll();
        }
        CrailException cause = failure;
        boolean late = engine.nanoTime() - poll.untilNanos >= 0 && isCertain(poll);
        if (!found.isEmpty() || (cause == null && late)) {
            poll.future.complete(found);
            return true;
        }
        if (cause != null) {
            failure = null;
            poll.future.completeExceptionally(cause);
            return true;
        }
        return false;
    }

    /** Whether there is no further record: the namenode said so, or waits for one itself. */
    private boolean isCertain(Poll poll) {
        return chunks.isEmpty() && (answers > poll.answers || awaiting);
    }

    private void take(List<Found> found, int max) throws CrailException {
        while (found.size() < max && !chunks.isEmpty() && chunks.element().done) {
            Chunk chunk = chunks.element();
            CrailException cause = chunk.failure;
            if (cause != null) {
                if (!found.isEmpty()) {
                    return; // Told by the next poll.
                }
                throw cause;
            }
            while (found.size() < max && chunk.nextOffset < chunk.end()) {
                ByteBuffer bytes = next(chunk);
                if (chunk.nextOffset++ >= position) {
                    found.add(new Found(position++, bytes));
                }
            }
            if (chunk.nextOffset == chunk.end()) {
                chunks.remove();
            }
        }
    }

    private ByteBuffer next(Chunk chunk) throws CorruptDataException {
        ByteBuffer frames = chunk.frames;
        int at = frames.position();
        int end = RecordFrame.skip(frames, at, frames.limit(), 1);
        if (end < 0) {
            throw corrupt(chunk.nextOffset, "its frame does not fit into its run");
        }
        frames.position(end);
        boolean wanted = chunk.nextOffset >= position;
        ByteBuffer bytes = frames.slice(at + RecordFrame.HEADER, end - at - RecordFrame.HEADER);
        if (wanted && RecordFrame.crc(bytes) != RecordFrame.crc(frames, at)) {
            throw corrupt(chunk.nextOffset, "its checksum does not match");
        }
        return bytes.asReadOnlyBuffer();
    }

    private CorruptDataException corrupt(long offset, String why) {
        return new CorruptDataException(
                target.path()
                        + ", record "
                        + offset
                        + ": "
                        + why
                        + "; it is damaged, go on behind it");
    }

    private void readAhead() {
        long bytes = 0;
        long next = position;
        for (Chunk chunk : List.copyOf(chunks)) {
            if (bytes > 0 && bytes + chunk.run.bytes() > WINDOW_BYTES) {
                return;
            }
            bytes += chunk.run.bytes();
            next = chunk.end();
            if (chunk.failure != null) {
                return;
            }
            if (!chunk.isComplete()) {
                fetch(chunk.run.offset(), chunk.extents.size(), 0);
                return;
            }
            if (!chunk.started) {
                start(chunk);
            }
        }
        if (bytes < WINDOW_BYTES && failure == null && (chunks.isEmpty() || !polls.isEmpty())) {
            Poll poll = polls.peek();
            if (poll != null || !chunks.isEmpty()) {
                long left = poll == null ? 0 : poll.untilNanos - engine.nanoTime();
                fetch(next, 0, chunks.isEmpty() ? left : 0);
            }
        }
    }

    private void fetch(long offset, int skipped, long waitNanos) {
        if (fetching != null) {
            return;
        }
        int wait =
                (int)
                        Math.max(
                                0,
                                Math.min(
                                        LONGEST_WAIT_MILLIS,
                                        TimeUnit.NANOSECONDS.toMillis(waitNanos)));
        Operation operation = begin(TimeUnit.MILLISECONDS.toNanos(wait));
        fetching = operation;
        awaiting = wait > 0;
        int asking = generation;
        Outcomes.whenDone(
                session.call(
                        operation,
                        new StreamExtents.Request(
                                target.node(),
                                offset,
                                skipped,
                                ProtocolLimits.MAX_REFERENCES,
                                INLINE_BYTES,
                                wait)),
                (reply, cause) -> {
                    end(operation);
                    if (asking != generation) {
                        return;
                    }
                    fetching = null;
                    awaiting = false;
                    answers++;
                    CrailException failed = cause;
                    if (failed == null) {
                        try {
                            accept(offset, skipped, reply);
                        } catch (CrailException e) {
                            failed = e;
                        }
                    }
                    if (failed != null) {
                        failure = failed;
                    }
                    pump();
                });
    }

    private void accept(long offset, int skipped, Reply reply) throws CrailException {
        StreamExtents.Reply answer = StreamExtents.Reply.decode(reply.control());
        if (offset < answer.first() || offset > answer.next()) {
            throw new OffsetOutOfRangeException(
                    target.path()
                            + " has the records "
                            + answer.first()
                            + " to "
                            + (answer.next() - 1)
                            + ", not "
                            + offset
                            + "; go on at "
                            + answer.first(),
                    answer.first());
        }
        if (skipped > 0) {
            Chunk cut = chunks.peekLast();
            if (cut == null || cut.run.offset() != offset || answer.extents().isEmpty()) {
                throw new ProtocolException(target.path() + ": a run has lost its blocks");
            }
            int missing = cut.run.blocks() - cut.extents.size();
            List<Extent> more = answer.extents();
            cut.extents.addAll(more.subList(0, Math.min(missing, more.size())));
            return;
        }
        int extent = 0;
        ByteBuffer payload = reply.payload();
        for (StreamExtents.Run run : answer.runs()) {
            Chunk chunk;
            if (run.blocks() == 0) {
                if (payload == null || payload.remaining() < run.bytes()) {
                    throw new ProtocolException(target.path() + ": inline frames are missing");
                }
                ByteBuffer frames = payload.slice(payload.position(), run.bytes());
                payload.position(payload.position() + run.bytes());
                chunk = new Chunk(run, frames, true);
            } else {
                chunk = new Chunk(run, ByteBuffer.allocate(0), false);
                int end = Math.min(answer.extents().size(), extent + run.blocks());
                chunk.extents.addAll(answer.extents().subList(extent, end));
                extent = end;
            }
            chunks.add(chunk);
        }
    }

    private void start(Chunk chunk) {
        chunk.started = true;
        chunk.frames = ByteBuffer.allocate(chunk.run.bytes());
        Operation operation = begin(0);
        chunk.operation = operation;
        List<CompletableFuture<?>> parts = new ArrayList<>();
        for (Extent extent : chunk.extents) {
            int at = (int) (extent.offset() - chunk.run.position());
            parts.add(
                    reader.read(
                            operation,
                            target.path(),
                            extent,
                            0,
                            chunk.frames.slice(at, extent.length()),
                            target.checksums()));
        }
        Outcomes.whenDone(
                CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new)),
                (done, cause) -> {
                    end(operation);
                    chunk.operation = null;
                    if (cause != null && cause.code() == ErrorCode.STALE_REFERENCE && !closed) {
                        stale(chunk);
                        return;
                    }
                    staleAnswers = 0;
                    chunk.failure = cause;
                    chunk.done = true;
                    pump();
                });
    }

    /** A block was moved, or the records are gone: the namenode knows which. */
    private void stale(Chunk chunk) {
        engine.counters().staleReferences.increment();
        if (!chunks.contains(chunk)) {
            return;
        }
        long pause = STALE_PAUSE * Math.min(20, staleAnswers++);
        engine.schedule(
                pause,
                () ->
                        strand.execute(
                                () -> {
                                    if (chunks.contains(chunk)) {
                                        forgetFrom(chunk);
                                    }
                                    pump();
                                }));
    }

    private void forgetFrom(Chunk chunk) {
        while (!chunks.isEmpty()) {
            Chunk last = chunks.removeLast();
            callOff(last);
            if (last == chunk) {
                break;
            }
        }
        abandonFetch();
    }

    private void forgetAll() {
        chunks.forEach(RecordReader::callOff);
        chunks.clear();
        abandonFetch();
    }

    private void abandonFetch() {
        generation++;
        awaiting = false;
        Operation asking = fetching;
        fetching = null;
        if (asking != null) {
            asking.cancel(new CancelledException("asked in vain"));
        }
    }

    private static void callOff(Chunk chunk) {
        Operation reading = chunk.operation;
        if (reading != null) {
            reading.cancel(new CancelledException("read ahead in vain"));
        }
    }

    private Operation begin(long moreNanos) {
        Operation operation =
                engine.newOperation(strand, "read " + target.path(), timeoutNanos + moreNanos);
        engine.retain();
        engine.watch(operation);
        return operation;
    }

    private void end(Operation operation) {
        engine.unwatch(operation);
        engine.release();
    }

    /** Calls everything off; polls under way fail. On the strand. */
    public void close() {
        closed = true;
        forgetAll();
        pump();
    }
}
