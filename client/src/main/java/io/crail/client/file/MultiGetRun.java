// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.file;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.file.Values.Found;
import io.crail.client.rpc.Reply;
import io.crail.client.rpc.Session;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.MultiGet;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gets many values of one table: several requests of bounded size at a time, and the blocks of
 * larger values, a bounded number of values at a time. On the strand of its operation.
 */
final class MultiGetRun {
    /** Requests under way. */
    private static final int REQUESTS = 4;

    /** Values in blocks being read; each has a window of its own. */
    private static final int READS = 16;

    /** Values in blocks whose references are held; beyond, no further request is made. */
    private static final int MAX_WAITING = 4 * MultiGet.MAX_EXTENTS;

    /** Bytes of keys in one request. */
    private static final int KEY_BYTES = 192 << 10;

    /** The outcome of one key: neither means that it has no value. */
    record Outcome(@Nullable Found found, @Nullable CrailException failure) {}

    private record Waiting(int index, MultiGet.Result value) {}

    private final Operation operation;
    private final Session session;
    private final Values values;
    private final byte[] table;
    private final String path;
    private final List<byte[]> keys;
    private final @Nullable Outcome[] outcomes;
    private final ArrayDeque<Integer> toAsk = new ArrayDeque<>();
    private final ArrayDeque<Waiting> toRead = new ArrayDeque<>();
    private final CompletableFuture<List<Outcome>> result = new CompletableFuture<>();
    private int requests;
    private int reads;
    private int open;

    MultiGetRun(
            Operation operation,
            Session session,
            Values values,
            byte[] table,
            String path,
            List<byte[]> keys) {
        this.operation = operation;
        this.session = session;
        this.values = values;
        this.table = table;
        this.path = path;
        this.keys = keys;
        this.outcomes = new @Nullable Outcome[keys.size()];
        this.open = keys.size();
        for (int i = 0; i < keys.size(); i++) {
            toAsk.add(i);
        }
    }

    /** Yields an outcome for each key, in their order. */
    CompletableFuture<List<Outcome>> start() {
        pump();
        return result;
    }

    private void pump() {
        while (!result.isDone() && reads < READS && !toRead.isEmpty()) {
            read(toRead.remove());
        }
        while (!result.isDone()
                && requests < REQUESTS
                && !toAsk.isEmpty()
                && toRead.size() < MAX_WAITING) {
            ask();
        }
        if (open == 0 && !result.isDone()) {
            List<Outcome> all = new ArrayList<>(outcomes.length);
            for (Outcome outcome : outcomes) {
                all.add(outcome == null ? new Outcome(null, null) : outcome);
            }
            result.complete(all);
        }
    }

    private void ask() {
        int[] asked = new int[Math.min(MultiGet.MAX_KEYS, toAsk.size())];
        List<MultiGet.Key> list = new ArrayList<>(asked.length);
        int bytes = 0;
        while (list.size() < asked.length && bytes < KEY_BYTES) {
            asked[list.size()] = toAsk.remove();
            byte[] key = keys.get(asked[list.size()]);
            bytes += key.length;
            list.add(new MultiGet.Key(key));
        }
        int[] indexes = Arrays.copyOf(asked, list.size());
        requests++;
        Outcomes.whenDone(
                session.call(operation, new MultiGet.Request(table, list, 0)),
                (reply, cause) -> {
                    requests--;
                    CrailException failure = cause;
                    if (failure == null) {
                        try {
                            answered(indexes, reply);
                        } catch (CrailException e) {
                            failure = e;
                        }
                    }
                    if (failure != null) {
                        result.completeExceptionally(failure);
                    }
                    pump();
                });
    }

    private void answered(int[] indexes, Reply reply) throws ProtocolException {
        List<MultiGet.Result> results = MultiGet.Reply.decode(reply.control()).results();
        if (results.size() != indexes.length) {
            throw new ProtocolException(
                    operation.what()
                            + ": "
                            + indexes.length
                            + " keys were asked for, "
                            + results.size()
                            + " answered");
        }
        ByteBuffer payload = reply.payload();
        for (int i = 0; i < indexes.length; i++) {
            MultiGet.Result value = results.get(i);
            switch (value.form()) {
                case Get.ABSENT -> done(indexes[i], new Outcome(null, null));
                case Get.INLINE -> done(indexes[i], inline(value, payload));
                case Get.EXTENTS -> toRead.add(new Waiting(indexes[i], value));
                case MultiGet.LATER -> toAsk.add(indexes[i]);
                default ->
                        throw new ProtocolException(
                                operation.what() + ": value of unknown form " + value.form());
            }
        }
    }

    private Outcome inline(MultiGet.Result value, @Nullable ByteBuffer payload)
            throws ProtocolException {
        int there = payload == null ? 0 : payload.remaining();
        if (value.length() > there) {
            throw new ProtocolException(
                    operation.what()
                            + ": a value of "
                            + value.length()
                            + " bytes in an answer with "
                            + there);
        }
        byte[] bytes = new byte[(int) value.length()];
        if (payload != null) {
            payload.get(bytes);
        }
        return new Outcome(
                new Found(
                        value.version(),
                        value.modifiedMillis(),
                        value.remainingMillis(),
                        bytes.length,
                        ByteBuffer.wrap(bytes)),
                null);
    }

    private void read(Waiting waiting) {
        reads++;
        MultiGet.Result value = waiting.value;
        Get.Reply single =
                new Get.Reply(
                        value.node(),
                        value.version(),
                        value.length(),
                        value.modifiedMillis(),
                        value.form(),
                        value.flags(),
                        value.extents(),
                        value.remainingMillis());
        Get.Request again = new Get.Request(table, keys.get(waiting.index), 0);
        Outcomes.whenDone(
                values.found(operation, again, path, ByteBuffer::allocate, single, null),
                (Optional<Found> found, @Nullable CrailException cause) -> {
                    reads--;
                    CrailException cancelled = operation.cancelled();
                    if (cancelled != null) {
                        result.completeExceptionally(cancelled);
                    } else {
                        done(
                                waiting.index,
                                cause == null
                                        ? new Outcome(found.orElse(null), null)
                                        : new Outcome(null, cause));
                    }
                    pump();
                });
    }

    private void done(int index, Outcome outcome) {
        outcomes[index] = outcome;
        open--;
    }
}
