// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.data.BlockIo;
import io.crail.client.data.ExtentReader;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.client.view.HeldBlocks;
import io.crail.client.view.OpenViews;
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
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads and writes values of a TABLE, inline or in blocks. Thread-safe. */
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
    private final ValueStock stock;

    public Values(Engine engine, Session session, BlockIo io, ExtentReader reader) {
        this.engine = engine;
        this.session = session;
        this.io = io;
        this.reader = reader;
        this.stock = new ValueStock(engine, session);
    }

    /**
     * Puts a value; yields its version.
     *
     * @param put the call to be made, without value
     * @param value heap or direct; its position and limit stay where they are
     */
    public CompletableFuture<Long> put(Operation operation, Put.Request put, ByteBuffer value) {
        if (value.remaining() > session.inlineLimit()) {
            return new ValueWriter(engine, session, io, stock, operation, put, value).start();
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

    /** Gets many values: an outcome for each key, in their order. */
    public <T> CompletableFuture<List<T>> getMany(
            Operation operation,
            byte[] table,
            String path,
            List<byte[]> keys,
            BiFunction<Optional<Found>, Optional<CrailException>, T> outcome) {
        return new MultiGetRun(operation, session, this, table, path, keys)
                .start()
                .thenApply(
                        all ->
                                all.stream()
                                        .map(
                                                each ->
                                                        outcome.apply(
                                                                Optional.ofNullable(each.found()),
                                                                Optional.ofNullable(
                                                                        each.failure())))
                                        .toList());
    }

    /** A value to be put together with others: the put by itself, of form inline, and its bytes. */
    public record Item(Put.Request put, ByteBuffer value) {}

    /** Puts many values into one table: the version or the failure of each, in their order. */
    public <T> CompletableFuture<List<T>> putMany(
            Operation operation,
            String path,
            List<Item> items,
            BiFunction<Long, Optional<CrailException>, T> outcome) {
        return new MultiPutRun(operation, session, this, path, items)
                .start()
                .thenApply(
                        all ->
                                all.stream()
                                        .map(
                                                each ->
                                                        outcome.apply(
                                                                each.version(),
                                                                Optional.ofNullable(
                                                                        each.failure())))
                                        .toList());
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
                        Outcomes.pass(decoded(operation, get, table, target, reply), result);
                    }
                });
        return result;
    }

    private CompletableFuture<Optional<Found>> decoded(
            Operation operation, Get.Request get, String table, Target target, Reply reply) {
        try {
            Get.Reply value = Get.Reply.decode(reply.control());
            return found(operation, get, table, target, value, reply.payload());
        } catch (CrailException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Brings the bytes of a value that the namenode has told of. */
    CompletableFuture<Optional<Found>> found(
            Operation operation,
            Get.Request get,
            String table,
            Target target,
            Get.Reply value,
            @Nullable ByteBuffer payload) {
        try {
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
        ByteBuffer into = found.bytes().slice(found.bytes().position(), found.length());
        boolean checksums = (value.flags() & Get.CHECKSUMS) != 0;
        return andAgain(
                operation,
                read(
                        operation,
                        RangeRead.into(operation, reader, table, checksums, 0, into),
                        table,
                        value),
                () -> get(operation, get, table, target),
                Optional.of(found));
    }

    private CompletableFuture<Void> read(
            Operation operation, RangeRead.Piecewise pieces, String table, Get.Reply value) {
        ExtentMap extents = new ExtentMap();
        extents.add(value.extents());
        return new RangeRead(
                        operation,
                        pieces,
                        extents,
                        (step, offset) -> fetch(step, value.node(), offset),
                        table,
                        0,
                        value.length())
                .start();
    }

    /** If the value was replaced or removed while it was read: sees what is there now. */
    private <T> CompletableFuture<T> andAgain(
            Operation operation,
            CompletableFuture<?> reading,
            Supplier<CompletableFuture<T>> again,
            T outcome) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Outcomes.whenDone(
                reading,
                (done, cause) -> {
                    if (cause == null) {
                        result.complete(outcome);
                    } else if (cause.code() == ErrorCode.NO_SUCH_NODE
                            && operation.remainingNanos() > AGAIN_PAUSE) {
                        Runnable retry = () -> Outcomes.pass(again.get(), result);
                        engine.schedule(AGAIN_PAUSE, () -> operation.strand().execute(retry));
                    } else {
                        result.completeExceptionally(cause);
                    }
                });
        return result;
    }

    /** Holds a value to be looked at; the result, if there is one, belongs to the caller. */
    public CompletableFuture<Optional<HeldBlocks>> view(
            Operation operation, OpenViews views, Get.Request get, String table) {
        CompletableFuture<Optional<HeldBlocks>> result = new CompletableFuture<>();
        Outcomes.whenDone(
                session.call(operation, get),
                (reply, cause) -> {
                    if (cause != null) {
                        result.completeExceptionally(cause);
                    } else {
                        Outcomes.pass(held(operation, views, get, table, reply), result);
                    }
                });
        return result;
    }

    private CompletableFuture<Optional<HeldBlocks>> held(
            Operation operation, OpenViews views, Get.Request get, String table, Reply reply) {
        try {
            Get.Reply value = Get.Reply.decode(reply.control());
            if (value.form() == Get.ABSENT) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            HeldBlocks held = views.begin();
            if (value.form() == Get.INLINE) {
                ByteBuffer payload = reply.payload();
                if (payload != null && payload.hasRemaining()) {
                    ByteBuffer copy = ByteBuffer.allocate(payload.remaining());
                    held.add(0, copy.put(payload.duplicate()).flip(), null);
                }
                return CompletableFuture.completedFuture(Optional.of(held));
            }
            boolean checksums = (value.flags() & Get.CHECKSUMS) != 0;
            RangeView pieces = new RangeView(operation, reader, table, checksums, held, null);
            return andAgain(
                    operation,
                    RangeView.complete(operation, held, read(operation, pieces, table, value)),
                    () -> view(operation, views, get, table),
                    Optional.of(held));
        } catch (CrailException e) {
            return CompletableFuture.failedFuture(e);
        }
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
