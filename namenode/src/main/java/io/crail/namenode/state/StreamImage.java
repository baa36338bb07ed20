// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.state;

import io.crail.error.ProtocolException;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.ExtentList;
import io.crail.namenode.tree.Retention;
import io.crail.namenode.tree.StreamNode;
import io.crail.namenode.tree.StreamRun;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;

/** A STREAM in a snapshot: a record of its own, and behind it one for each run. */
final class StreamImage {
    private StreamImage() {}

    /** Writes a stream, behind the head that all nodes have. */
    static void encode(State state, SnapshotSink sink, WireWriter head, StreamNode stream) {
        stream.retention().encode(head);
        head.i64(stream.createdMillis()).i64(stream.first()).i64(stream.next()).i64(stream.end());
        sink.end();
        int block = 0;
        for (int i = 0; i < stream.runs(); i++) {
            StreamRun run = stream.run(i);
            if (run.isInline()) {
                head(sink.begin(SnapshotRecord.STREAM_INLINE), run)
                        .raw(state.inline().view(run.handle()));
            } else {
                WireWriter writer = head(sink.begin(SnapshotRecord.STREAM_BLOCKS), run);
                stream.extents().encode(writer, block, block + run.blocks());
                block += run.blocks();
            }
            sink.end();
        }
    }

    private static WireWriter head(WireWriter writer, StreamRun run) {
        return writer.i64(run.first()).i64(run.position()).i32(run.records()).i64(run.time());
    }

    static StreamNode decode(
            Tree tree, long id, Attributes attributes, long modified, WireReader reader)
            throws ProtocolException {
        Retention retention = Retention.decode(reader);
        long created = reader.i64();
        StreamNode stream = tree.newStream(id, attributes, retention, created, modified);
        tree.streams().restore(stream, reader.i64(), reader.i64(), reader.i64());
        return stream;
    }

    /** Adds a run to the stream that came before. */
    static void decodeRun(State state, StreamNode stream, boolean inline, WireReader reader)
            throws ProtocolException {
        long first = reader.i64();
        long position = reader.i64();
        int records = reader.length32();
        long time = reader.i64();
        Tree tree = state.tree();
        if (inline) {
            long handle = state.allocateInline(reader.view(reader.remaining()));
            tree.streams().restoreInline(stream, first, position, records, handle, time);
        } else {
            ExtentList list = new ExtentList();
            list.decode(reader);
            tree.streams().restoreBlocks(stream, first, position, records, list, time);
        }
    }
}
