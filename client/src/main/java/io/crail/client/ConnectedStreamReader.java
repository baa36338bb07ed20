// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.records.RecordReader;
import io.crail.client.records.StreamTarget;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A reader of a stream of a connected client. */
final class ConnectedStreamReader implements StreamReader {
    private final Caller caller;
    private final StreamTarget target;
    private final RecordReader reader;

    ConnectedStreamReader(Caller caller, StreamTarget target, RecordReader reader) {
        this.caller = caller;
        this.target = target;
        this.reader = reader;
    }

    @Override
    public long position() {
        reader.strand().enter();
        try {
            return reader.position();
        } finally {
            reader.strand().exit();
        }
    }

    @Override
    public void seek(long offset) {
        reader.strand().enter();
        try {
            reader.seek(Math.max(0, offset));
        } finally {
            reader.strand().exit();
        }
    }

    @Override
    public List<StreamRecord> poll(int maxRecords, Duration wait) throws CrailException {
        check(maxRecords);
        return waiting(wait)
                .call(what(), reader.strand(), op -> poll(op, maxRecords, wait.toNanos()));
    }

    @Override
    public CrailFuture<List<StreamRecord>> pollAsync(int maxRecords, Duration wait) {
        return waiting(wait)
                .begin(
                        what(),
                        op -> {
                            check(maxRecords);
                            CompletableFuture<List<StreamRecord>> result =
                                    new CompletableFuture<>();
                            reader.strand()
                                    .execute(
                                            () ->
                                                    Outcomes.pass(
                                                            poll(op, maxRecords, wait.toNanos()),
                                                            result));
                            return result;
                        });
    }

    private Caller waiting(Duration wait) {
        return caller.withTimeout(caller.timeoutNanos() + Math.max(0, wait.toNanos()));
    }

    private String what() {
        return "read " + target.path();
    }

    private static void check(int maxRecords) throws InvalidArgumentException {
        if (maxRecords < 1) {
            throw new InvalidArgumentException("a poll for " + maxRecords + " records");
        }
    }

    private CompletableFuture<List<StreamRecord>> poll(
            Operation operation, int maxRecords, long waitNanos) {
        CompletableFuture<List<RecordReader.Found>> found =
                reader.poll(maxRecords, Math.max(0, waitNanos));
        operation.add(cause -> found.completeExceptionally(cause));
        return found.thenApply(
                records ->
                        records.stream()
                                .map(record -> new StreamRecord(record.offset(), record.bytes()))
                                .toList());
    }

    @Override
    public void close() {
        reader.strand().enter();
        try {
            reader.close();
        } finally {
            reader.strand().exit();
        }
    }
}
