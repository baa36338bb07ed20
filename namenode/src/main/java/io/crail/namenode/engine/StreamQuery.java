// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.rpc.Connection;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.StreamNode;
import io.crail.namenode.tree.StreamRun;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.message.StreamExtents;
import io.crail.protocol.stream.RecordFrame;
import java.nio.ByteBuffer;

/**
 * What a reader of a stream asks, and the answer to it.
 *
 * @param session that asks; references are sealed for it
 * @param wanted what it asks
 */
record StreamQuery(long session, StreamExtents.Request wanted) {
    private static final int MAX_RUNS = 1024;
    private static final int MAX_INLINE = 256 << 10;

    /** The part of the stream that an answer shows. */
    private record Window(int firstRun, int runs, int firstBlock, int blocks) {}

    void answer(State state, StreamNode stream, WireWriter reply, Connection connection) {
        stream.encodeStatus(reply);
        reply.i64(stream.first()).i64(stream.next());
        Window window = window(stream);
        if (window.blocks > 0) {
            state.tree().useClock().used(stream);
        }
        reply.u16(window.runs).u16(StreamExtents.RUN_SIZE);
        for (int i = window.firstRun; i < window.firstRun + window.runs; i++) {
            run(state, stream.run(i), reply);
        }
        state.references()
                .extents(reply, session, stream.extents(), window.firstBlock, window.blocks);
        boolean payload = false;
        for (int i = window.firstRun; i < window.firstRun + window.runs; i++) {
            StreamRun run = stream.run(i);
            if (run.isInline()) {
                if (!payload) {
                    connection.beginPayload();
                    payload = true;
                }
                reply.raw(frames(state, run));
            }
        }
    }

    private Window window(StreamNode stream) {
        int first = stream.find(wanted.offset());
        if (wanted.limit() == 0 || wanted.offset() < stream.first() || first == stream.runs()) {
            return new Window(0, 0, 0, 0);
        }
        int limit = Math.min(wanted.limit(), ProtocolLimits.MAX_REFERENCES);
        int inline = Math.min(wanted.inlineBytes(), MAX_INLINE);
        int runs = 0;
        int blocks = 0;
        int skipped = Math.min(wanted.skippedBlocks(), stream.run(first).blocks());
        int firstBlock = -1;
        for (int i = first; i < stream.runs() && runs < MAX_RUNS && blocks < limit; i++) {
            StreamRun run = stream.run(i);
            if (run.isInline()) {
                if (runs > 0 && run.bytes() > inline) {
                    break;
                }
                inline -= run.bytes();
            } else {
                if (firstBlock < 0) {
                    firstBlock = stream.extents().find(run.position());
                }
                blocks += run.blocks() - (runs == 0 ? skipped : 0);
            }
            runs++;
        }
        int from = Math.max(0, firstBlock) + (stream.run(first).isInline() ? 0 : skipped);
        return new Window(first, runs, from, Math.min(blocks, limit));
    }

    private void run(State state, StreamRun run, WireWriter reply) {
        if (run.isInline() && wanted.offset() > run.first()) {
            int bytes = frames(state, run).remaining();
            reply.i64(wanted.offset()).i64(run.position() + run.bytes() - bytes);
            reply.i32((int) (run.end() - wanted.offset())).i32(bytes).i32(0);
        } else {
            reply.i64(run.first()).i64(run.position());
            reply.i32(run.records()).i32(run.bytes()).i32(run.blocks());
        }
    }

    /** Inline frames from the record wanted on. */
    private ByteBuffer frames(State state, StreamRun run) {
        ByteBuffer frames = state.inline().view(run.handle());
        int skip = (int) Math.max(0, wanted.offset() - run.first());
        return frames.position(RecordFrame.skip(frames, frames.position(), frames.limit(), skip));
    }
}
