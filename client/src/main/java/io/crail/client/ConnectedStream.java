// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.records.RecordReader;
import io.crail.client.records.StreamAppender;
import io.crail.client.records.StreamTarget;
import io.crail.error.BusyException;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.TimeoutException;
import io.crail.protocol.message.StreamExtents;
import io.crail.protocol.message.StreamTrim;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A stream of a connected client. */
final class ConnectedStream implements CrailStream {
    /** Appends give up by themselves at their deadline; this is for the wait behind it. */
    private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final ClientCore core;
    private final Caller caller;
    private final StreamTarget target;
    private final StreamAppender appender;

    ConnectedStream(ClientCore core, Caller caller, StreamTarget target) {
        this.core = core;
        this.caller = caller;
        this.target = target;
        this.appender =
                new StreamAppender(
                        core.engine(),
                        core.session(),
                        core.blocks(),
                        target,
                        caller.timeoutNanos());
    }

    @Override
    public String path() {
        return target.path();
    }

    @Override
    public long append(ByteBuffer record) throws CrailException {
        return await(appendAsync(record), "append to " + path());
    }

    /** Waits for a future of the appender, running its steps meanwhile. */
    private <T> T await(CrailFuture<T> future, String what) throws CrailException {
        Engine.Outcome outcome =
                core.engine().awaitFuture(future, 2 * caller.timeoutNanos() + GRACE_NANOS, true);
        if (outcome != Engine.Outcome.DONE) {
            future.cancel(false);
            throw outcome == Engine.Outcome.INTERRUPTED
                    ? new CancelledException(what + " was interrupted; it may still take place")
                    : new TimeoutException(what + " did not finish within its deadline");
        }
        try {
            return future.join();
        } catch (CompletionException e) {
            CrailException cause = Outcomes.cause(e);
            throw CrailException.of(cause.code(), String.valueOf(cause.getMessage()), cause);
        }
    }

    @Override
    public CrailFuture<Long> appendAsync(ByteBuffer record) {
        boolean large = record.remaining() > StreamAppender.LARGE;
        Operation operation = large ? appender.newOperation() : null;
        CrailFuture<Long> future =
                new CrailFuture<>(core.engine(), operation, large ? appender.strand() : null);
        CrailException refusal = refusal(record);
        if (refusal != null) {
            future.completeExceptionally(refusal);
        } else if (operation == null) {
            appender.append(record, future::settle);
        } else {
            appender.appendLarge(operation, record, future::settle);
        }
        return future;
    }

    /** Why a record cannot be appended; waits for room. */
    private @Nullable CrailException refusal(ByteBuffer record) {
        if (record.remaining() > MAX_RECORD) {
            return new InvalidArgumentException(
                    path()
                            + ": a record of "
                            + record.remaining()
                            + " bytes, at most "
                            + MAX_RECORD
                            + "; put it into a FILE, and its path into the stream");
        }
        long until = core.engine().nanoTime() + caller.timeoutNanos();
        CompletableFuture<Void> room = appender.waitForRoom();
        while (room != null) {
            Engine.Outcome outcome =
                    core.engine().awaitFuture(room, until - core.engine().nanoTime(), true);
            if (outcome == Engine.Outcome.INTERRUPTED) {
                return new CancelledException("append to " + path() + " was interrupted");
            }
            if (outcome == Engine.Outcome.TIMED_OUT) {
                return new BusyException(
                        path() + ": the records appended before are still not acknowledged");
            }
            room = appender.waitForRoom();
        }
        return null;
    }

    @Override
    public void flush() throws CrailException {
        CrailFuture<Void> done = new CrailFuture<>(core.engine(), null, null);
        Outcomes.whenDone(
                appender.flush(),
                (nothing, cause) -> core.engine().deliver(() -> done.settle(null, cause)));
        Void unused = await(done, "flush " + path());
    }

    @Override
    public StreamReader reader(long offset) {
        return new ConnectedStreamReader(
                caller,
                target,
                new RecordReader(
                        core.engine(),
                        core.session(),
                        core.reader(),
                        target,
                        Math.max(0, offset),
                        caller.timeoutNanos()));
    }

    @Override
    public StreamReader readerFromEarliest() throws CrailException {
        return reader(info().first());
    }

    @Override
    public StreamReader readerFromLatest() throws CrailException {
        return reader(info().next());
    }

    @Override
    public long trim(long offset) throws CrailException {
        return caller.call("trim " + path(), op -> trim(op, offset));
    }

    @Override
    public CrailFuture<Long> trimAsync(long offset) {
        return caller.begin("trim " + path(), op -> trim(op, offset));
    }

    private CompletableFuture<Long> trim(Operation operation, long offset) throws CrailException {
        if (offset < 0) {
            throw new InvalidArgumentException(path() + ": negative offset " + offset);
        }
        return core.session()
                .call(operation, new StreamTrim.Request(target.node(), offset))
                .thenApply(
                        reply -> {
                            try {
                                return StreamTrim.Reply.decode(reply.control()).first();
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }

    @Override
    public StreamInfo info() throws CrailException {
        return caller.call("look at " + path(), this::info);
    }

    @Override
    public CrailFuture<StreamInfo> infoAsync() {
        return caller.begin("look at " + path(), this::info);
    }

    private CompletableFuture<StreamInfo> info(Operation operation) {
        return core.session()
                .call(operation, new StreamExtents.Request(target.node(), 0, 0, 0, 0, 0))
                .thenApply(
                        reply -> {
                            try {
                                StreamExtents.Reply answer =
                                        StreamExtents.Reply.decode(reply.control());
                                return new StreamInfo(
                                        answer.first(), answer.next(), answer.status().length());
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }

    @Override
    public void close() throws CrailException {
        appender.close();
        flush();
    }
}
