// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.ExtentReader;
import io.crail.client.engine.Counters;
import io.crail.client.engine.Operation;
import io.crail.client.rpc.Session;
import io.crail.client.view.HeldBlocks;
import io.crail.client.view.OpenViews;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.error.SessionExpiredException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.AwaitLength;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** A FILE open for reading: its handle, attributes, and the extents known so far. Thread-safe. */
public final class FileReader {
    /** Reads without the server waiting; the server bounds longer waits itself. */
    private static final int MAX_WAIT_MILLIS = 10_000;

    private final Session session;
    private final ExtentReader reader;
    private final String path;
    private final long handle;
    private final int incarnation;
    private final ExtentMap extents = new ExtentMap();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile NodeStatus status;

    public FileReader(
            Session session, ExtentReader reader, String path, Open.Reply reply, int incarnation) {
        this.session = session;
        this.reader = reader;
        this.path = path;
        this.handle = reply.handle();
        this.incarnation = incarnation;
        this.status = reply.status();
        extents.add(reply.extents());
    }

    public String path() {
        return path;
    }

    public NodeStatus status() {
        return status;
    }

    /** Length when opened or last refreshed. */
    public long length() {
        return status.length();
    }

    /**
     * Fills the target from a position, as far as the file goes.
     *
     * @param target its position and limit stay where they are
     * @return bytes read, -1 at or behind the end
     */
    public CompletableFuture<Integer> read(Operation operation, long position, ByteBuffer target) {
        if (position < 0) {
            return CompletableFuture.failedFuture(
                    new InvalidArgumentException(path + ": negative position " + position));
        }
        long left = length() - position;
        if (!target.hasRemaining()) {
            return CompletableFuture.completedFuture(0);
        }
        if (left <= 0) {
            return CompletableFuture.completedFuture(-1);
        }
        int length = (int) Math.min(left, target.remaining());
        ByteBuffer part = target.slice(target.position(), length);
        return readExactly(operation, position, part).thenApply(done -> length);
    }

    /** Fills the target; the caller knows that the file goes so far. */
    CompletableFuture<Void> readExactly(Operation operation, long position, ByteBuffer target) {
        boolean checksums = status.has(NodeStatus.CHECKSUMS);
        return readPieces(
                operation,
                RangeRead.into(operation, reader, path, checksums, position, target),
                position,
                target.remaining());
    }

    private CompletableFuture<Void> readPieces(
            Operation operation, RangeRead.Piecewise pieces, long position, long length) {
        if (closed.get()) {
            return CompletableFuture.failedFuture(
                    new ClosedException(path + " is closed for reading"));
        }
        if (session.incarnation() != incarnation) {
            return CompletableFuture.failedFuture(expired());
        }
        RangeRead.Piecewise ofTheSession =
                (extent, from, count) ->
                        session.incarnation() == incarnation
                                ? pieces.read(extent, from, count)
                                : CompletableFuture.failedFuture(expired());
        return new RangeRead(operation, ofTheSession, extents, this::fetch, path, position, length)
                .start();
    }

    private SessionExpiredException expired() {
        return new SessionExpiredException(
                path
                        + ": the session expired at the namenode and with it the handle; open the"
                        + " file again");
    }

    /**
     * Holds bytes to be looked at; the result belongs to the caller.
     *
     * @param verify whether checksums are compared, if the file has any
     */
    public CompletableFuture<HeldBlocks> view(
            Operation operation, OpenViews views, long position, long length, boolean verify) {
        return view(operation, views, position, length, verify, null);
    }

    /**
     * Holds bytes to be looked at; the result belongs to the caller. Verified, if the file has
     * checksums.
     *
     * @param spare direct; gets, between position and limit, which stay where they are, what cannot
     *     be looked at in place; the result's until that is closed
     */
    public CompletableFuture<HeldBlocks> view(
            Operation operation, OpenViews views, long position, ByteBuffer spare) {
        if (!spare.isDirect() || spare.isReadOnly()) {
            return CompletableFuture.failedFuture(
                    new InvalidArgumentException(
                            path + ": a view needs a direct buffer that can be written to"));
        }
        return view(
                operation,
                views,
                position,
                spare.remaining(),
                true,
                new RangeView.Spare(spare.slice(), position));
    }

    private CompletableFuture<HeldBlocks> view(
            Operation operation,
            OpenViews views,
            long position,
            long length,
            boolean verify,
            RangeView.@Nullable Spare spare) {
        if (position < 0 || length < 0 || length > length() - position) {
            return CompletableFuture.failedFuture(
                    new OffsetOutOfRangeException(
                            path
                                    + " has "
                                    + length()
                                    + " bytes, the view wants "
                                    + length
                                    + " from "
                                    + position));
        }
        HeldBlocks held = views.begin();
        boolean checksums = verify && status.has(NodeStatus.CHECKSUMS);
        return RangeView.complete(
                operation,
                held,
                readPieces(
                        operation,
                        new RangeView(operation, reader, path, checksums, held, spare),
                        position,
                        length));
    }

    /**
     * Holds bytes to be looked at in place, in the calling thread and without waiting; verified, if
     * the file has checksums. The result belongs to the caller.
     *
     * @return null if anything is in the way
     */
    public @Nullable HeldBlocks viewNow(
            Counters counters, OpenViews views, long position, long length) {
        if (closed.get()
                || session.incarnation() != incarnation
                || position < 0
                || length < 0
                || length > length() - position) {
            return null;
        }
        HeldBlocks held = views.begin();
        boolean whole = false;
        try {
            whole = lendNow(counters, held, position, position + length);
            return whole ? held : null;
        } finally {
            if (!whole) {
                held.close();
            }
        }
    }

    private boolean lendNow(Counters counters, HeldBlocks held, long position, long end) {
        boolean checksums = status.has(NodeStatus.CHECKSUMS);
        long next = position;
        while (next < end) {
            Extent extent = extents.holding(next);
            if (extent == null) {
                return false;
            }
            int length = (int) Math.min(extent.end() - next, end - next);
            int from = (int) (next - extent.offset());
            if (!RangeView.lendNow(reader, counters, held, extent, from, length, checksums)) {
                return false;
            }
            next += length;
        }
        return true;
    }

    /**
     * CRC32C of the first bytes.
     *
     * @param atMost so many bytes, or as many as there are
     */
    public CompletableFuture<Integer> checksum(Operation operation, long atMost) {
        if (atMost < 0) {
            return CompletableFuture.failedFuture(
                    new InvalidArgumentException(path + ": checksum of " + atMost + " bytes"));
        }
        NodeStatus now = status;
        RangeChecksum sum =
                new RangeChecksum(operation, reader, path, now.has(NodeStatus.CHECKSUMS), 0);
        return readPieces(operation, sum, 0, Math.min(atMost, now.length()))
                .thenApply(done -> sum.value());
    }

    private CompletableFuture<List<Extent>> fetch(Operation operation, long offset) {
        return getExtents(operation, offset, ProtocolLimits.MAX_REFERENCES)
                .thenApply(GetExtents.Reply::extents);
    }

    private CompletableFuture<GetExtents.Reply> getExtents(
            Operation operation, long offset, int limit) {
        return session.call(
                        operation,
                        new GetExtents.Request(status.id(), handle, offset, limit),
                        null,
                        incarnation)
                .thenApply(
                        reply -> {
                            try {
                                return GetExtents.Reply.decode(reply.control());
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }

    /** The extent that holds a position, if it is known. */
    @Nullable Extent known(long position) {
        return extents.holding(position);
    }

    /** How many bytes of a range are, as far as is known, on servers of which something holds. */
    public long bytesAt(long position, long length, IntPredicate servers) {
        return extents.bytesAt(position, position + length, servers);
    }

    /** All extents, in order. */
    public CompletableFuture<List<Extent>> allExtents(Operation operation) {
        return collect(operation, new ArrayList<>(), 0);
    }

    private CompletableFuture<List<Extent>> collect(
            Operation operation, List<Extent> sofar, long offset) {
        if (offset >= length()) {
            return CompletableFuture.completedFuture(sofar);
        }
        return fetch(operation, offset)
                .thenCompose(
                        page -> {
                            if (page.isEmpty()) {
                                return CompletableFuture.completedFuture(sofar);
                            }
                            sofar.addAll(page);
                            return collect(operation, sofar, page.get(page.size() - 1).end());
                        });
    }

    /** Fetches the attributes again. */
    public CompletableFuture<NodeStatus> refresh(Operation operation) {
        long known = length();
        return getExtents(operation, Math.max(0, known - 1), ProtocolLimits.MAX_REFERENCES)
                .thenApply(
                        reply -> {
                            accept(reply.status());
                            extents.add(reply.extents());
                            return reply.status();
                        });
    }

    /** Waits until the file is longer than known, or closed by its writer, or the time is over. */
    public CompletableFuture<NodeStatus> awaitLength(
            Operation operation, long known, Duration atMost) {
        int millis = (int) Math.max(0, Math.min(MAX_WAIT_MILLIS, atMost.toMillis()));
        return session.call(
                        operation,
                        new AwaitLength.Request(status.id(), handle, known, millis),
                        null,
                        incarnation)
                .thenApply(
                        reply -> {
                            try {
                                return AwaitLength.Reply.decode(reply.control()).status();
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        })
                .thenCompose(
                        fresh -> {
                            accept(fresh);
                            Duration left = atMost.minusMillis(millis);
                            boolean again =
                                    fresh.length() <= known
                                            && fresh.has(NodeStatus.OPEN_FOR_WRITING)
                                            && !left.isNegative()
                                            && !left.isZero();
                            return again
                                    ? awaitLength(operation, known, left)
                                    : CompletableFuture.completedFuture(fresh);
                        });
    }

    private synchronized void accept(NodeStatus fresh) {
        NodeStatus old = status;
        if (fresh.length() >= old.length()) {
            if (fresh.length() > old.length()) {
                extents.forgetTail(old.length());
            }
            status = fresh;
        }
    }

    /** Gives the handle back with the next keep-alive. Idempotent. */
    public void close() {
        if (closed.compareAndSet(false, true)) {
            session.closeHandle(handle, incarnation);
        }
    }

    public boolean isClosed() {
        return closed.get();
    }
}
