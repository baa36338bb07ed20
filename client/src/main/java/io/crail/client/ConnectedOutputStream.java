// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.file.FileWriter;
import io.crail.error.CancelledException;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.StreamFailedException;
import io.crail.error.TimeoutException;
import io.crail.protocol.message.NodeStatus;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A stream that appends to a file of a connected client. */
final class ConnectedOutputStream extends CrailOutputStream {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectedOutputStream.class);

    /** From this size on, waiting for the servers costs less than a copy. */
    private static final int WORTH_NOT_COPYING = 4 << 20;

    /** From this size on, a piece of its own costs less than a copy. */
    private static final int WORTH_A_PIECE = 64 << 10;

    private static final long ABANDON_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Caller caller;
    private final FileWriter writer;
    private final Strand strand;
    private final ByteBuffer one = ByteBuffer.allocate(1);
    private boolean reported;
    private boolean closed;

    ConnectedOutputStream(Caller caller, FileWriter writer) {
        this.caller = caller;
        this.writer = writer;
        this.strand = writer.strand();
    }

    @Override
    public void write(int b) throws CrailException {
        strand.enter();
        try {
            one.clear();
            one.put(0, (byte) b);
            append(one);
        } finally {
            strand.exit();
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws CrailException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        append(ByteBuffer.wrap(bytes, offset, length));
    }

    @Override
    public void append(ByteBuffer source) throws CrailException {
        strand.enter();
        try {
            check();
            if (source.isDirect()) {
                appendDirectly(source);
            }
            while (source.hasRemaining()) {
                if (writer.offer(source) == 0) {
                    await("write", () -> writer.failure() != null || writer.hasRoom());
                }
                check();
            }
        } finally {
            strand.exit();
        }
    }

    /** Writes from the application's memory as much as is worth waiting for. */
    private void appendDirectly(ByteBuffer source) throws CrailException {
        int length = source.remaining();
        if (length < WORTH_NOT_COPYING) {
            length = writer.worthInPlace(length);
        }
        if (length < WORTH_A_PIECE) {
            return;
        }
        CompletableFuture<Void> written =
                writer.append(source.slice(source.position(), length), true);
        source.position(source.position() + length);
        await("write", written::isDone);
        check();
    }

    @Override
    public CrailFuture<Void> appendAsync(ByteBuffer source) {
        return begin(
                "write " + path(),
                () -> {
                    check();
                    ByteBuffer data = source.duplicate();
                    source.position(source.limit());
                    if (data.isDirect() && data.remaining() >= WORTH_A_PIECE) {
                        return writer.append(data, false);
                    }
                    // Small or on the heap: copied, as far as memory permits without waiting.
                    while (data.hasRemaining()) {
                        if (writer.offer(data) == 0) {
                            await("write", () -> writer.failure() != null || writer.hasRoom());
                        }
                        check();
                    }
                    return CompletableFuture.completedFuture(null);
                });
    }

    @Override
    public void flush() throws CrailException {
        strand.enter();
        try {
            if (!writer.isClosed()) {
                check();
                writer.flush();
            }
        } finally {
            strand.exit();
        }
    }

    @Override
    public NodeStatus sync() throws CrailException {
        return commit(false);
    }

    @Override
    public CrailFuture<NodeStatus> syncAsync() {
        return begin(
                "commit " + path(),
                () -> {
                    check();
                    return writer.commit(false);
                });
    }

    private NodeStatus commit(boolean close) throws CrailException {
        strand.enter();
        try {
            check();
            CompletableFuture<NodeStatus> done = writer.commit(close);
            await(close ? "close" : "commit", done::isDone);
            checkFailure();
            return done.join();
        } finally {
            strand.exit();
        }
    }

    /** Begins a step of the stream; a step that is called off fails the stream. */
    private <T> CrailFuture<T> begin(String what, Step<T> step) {
        return caller.withTimeout(writer.timeoutNanos())
                .begin(
                        what,
                        strand,
                        operation -> {
                            CompletableFuture<T> result = new CompletableFuture<>();
                            operation.add(cause -> cancelled(operation, result, cause));
                            strand.enter();
                            try {
                                Outcomes.whenDone(
                                        step.start(),
                                        (value, cause) -> settle(operation, result, value, cause));
                            } finally {
                                strand.exit();
                            }
                            return result;
                        });
    }

    private static <T> void settle(
            Operation operation,
            CompletableFuture<T> result,
            @Nullable T value,
            @Nullable CrailException cause) {
        operation
                .strand()
                .execute(
                        () -> {
                            if (cause == null) {
                                result.complete(value);
                            } else {
                                result.completeExceptionally(cause);
                            }
                        });
    }

    /** Bytes that were called off are missing in the stream: it cannot go on. */
    private void cancelled(Operation operation, CompletableFuture<?> result, CrailException cause) {
        strand.execute(
                () -> {
                    writer.abort(cause);
                    operation.strand().execute(() -> result.completeExceptionally(cause));
                });
    }

    @FunctionalInterface
    private interface Step<T> {
        CompletableFuture<T> start() throws CrailException;
    }

    private void await(String what, BooleanSupplier done) throws CrailException {
        Engine.Outcome outcome = caller.await(strand, done, writer.timeoutNanos());
        if (outcome == Engine.Outcome.DONE) {
            return;
        }
        CrailException cause =
                outcome == Engine.Outcome.INTERRUPTED
                        ? new CancelledException(what + " " + path() + " was interrupted")
                        : new TimeoutException(
                                what
                                        + " "
                                        + path()
                                        + " did not finish within its deadline of "
                                        + TimeUnit.NANOSECONDS.toMillis(writer.timeoutNanos())
                                        + " ms");
        // How many bytes were taken is unknown to the caller now.
        writer.abort(cause);
        reported = true;
        throw cause;
    }

    /** Throws if the stream has failed or is closed: the first time what happened. */
    private void check() throws CrailException {
        checkFailure();
        if (closed || writer.isClosed()) {
            throw new ClosedException("the stream to " + path() + " is closed");
        }
    }

    private void checkFailure() throws CrailException {
        CrailException failure = writer.failure();
        if (failure == null) {
            return;
        }
        String message = String.valueOf(failure.getMessage());
        if (!reported) {
            reported = true;
            throw CrailException.of(failure.code(), message, failure);
        }
        throw new StreamFailedException(
                "the stream to " + path() + " failed before: " + message, failure);
    }

    @Override
    public long position() {
        strand.enter();
        try {
            return writer.position();
        } finally {
            strand.exit();
        }
    }

    @Override
    public long committedLength() {
        strand.enter();
        try {
            return writer.committedLength();
        } finally {
            strand.exit();
        }
    }

    @Override
    public String path() {
        return writer.path();
    }

    @Override
    public void setDeadline(Duration deadline) {
        strand.enter();
        try {
            writer.timeoutNanos(deadline.toNanos());
        } finally {
            strand.exit();
        }
    }

    @Override
    public void abort() {
        strand.enter();
        try {
            if (!closed && !writer.isClosed()) {
                closed = true;
                writer.abort(new CancelledException("the stream to " + path() + " was aborted"));
                abandon();
            }
        } finally {
            strand.exit();
        }
    }

    /** Tells the namenode, even in an interrupted thread, for a bounded time. */
    private void abandon() {
        try {
            caller.withTimeout(ABANDON_NANOS)
                    .callToTheEnd("abandon " + path(), strand, writer::abandon);
        } catch (CrailException e) {
            LOG.debug("The lease of {} was not given back; it will expire.", path(), e);
        }
    }

    @Override
    public void close() throws CrailException {
        strand.enter();
        try {
            if (closed) {
                return;
            }
            CrailException failure = closeOrFail();
            closed = true;
            if (failure != null) {
                abandon();
                throw failure;
            }
        } finally {
            strand.exit();
        }
    }

    private @Nullable CrailException closeOrFail() {
        try {
            if (!writer.isClosed()) {
                commit(true);
            }
            return null;
        } catch (CrailException e) {
            return e;
        }
    }

    @Override
    public CrailFuture<NodeStatus> closeAsync() {
        return begin(
                "close " + path(),
                () -> {
                    check();
                    return writer.commit(true)
                            .whenComplete(
                                    (status, failure) -> {
                                        closed = true;
                                        if (failure != null) {
                                            writer.abandonQuietly();
                                        }
                                    });
                });
    }
}
