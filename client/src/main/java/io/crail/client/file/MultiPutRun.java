// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.file.Values.Item;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.MultiPut;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts many values into one table: small ones together in requests of bounded size, larger ones one
 * by one, a bounded number at a time. On the strand of its operation.
 *
 * <p>A request that is repeated after a lost answer is answered as it was at first. Entries that
 * the namenode had no room for at the moment are put again in a request of their own: they had no
 * effect before.
 */
final class MultiPutRun {
    /** Requests under way. */
    private static final int REQUESTS = 4;

    /** Larger values under way; each has a window of its own. */
    private static final int WRITES = 16;

    /** Bytes of keys and conditions in one request. */
    private static final int CONTROL_BYTES = 192 << 10;

    private static final int ENTRY_BYTES = 32;

    private static final long BUSY_PAUSE = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int MAX_BUSY_SHIFT = 6;

    /** Longest part of a key shown in a message. */
    private static final int SHOWN_KEY_BYTES = 32;

    /** The outcome of one entry: its version, or why it was not put. */
    record Outcome(long version, @Nullable CrailException failure) {}

    private final Operation operation;
    private final Session session;
    private final Values values;
    private final String path;
    private final List<Item> items;
    private final @Nullable Outcome[] outcomes;
    private final ArrayDeque<Integer> small = new ArrayDeque<>();
    private final ArrayDeque<Integer> large = new ArrayDeque<>();
    private final CompletableFuture<List<Outcome>> result = new CompletableFuture<>();
    private int requests;
    private int writes;
    private int open;
    private int busyAnswers;
    private boolean pausing;
    private @Nullable CrailException failure;

    MultiPutRun(
            Operation operation, Session session, Values values, String path, List<Item> items) {
        this.operation = operation;
        this.session = session;
        this.values = values;
        this.path = path;
        this.items = items;
        this.outcomes = new @Nullable Outcome[items.size()];
        this.open = items.size();
        for (int i = 0; i < items.size(); i++) {
            boolean fits = items.get(i).value().remaining() <= session.inlineLimit();
            (fits ? small : large).add(i);
        }
    }

    /** Yields an outcome for each item, in their order. */
    CompletableFuture<List<Outcome>> start() {
        pump();
        return result;
    }

    private void pump() {
        while (failure == null && writes < WRITES && !large.isEmpty()) {
            write(large.remove());
        }
        while (failure == null && !pausing && requests < REQUESTS && !small.isEmpty()) {
            ask();
        }
        if (failure != null) {
            // Not before nothing under way can touch the caller's buffers any more.
            if (requests == 0 && writes == 0) {
                result.completeExceptionally(failure);
            }
        } else if (open == 0) {
            result.complete(Arrays.stream(outcomes).map(Objects::requireNonNull).toList());
        }
    }

    private void fail(CrailException cause) {
        failure = failure == null ? cause : failure;
    }

    private void write(int index) {
        writes++;
        Item item = items.get(index);
        Outcomes.whenDone(
                values.put(operation, item.put(), item.value()),
                (version, cause) -> {
                    writes--;
                    CrailException cancelled = operation.cancelled();
                    if (cancelled != null) {
                        fail(cancelled);
                    } else if (cause != null && concernsTable(cause.code())) {
                        fail(cause);
                    } else {
                        done(index, new Outcome(cause == null ? version : 0, cause));
                    }
                    pump();
                });
    }

    /** Not this entry has failed, but all would: as small ones do, whose request fails. */
    private static boolean concernsTable(ErrorCode code) {
        return code == ErrorCode.NO_SUCH_NODE || code == ErrorCode.WRONG_NODE_TYPE;
    }

    private void ask() {
        int[] asked = new int[Math.min(MultiPut.MAX_ENTRIES, small.size())];
        List<MultiPut.Entry> entries = new ArrayList<>(asked.length);
        int control = 0;
        int bytes = 0;
        while (entries.size() < asked.length && control < CONTROL_BYTES) {
            Item item = items.get(small.element());
            int length = item.value().remaining();
            if (bytes + length > ProtocolLimits.MAX_PAYLOAD) {
                break;
            }
            asked[entries.size()] = small.remove();
            bytes += length;
            control += ENTRY_BYTES + item.put().key().length;
            entries.add(
                    new MultiPut.Entry(
                            item.put().key(),
                            item.put().condition(),
                            item.put().expectedVersion(),
                            item.put().lifetimeMillis(),
                            length));
        }
        int[] indexes = Arrays.copyOf(asked, entries.size());
        ByteBuffer payload = ByteBuffer.allocate(bytes);
        for (int index : indexes) {
            payload.put(items.get(index).value().duplicate());
        }
        send(indexes, new MultiPut.Request(items.get(indexes[0]).put().table(), entries), payload);
    }

    private void send(int[] indexes, MultiPut.Request request, ByteBuffer payload) {
        requests++;
        Outcomes.whenDone(
                session.call(operation, request, payload.flip(), 0),
                (reply, cause) -> {
                    requests--;
                    try {
                        if (cause != null) {
                            throw cause;
                        }
                        answered(indexes, reply);
                    } catch (CrailException e) {
                        fail(e);
                    }
                    pump();
                });
    }

    private void answered(int[] indexes, Reply reply) throws ProtocolException {
        List<MultiPut.Result> results = MultiPut.Reply.decode(reply.control()).results();
        if (results.size() != indexes.length) {
            throw new ProtocolException(
                    operation.what()
                            + ": "
                            + indexes.length
                            + " values were sent, "
                            + results.size()
                            + " answered");
        }
        for (int i = 0; i < indexes.length; i++) {
            MultiPut.Result answer = results.get(i);
            if (answer.status() == 0) {
                done(indexes[i], new Outcome(answer.version(), null));
            } else if (answer.status() == ErrorCode.BUSY.wire()
                    && operation.remainingNanos() > BUSY_PAUSE << MAX_BUSY_SHIFT) {
                small.add(indexes[i]);
                pause();
            } else {
                done(indexes[i], new Outcome(0, refused(indexes[i], answer)));
            }
        }
    }

    private void pause() {
        if (pausing) {
            return;
        }
        pausing = true;
        long nanos = BUSY_PAUSE << Math.min(MAX_BUSY_SHIFT, busyAnswers++);
        operation
                .engine()
                .schedule(
                        nanos,
                        () ->
                                operation
                                        .strand()
                                        .execute(
                                                () -> {
                                                    pausing = false;
                                                    goOn();
                                                }));
    }

    private void goOn() {
        CrailException cancelled = operation.cancelled();
        if (cancelled != null) {
            fail(cancelled);
        }
        pump();
    }

    private CrailException refused(int index, MultiPut.Result answer) {
        ErrorCode code = ErrorCode.ofWire(answer.status());
        String why =
                code == ErrorCode.CONDITION_FAILED
                        ? "the condition is not met: "
                                + (answer.version() == 0
                                        ? "the key has no value"
                                        : "its version is " + answer.version())
                        : "the namenode refused it with " + code + "; put it by itself to see why";
        return CrailException.of(
                code, "put " + name(items.get(index).put().key()) + " into " + path + ": " + why);
    }

    private static String name(byte[] key) {
        int shown = Math.min(SHOWN_KEY_BYTES, key.length);
        return "key 0x"
                + HexFormat.of().formatHex(key, 0, shown)
                + (shown < key.length ? "..." : "");
    }

    private void done(int index, Outcome outcome) {
        outcomes[index] = outcome;
        open--;
    }
}
