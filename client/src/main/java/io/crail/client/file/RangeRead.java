// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.ExtentReader;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ServerLostException;
import io.crail.protocol.block.Extent;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads one range of a node: a bounded number of extents at a time, missing references fetched on
 * the way and those of the next page ahead of need. A stale reference is fetched anew and the piece
 * read again, within the operation's deadline. So is, once, a reference that is denied: it may have
 * been sealed for a session that has expired since. Everything runs on the operation's strand.
 */
final class RangeRead {
    /** Pieces under way at a time. */
    private static final int WINDOW = 16;

    private static final int STALE_PAUSE_MILLIS = 5;

    /** What is done with each piece of the range. */
    @FunctionalInterface
    interface Piecewise {
        /** Reads bytes that one extent holds; on the operation's strand. */
        CompletableFuture<Void> read(Extent extent, long from, int length);
    }

    private final Operation operation;
    private final Piecewise pieces;
    private final ExtentMap extents;
    private final ExtentSource source;
    private final String path;
    private final long end;
    private final CompletableFuture<Void> result = new CompletableFuture<>();

    private long next;
    private int underWay;
    private boolean fetching;
    private int staleAnswers;

    /** References that were fetched because those before were denied: final if denied as well. */
    private boolean afterDenial;

    private @Nullable CrailException failure;

    /** Reads {@code length} bytes from a position. */
    RangeRead(
            Operation operation,
            Piecewise pieces,
            ExtentMap extents,
            ExtentSource source,
            String path,
            long position,
            long length) {
        this.operation = operation;
        this.pieces = pieces;
        this.extents = extents;
        this.source = source;
        this.path = path;
        this.next = position;
        this.end = position + length;
    }

    /**
     * Fills a target, heap or direct, from position to limit, which stay where they are.
     *
     * @param position what the first byte of the target is
     */
    static Piecewise into(
            Operation operation,
            ExtentReader reader,
            String path,
            boolean checksums,
            long position,
            ByteBuffer target) {
        ByteBuffer whole = target.slice();
        return (extent, from, length) ->
                reader.read(
                        operation,
                        path,
                        extent,
                        (int) (from - extent.offset()),
                        whole.slice((int) (from - position), length),
                        checksums);
    }

    CompletableFuture<Void> start() {
        pump();
        return result;
    }

    private void pump() {
        while (failure == null && next < end && underWay < WINDOW) {
            Extent extent = extents.holding(next);
            if (extent == null) {
                fetch(next);
                break;
            }
            long from = next;
            int length = (int) Math.min(extent.end() - from, end - from);
            next = from + length;
            read(extent, from, length);
        }
        if (failure == null && next < end && !fetching && extents.holding(next) == null) {
            fetch(next);
        }
        finish();
    }

    /** Only when nothing is under way, so that the target is not touched afterwards. */
    private void finish() {
        if (underWay > 0 || fetching || result.isDone()) {
            return;
        }
        if (failure != null) {
            result.completeExceptionally(failure);
        } else if (next == end) {
            result.complete(null);
        }
    }

    private void fetch(long offset) {
        if (fetching) {
            return;
        }
        fetching = true;
        Outcomes.whenDone(
                source.fetch(operation, offset),
                (fresh, cause) -> {
                    fetching = false;
                    if (cause != null) {
                        fail(cause);
                    } else {
                        extents.add(fresh);
                        if (extents.holding(offset) == null) {
                            fail(
                                    new ServerLostException(
                                            path
                                                    + ": the namenode has no block for offset "
                                                    + offset
                                                    + "; its data is lost"));
                        }
                    }
                    pump();
                });
    }

    private void read(Extent extent, long from, int length) {
        underWay++;
        Outcomes.whenDone(
                pieces.read(extent, from, length),
                (done, cause) -> {
                    if (cause == null) {
                        underWay--;
                        pump();
                    } else if (isStale(cause)) {
                        operation.engine().counters().staleReferences.increment();
                        boolean wasDenied = cause.code() == ErrorCode.ACCESS_DENIED;
                        if (wasDenied) {
                            extents.clear();
                        } else {
                            extents.forget(extent);
                        }
                        rereadLater(from, length, wasDenied);
                    } else {
                        // Perhaps it is to be had again, or elsewhere, when somebody asks later.
                        extents.forget(extent);
                        underWay--;
                        fail(cause);
                        pump();
                    }
                });
    }

    private boolean isStale(CrailException cause) {
        boolean stale =
                cause.code() == ErrorCode.STALE_REFERENCE
                        || (cause.code() == ErrorCode.ACCESS_DENIED && !afterDenial);
        return stale
                && failure == null
                && operation.cancelled() == null
                && operation.remainingNanos() > 0;
    }

    /** The piece stays under way until it has been read by fresh references. */
    private void rereadLater(long from, int length, boolean wasDenied) {
        long pause =
                TimeUnit.MILLISECONDS.toNanos(
                        Math.min(100, (long) STALE_PAUSE_MILLIS * staleAnswers++));
        Runnable reread =
                () -> {
                    CrailException cancelled = operation.cancelled();
                    if (cancelled != null) {
                        underWay--;
                        fail(cancelled);
                        pump();
                    } else {
                        reread(from, length, wasDenied);
                    }
                };
        if (pause == 0) {
            reread.run();
        } else {
            operation.engine().schedule(pause, () -> operation.strand().execute(reread));
        }
    }

    private void reread(long from, int length, boolean wasDenied) {
        Outcomes.whenDone(
                source.fetch(operation, from),
                (fresh, cause) -> {
                    underWay--;
                    if (cause == null) {
                        extents.add(fresh);
                        underWay++;
                        RangeRead part =
                                new RangeRead(
                                        operation, pieces, extents, source, path, from, length);
                        part.staleAnswers = staleAnswers;
                        part.afterDenial = afterDenial || wasDenied;
                        Outcomes.whenDone(
                                part.start(),
                                (done, failed) -> {
                                    underWay--;
                                    if (failed != null) {
                                        fail(failed);
                                    }
                                    pump();
                                });
                    } else {
                        fail(cause);
                        pump();
                    }
                });
    }

    private void fail(CrailException cause) {
        if (failure == null) {
            failure = cause;
        }
    }
}
