// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.BlockIo;
import io.crail.client.data.ExtentReader;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.Put;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Reads and writes values of a TABLE, inline or in blocks. Thread-safe, stateless. */
public final class Values {
    private static final long AGAIN_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);

    /** A value as found. */
    public record Found(
            long version,
            long modifiedMillis,
            long remainingMillis,
            int length,
            ByteBuffer bytes) {}

    /** Gives the buffer for a value of a length; it is filled from its position. */
    @FunctionalInterface
    public interface Target {
        ByteBuffer of(int length) throws CrailException;
    }

    private final Engine engine;
    private final Session session;
    private final BlockIo io;
    private final ExtentReader reader;

    public Values(Engine engine, Session session, BlockIo io, ExtentReader reader) {
        this.engine = engine;
        this.session = session;
        this.io = io;
        this.reader = reader;
    }

    /**
     * Puts a value; yields its version.
     *
     * @param put the call to be made, without value
     * @param value heap or direct; its position and limit stay where they are
     */
    public CompletableFuture<Long> put(Operation operation, Put.Request put, ByteBuffer value) {
        if (value.remaining() > session.inlineLimit()) {
            return new ValueWriter(engine, session, io, operation, put, value).start();
        }
        ByteBuffer copy = ByteBuffer.allocate(value.remaining());
        copy.put(value.duplicate()).flip();
        return session.call(operation, put, copy, 0)
                .thenApply(
                        reply -> {
                            try {
                                return Put.Reply.decode(reply.control()).version();
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }

    /** Gets a value. If it is replaced while it is read, the new one is got. */
    public CompletableFuture<Optional<Found>> get(
            Operation operation, Get.Request get, String table, Target target) {
        CompletableFuture<Optional<Found>> result = new CompletableFuture<>();
        Outcomes.whenDone(
                session.call(operation, get),
                (reply, cause) -> {
                    if (cause != null) {
                        result.completeExceptionally(cause);
                    } else {
                        Outcomes.pass(found(operation, get, table, target, reply), result);
                    }
                });
        return result;
    }

    private CompletableFuture<Optional<Found>> found(
            Operation operation, Get.Request get, String table, Target target, Reply reply) {
        try {
            Get.Reply value = Get.Reply.decode(reply.control());
            if (value.form() == Get.ABSENT) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            if (value.length() > Integer.MAX_VALUE - 8) {
                throw new InvalidArgumentException(
                        operation.what() + ": the value has " + value.length() + " bytes");
            }
            ByteBuffer into = target.of((int) value.length());
            Found found =
                    new Found(
                            value.version(),
                            value.modifiedMillis(),
                            value.remainingMillis(),
                            (int) value.length(),
                            into);
            if (value.form() == Get.INLINE) {
                ByteBuffer payload = reply.payload();
                if (payload != null) {
                    into.duplicate().put(payload);
                }
                return CompletableFuture.completedFuture(Optional.of(found));
            }
            return blocks(operation, get, table, target, value, found);
        } catch (CrailException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletableFuture<Optional<Found>> blocks(
            Operation operation,
            Get.Request get,
            String table,
            Target target,
            Get.Reply value,
            Found found) {
        CompletableFuture<Optional<Found>> result = new CompletableFuture<>();
        ExtentMap extents = new ExtentMap();
        extents.add(value.extents());
        ByteBuffer into = found.bytes();
        Outcomes.whenDone(
                new RangeRead(
                                operation,
                                reader,
                                extents,
                                (step, offset) -> fetch(step, value.node(), offset),
                                table,
                                (value.flags() & Get.CHECKSUMS) != 0,
                                0,
                                into.slice(into.position(), found.length()))
                        .start(),
                (done, cause) -> {
                    if (cause == null) {
                        result.complete(Optional.of(found));
                    } else if (cause.code() == ErrorCode.NO_SUCH_NODE
                            && operation.remainingNanos() > AGAIN_PAUSE) {
                        // Replaced or removed meanwhile: see what is there now.
                        engine.schedule(
                                AGAIN_PAUSE,
                                () ->
                                        operation
                                                .strand()
                                                .execute(
                                                        () ->
                                                                Outcomes.pass(
                                                                        get(
                                                                                operation, get,
                                                                                table, target),
                                                                        result)));
                    } else {
                        result.completeExceptionally(cause);
                    }
                });
        return result;
    }

    private CompletableFuture<List<Extent>> fetch(Operation operation, long node, long offset) {
        return session.call(
                        operation,
                        new GetExtents.Request(node, 0, offset, ProtocolLimits.MAX_REFERENCES))
                .thenApply(
                        reply -> {
                            try {
                                return GetExtents.Reply.decode(reply.control()).extents();
                            } catch (CrailException e) {
                                throw new CompletionException(e);
                            }
                        });
    }
}
