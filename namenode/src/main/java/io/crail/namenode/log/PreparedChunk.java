// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A range of the log file that is filled with zeros and mapped before the writer gets there.
 *
 * <p><b>Why late zeros never meet records.</b> One thread prepares, in small steps: it holds this
 * object's monitor during each, and begins none once {@link #stopped} is set. The writer calls
 * {@link #take} before it stores or writes a byte of the range: that sets the flag, then enters the
 * monitor. So it waits for the step that is under way, if there is one, and behind that no zero is
 * written here any more, neither by a write nor into the mapping. Since the flag is set outside the
 * monitor, the preparing thread cannot go on to another step however the monitor is granted. The
 * wait is that for {@value #STEP} bytes of the same file, for which a write of the writer's own
 * would have to wait as well, since file systems let one write at a time into a file.
 */
final class PreparedChunk {
    static final int SIZE = 2 << 20;
    static final int STEP = 16 << 10;
    static final int PAGE = 4 << 10;

    /**
     * What is zeroed before a writer that shares the core has its turn. Less than that made it wait
     * no shorter than pages take, but a busy one was through before the chunk was ready.
     */
    private static final int TURN = 128 << 10;

    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(STEP).asReadOnlyBuffer();

    private final MetadataFile file;
    private final long start;

    /** Set by the writer, before it enters the monitor. */
    private volatile boolean stopped;

    /** Why there is no window and will be none here. Guarded by this. */
    private boolean failed;

    /** Set when all of the range is zeroed and mapped. Guarded by this. */
    private @Nullable ByteBuffer window;

    /** {@code start} is a multiple of {@link #PAGE} behind everything that is written. */
    PreparedChunk(MetadataFile file, long start) {
        this.file = file;
        this.start = start;
    }

    long start() {
        return start;
    }

    long end() {
        return start + SIZE;
    }

    MetadataFile file() {
        return file;
    }

    /**
     * Makes the window, unless it is taken meanwhile. Called once, by the preparing thread.
     *
     * <p>Zeros are written, not skipped over, so that the range has its space on the disk: a disk
     * that is full shows here as an exception and not as a fault at a store. Then each page is
     * stored to through the mapping, so that the writer's first store finds it writable.
     */
    @SuppressWarnings("ThreadPriorityCheck") // a courtesy: nothing relies on it
    void prepare() throws IOException {
        for (int at = 0; at < SIZE; at += STEP) {
            if (!zero(at)) {
                return;
            }
            if ((at + STEP) % TURN == 0) {
                Thread.yield();
            }
        }
        ByteBuffer mapped = map();
        if (mapped == null) {
            return;
        }
        for (int at = 0; at < SIZE; at += STEP) {
            if (!touch(mapped, at)) {
                return;
            }
        }
        publish(mapped);
    }

    /** The preparing thread has given up. */
    synchronized void fail() {
        failed = true;
    }

    /**
     * Hands the range over to the writer: nothing is written to it behind this call but by the
     * caller. Returns the window, whose index 0 is {@link #start}, or null if it is not ready.
     */
    @Nullable ByteBuffer take() {
        stopped = true;
        synchronized (this) {
            return window;
        }
    }

    synchronized boolean hasFailed() {
        return failed;
    }

    synchronized boolean isReady() {
        return window != null;
    }

    private synchronized boolean zero(int at) throws IOException {
        if (stopped) {
            return false;
        }
        WholeWrites.write(file, ZEROS.duplicate(), start + at);
        return true;
    }

    /** A step like the others: a mapping behind the end of a file that was cut would extend it. */
    private synchronized @Nullable ByteBuffer map() throws IOException {
        return stopped ? null : file.map(start, SIZE);
    }

    private synchronized boolean touch(ByteBuffer mapped, int from) {
        if (stopped) {
            return false;
        }
        for (int at = from; at < from + STEP; at += PAGE) {
            mapped.put(at, (byte) 0);
        }
        return true;
    }

    private synchronized void publish(ByteBuffer mapped) {
        if (!stopped) {
            window = mapped;
        }
    }
}
