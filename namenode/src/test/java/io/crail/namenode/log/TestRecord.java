// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.protocol.frame.WireReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A record of tests, and the ways to write and to collect them. */
record TestRecord(long sequence, int type, long session, long requestId, String body) {
    /** The record of a sequence: every field differs from that of other sequences. */
    static TestRecord of(long sequence) {
        Random random = new Random(sequence);
        String body = "body " + sequence + "x".repeat(random.nextInt(40));
        return new TestRecord(
                sequence, (int) (sequence % 7), random.nextLong(), random.nextLong(), body);
    }

    static List<TestRecord> range(long from, long to) {
        List<TestRecord> records = new ArrayList<>();
        for (long sequence = from; sequence <= to; sequence++) {
            records.add(of(sequence));
        }
        return records;
    }

    static void append(LogWriter writer, long from, long to) throws IOException {
        for (TestRecord each : range(from, to)) {
            writer.begin(each.type(), each.session(), each.requestId()).string(each.body());
            if (writer.end() != each.sequence()) {
                throw new AssertionError("sequence " + writer.position() + " for " + each);
            }
        }
    }

    /** A visitor that adds what it is given to {@code records}. */
    static LogVisitor into(List<TestRecord> records) {
        return (sequence, type, session, requestId, body) ->
                records.add(new TestRecord(sequence, type, session, requestId, bodyOf(body)));
    }

    private static String bodyOf(WireReader body) throws IOException {
        int length = body.u16();
        String text = new String(body.raw(length), StandardCharsets.UTF_8);
        if (body.remaining() > 0) {
            throw new AssertionError("bytes behind the body");
        }
        return text;
    }
}
