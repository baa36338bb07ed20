// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.model;

import io.crail.client.CrailFuture;
import io.crail.client.CrailStream;
import io.crail.client.StreamInfo;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.error.ErrorCode;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.protocol.node.NodeType;
import io.crail.system.model.StoreModel.Node;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Appending to streams, inline and in blocks, reading and trimming them. */
final class StreamOperations {
    private static final int MAX_BATCH = 20;
    private static final int INLINE_RUN = 8 << 10;
    private static final Duration WAIT = Duration.ofSeconds(20);

    private final ModelRun run;

    StreamOperations(ModelRun run) {
        this.run = run;
    }

    private List<byte[]> records() {
        List<byte[]> records = new ArrayList<>();
        boolean small = run.random.nextInt(3) > 0;
        int count = run.isFull() ? 1 : 1 + run.random.nextInt(small ? MAX_BATCH : 4);
        for (int i = 0; i < count; i++) {
            byte[] bytes = run.contentOfFile();
            records.add(small ? Arrays.copyOf(bytes, run.random.nextInt(200)) : bytes);
        }
        return records;
    }

    void append() throws Exception {
        String path = run.path(NodeType.STREAM);
        List<byte[]> records = records();
        boolean waiting = run.random.nextBoolean();
        List<Long> offsets = new ArrayList<>();
        StreamInfo[] info = new StreamInfo[1];
        if (run.change(
                "append to " + path,
                run.model.check(path, NodeType.STREAM),
                () -> {
                    try (CrailStream stream = run.client().stream(path)) {
                        if (waiting) {
                            for (byte[] each : records) {
                                offsets.add(stream.append(each));
                            }
                        } else {
                            appendTogether(stream, records, offsets);
                        }
                        info[0] = stream.info();
                    }
                })) {
            Node stream = Objects.requireNonNull(run.model.find(path));
            for (int i = 0; i < offsets.size(); i++) {
                run.require(
                        offsets.get(i) == stream.next() + i,
                        path + " has record " + offsets.get(i) + ", not " + stream.next());
            }
            stream.records.addAll(records);
            retained(path, stream, info[0], records.size());
        }
    }

    private static void appendTogether(CrailStream stream, List<byte[]> records, List<Long> offsets)
            throws Exception {
        List<CrailFuture<Long>> appended = new ArrayList<>();
        for (byte[] each : records) {
            appended.add(stream.appendAsync(ByteBuffer.wrap(each)));
        }
        stream.flush();
        appended.forEach(each -> offsets.add(each.join()));
    }

    /** Retention takes whole runs; which records are in one is the namenode's affair. */
    private void retained(String path, Node stream, StreamInfo info, int batch) {
        run.require(
                info.next() == stream.next()
                        && info.first() >= stream.first
                        && info.first() < info.next(),
                path + " holds " + info + ", not all of " + stream.first + ".." + stream.next());
        if (stream.maxRecords == 0) {
            run.require(info.first() == stream.first, path + " lost records: " + info);
        } else {
            run.require(
                    info.records() <= Math.max(stream.maxRecords, batch)
                            || info.bytes() <= INLINE_RUN,
                    path + " keeps " + info + " of " + stream.maxRecords);
            run.require(
                    stream.next() - stream.first > stream.maxRecords
                            || info.first() == stream.first,
                    path + " lost records below its limit: " + info);
        }
        stream.trimTo(info.first());
    }

    void trim() throws Exception {
        String path = run.path(NodeType.STREAM);
        Node stream = run.model.find(path);
        ErrorCode expected = run.model.check(path, NodeType.STREAM);
        long offset = 0;
        if (expected == null && stream != null) {
            offset = Math.max(0, stream.first - 2 + run.random.nextInt(stream.records.size() + 4));
            expected = offset > stream.next() ? ErrorCode.OFFSET_OUT_OF_RANGE : null;
        }
        long until = offset;
        long[] first = new long[1];
        if (run.change(
                "trim " + path + " to " + until,
                expected,
                () -> {
                    try (CrailStream open = run.client().stream(path)) {
                        first[0] = open.trim(until);
                    }
                })) {
            Node trimmed = Objects.requireNonNull(stream);
            trimmed.trimTo(Math.max(trimmed.first, until));
            run.require(first[0] == trimmed.first, path + " begins at " + first[0]);
        }
    }

    void read() throws Exception {
        String path = run.path(NodeType.STREAM);
        run.change(
                "read " + path,
                run.model.check(path, NodeType.STREAM),
                () -> {
                    try (CrailStream open = run.client().stream(path)) {
                        Node stream = Objects.requireNonNull(run.model.find(path));
                        int from = run.random.nextInt(stream.records.size() + 1);
                        same(open, stream, stream.first + from);
                        if (stream.first > 0) {
                            isGone(open, stream);
                        }
                    }
                });
    }

    /** Every record from an offset on. */
    void same(CrailStream open, Node stream, long from) throws Exception {
        StreamInfo info = open.info();
        run.require(
                info.first() == stream.first && info.next() == stream.next(),
                open.path() + " holds " + info);
        try (StreamReader reader = open.reader(from)) {
            long offset = from;
            while (offset < stream.next()) {
                List<StreamRecord> records = reader.poll(1 + run.random.nextInt(50), WAIT);
                run.require(!records.isEmpty(), open.path() + " yields no record " + offset);
                for (StreamRecord record : records) {
                    byte[] expected = stream.records.get((int) (offset - stream.first));
                    run.require(
                            record.offset() == offset && Arrays.equals(record.toArray(), expected),
                            open.path() + ": record " + offset + " differs");
                    offset++;
                }
            }
            run.require(reader.poll(1, Duration.ZERO).isEmpty(), open.path() + " holds one more");
        }
    }

    private void isGone(CrailStream open, Node stream) throws Exception {
        try (StreamReader reader = open.reader(stream.first - 1)) {
            reader.poll(1, WAIT);
            throw run.differs(open.path() + " holds a record that was removed");
        } catch (OffsetOutOfRangeException e) {
            run.require(
                    e.firstValid().orElse(-1) == stream.first,
                    open.path() + " says " + e.getMessage());
        }
    }
}
