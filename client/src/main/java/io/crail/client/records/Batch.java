// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.records;

import io.crail.client.engine.Operation;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.stream.RecordFrame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records that are appended together: frames put together in a heap buffer, or one large record
 * whose bytes stay in the application's buffer until the batch is done. On the appender's strand.
 */
final class Batch {
    /** A batch of several records is at most so large: one block. */
    static final int MAX_BYTES = 1 << 20;

    enum State {
        /** Waits for its turn to be written or committed. */
        QUEUED,
        /** Its blocks are being asked for or written. */
        WRITING,
        /** Lies in blocks and waits to be committed. */
        WRITTEN,
        COMMITTING,
        DONE
    }

    final Operation operation;
    private final List<Acknowledgement> acks = new ArrayList<>();
    private final List<Runnable> listeners = new ArrayList<>();
    final List<BlockReference> blocks = new ArrayList<>();
    final List<CommittedExtent> extents = new ArrayList<>();
    private ByteBuffer frames;
    private @Nullable ByteBuffer large;
    State state = State.QUEUED;

    /** Too large, or refused, for travelling with the call. */
    boolean needsBlocks;

    long covered;
    int nextBlock;
    int underWay;
    int tries;
    int incarnation;
    @Nullable CrailException failure;

    Batch(Operation operation, int initialBytes) {
        this.operation = operation;
        this.frames = ByteBuffer.allocate(initialBytes);
    }

    int records() {
        return acks.size();
    }

    int bytes() {
        ByteBuffer record = large;
        return frames.position() + (record == null ? 0 : record.remaining());
    }

    boolean takes(int length) {
        return large == null && frames.position() + RecordFrame.HEADER + length <= MAX_BYTES;
    }

    /** Copies a record's frame. */
    void add(ByteBuffer record, Acknowledgement ack) {
        int needed = frames.position() + RecordFrame.HEADER + record.remaining();
        if (needed > frames.capacity()) {
            int larger = Math.min(MAX_BYTES, Math.max(needed, 2 * frames.capacity()));
            frames = ByteBuffer.allocate(larger).put(frames.flip());
        }
        RecordFrame.putHeader(frames, record.remaining(), RecordFrame.crc(record));
        frames.put(record.duplicate());
        acks.add(ack);
    }

    /** Takes one large record, which is copied piece by piece when it is written. */
    void addLarge(ByteBuffer record, Acknowledgement ack) {
        assert acks.isEmpty();
        RecordFrame.putHeader(frames, record.remaining(), RecordFrame.crc(record));
        large = record.duplicate();
        acks.add(ack);
    }

    /** Calls the listener when the batch is done, on the strand. */
    void onDone(Runnable listener) {
        listeners.add(listener);
    }

    void flushed() {
        listeners.forEach(Runnable::run);
    }

    void acknowledge(long offset, @Nullable CrailException cause) {
        for (int i = 0; i < acks.size(); i++) {
            acks.get(i).done(cause == null ? offset + i : -1, cause);
        }
    }

    /** The frames, to travel with the call. */
    ByteBuffer inline() {
        return frames.duplicate().flip();
    }

    /** Fills {@code target} with the bytes of all frames from a position on. */
    void copy(int from, ByteBuffer target) {
        int head = frames.position();
        if (from < head) {
            int length = Math.min(head - from, target.remaining());
            target.put(frames.duplicate().flip().slice(from, length));
        }
        ByteBuffer record = large;
        if (record != null && target.hasRemaining()) {
            int at = record.position() + Math.max(0, from - head);
            target.put(record.slice(at, target.remaining()));
        }
    }
}
