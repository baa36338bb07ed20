// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.client.engine.Cancellable;
import io.crail.client.engine.Operation;
import io.crail.error.CrailException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.Message;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One call to the namenode: what is asked, for which operation, and the future that gets the
 * answer. It is made by one or more {@link Attempt}s, one after the other.
 */
final class Call implements Cancellable {
    /** No handle is involved: the call may be made under any session. */
    static final int ANY_SESSION = 0;

    private final Session session;
    private final Operation operation;
    private final Message message;
    private final boolean mutation;
    private final byte[] control;
    private final @Nullable ByteBuffer payload;
    private final int boundTo;
    private final CompletableFuture<Reply> future = new CompletableFuture<>();
    private volatile @Nullable CrailException cancelled;
    private volatile @Nullable Attempt attempt;
    private boolean urgent;
    private boolean impatient;
    private int busyAnswers;

    Call(
            Session session,
            Operation operation,
            Message message,
            boolean mutation,
            @Nullable ByteBuffer payload,
            int boundTo) {
        this.session = session;
        this.operation = operation;
        this.message = message;
        this.mutation = mutation;
        this.payload = payload;
        this.boundTo = boundTo;
        this.control = encoded(message);
    }

    private static byte[] encoded(Message message) {
        WireWriter writer = new WireWriter(message.sizeHint(), ProtocolLimits.MAX_CONTROL);
        message.encode(writer);
        byte[] bytes = writer.buffer().array();
        return writer.position() == bytes.length ? bytes : Arrays.copyOf(bytes, writer.position());
    }

    Operation operation() {
        return operation;
    }

    Message message() {
        return message;
    }

    boolean isMutation() {
        return mutation;
    }

    byte[] control() {
        return control;
    }

    @Nullable ByteBuffer payload() {
        return payload;
    }

    /** Incarnation of the session that the call depends on, or {@link #ANY_SESSION}. */
    int boundTo() {
        return boundTo;
    }

    CompletableFuture<Reply> future() {
        return future;
    }

    /** A call of the session itself, which need not wait for room. */
    boolean isUrgent() {
        return urgent;
    }

    Call urgent() {
        urgent = true;
        return this;
    }

    /** Whether {@code BUSY} is told instead of tried again. */
    boolean isImpatient() {
        return impatient;
    }

    Call impatient() {
        impatient = true;
        return this;
    }

    boolean isCancelled() {
        return cancelled != null;
    }

    void attempt(Attempt current) {
        attempt = current;
    }

    int countBusy() {
        return busyAnswers++;
    }

    /** Ends the call, on its strand. */
    void succeed(Reply reply) {
        operation.remove(this);
        operation.strand().execute(() -> future.complete(reply));
    }

    /** Ends the call, on its strand. */
    void fail(CrailException cause) {
        operation.remove(this);
        operation.strand().execute(() -> future.completeExceptionally(cause));
    }

    /**
     * Nobody waits any more. A mutation that was sent stays in the table until it is answered, so
     * that it is acknowledged and what it obtained is given back.
     */
    @Override
    public void cancel(CrailException cause) {
        cancelled = cause;
        session.abandoned(this, attempt);
        operation.strand().execute(() -> future.completeExceptionally(cause));
    }
}
