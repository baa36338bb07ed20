// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.LeaseLostException;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.Message;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a writer share: the lease, and the steps that go on in the background. A step
 * has a deadline of its own and is called off when it passes, whether somebody waits or not.
 */
final class WriterContext {
    private final Engine engine;
    private final Session session;
    private final Strand strand;
    private final String path;
    private final long node;
    private final long handle;
    private final int incarnation;
    private long timeoutNanos;
    private Consumer<@Nullable CrailException> afterGrant = failure -> {};

    WriterContext(
            Engine engine,
            Session session,
            Strand strand,
            String path,
            long node,
            long handle,
            int incarnation,
            long timeoutNanos) {
        this.engine = engine;
        this.session = session;
        this.strand = strand;
        this.path = path;
        this.node = node;
        this.handle = handle;
        this.incarnation = incarnation;
        this.timeoutNanos = timeoutNanos;
    }

    Engine engine() {
        return engine;
    }

    Session session() {
        return session;
    }

    Strand strand() {
        return strand;
    }

    String path() {
        return path;
    }

    long node() {
        return node;
    }

    long handle() {
        return handle;
    }

    int incarnation() {
        return incarnation;
    }

    long timeoutNanos() {
        return timeoutNanos;
    }

    void timeoutNanos(long nanos) {
        timeoutNanos = nanos;
    }

    /** How long a server may take for a write before the bytes are rather written elsewhere. */
    long patienceNanos() {
        return Relocation.patienceNanos(timeoutNanos);
    }

    /** Begins a step that goes on whether or not somebody waits. */
    Operation begin(String what) {
        return begin(what, false);
    }

    /**
     * Begins a step.
     *
     * @param awaited somebody waits on the strand until it ends
     */
    Operation begin(String what, boolean awaited) {
        Operation operation = engine.newOperation(strand, what + path, timeoutNanos);
        if (!awaited) {
            engine.retain();
        }
        engine.watch(operation);
        return operation;
    }

    void end(Operation operation) {
        end(operation, false);
    }

    /** Ends a step that was begun in the same way. */
    void end(Operation operation, boolean awaited) {
        engine.unwatch(operation);
        if (!awaited) {
            engine.release();
        }
    }

    CompletableFuture<Reply> call(Operation operation, Message message) {
        return session.call(operation, message, null, incarnation);
    }

    /** As {@link #call}, but {@code BUSY} is told instead of tried again. */
    CompletableFuture<Reply> callOnce(Operation operation, Message message) {
        return session.callOnce(operation, message, incarnation);
    }

    /** Gives the lease back; a file that it made and that has no committed bytes is removed. */
    CompletableFuture<Void> abandon(Operation operation) {
        return call(operation, new Abandon.Request(node, handle, true)).thenAccept(reply -> {});
    }

    void abandonQuietly() {
        Operation operation = begin("abandon ");
        Outcomes.whenDone(abandon(operation), (done, cause) -> end(operation));
    }

    void afterGrant(Consumer<@Nullable CrailException> listener) {
        afterGrant = listener;
    }

    void granted(@Nullable CrailException failure) {
        afterGrant.accept(failure);
    }

    /** What an error of a step means to the writer. */
    CrailException meaning(CrailException cause) {
        boolean fenced =
                cause.code() == ErrorCode.STALE_REFERENCE
                        || cause.code() == ErrorCode.ACCESS_DENIED
                        || cause.code() == ErrorCode.SESSION_EXPIRED;
        return fenced
                ? new LeaseLostException(
                        path
                                + ": this writer lost its lease; what was not committed is gone ("
                                + cause.getMessage()
                                + ")",
                        cause)
                : cause;
    }
}
