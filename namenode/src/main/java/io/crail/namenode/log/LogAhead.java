// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes pages of the log file before the writer needs them, so that an append to a busy log is a
 * store into memory and not a call of the kernel that has to find and clear a page.
 *
 * <p><b>What it is not.</b> The mapping is only a faster way to bytes of the page cache that a
 * write would change as well; both see the same pages, and a sync of the file covers both. Wherever
 * there is no window (a log that is not busy, a batch across a border, a chunk that is not ready, a
 * file system that cannot do it) the writer writes, as if this class did not exist.
 *
 * <p><b>Threads.</b> Everything is called by the engine thread, but {@link #run}, the thread that
 * prepares and sleeps otherwise. The two share the chunk that was asked for, through {@link
 * #asked}, and that chunk's own state. The engine looks at a chunk only when a batch reaches into
 * it: it {@linkplain PreparedChunk#take takes} it then, ready or not, before it stores or writes
 * there; see {@link PreparedChunk} for why no zeros come behind. A chunk that was not ready is
 * written to by calls, and the next one is asked for farther ahead. Monitors rather than locks,
 * because a fault of a mapping is thrown at any later place of the preparing thread: a monitor is
 * left then, too.
 *
 * <p><b>Bounds.</b> Chunks are asked for once a file has {@value #BUSY} bytes; one is in use, and
 * one is asked for, so at most two of {@link PreparedChunk#SIZE} lie behind the last record, and
 * they are cut off when the file is left. A crash leaves them: {@link LogFileReader} takes zeros
 * for the end. A window is unmapped by the garbage collector some time after it was left, which is
 * also when the space of a file that was deleted meanwhile comes back. At most {@value
 * #MAX_WINDOWS} wait for that; then there are no new ones. The collector of a busy namenode leaves
 * a handful.
 */
final class LogAhead {
    private static final Logger LOG = LoggerFactory.getLogger(LogAhead.class);

    /** A file with fewer bytes is not worth a window. */
    static final long BUSY = 256 << 10;

    /** Written by calls while the first chunk is prepared. */
    static final long LEAD = 512 << 10;

    static final int MAX_WINDOWS = 256;
    private static final long CLOSE_SECONDS = 30;

    private final WindowCopy copy = new WindowCopy();
    private final Queue<WeakReference<ByteBuffer>> windows = new ArrayDeque<>();
    private MetadataFile file;
    private @Nullable ByteBuffer window;
    private long windowStart;
    private @Nullable PreparedChunk next;

    /** Whether there may be zeros behind the end of the records. */
    private boolean filled;

    /** A batch that ends behind this wants more than a look at the window. */
    private long attention;

    private @Nullable Thread thread;

    /** Guarded by this. */
    private @Nullable PreparedChunk asked;

    /** Guarded by this. */
    private boolean closing;

    LogAhead(MetadataFile file) {
        this.file = file;
        this.attention = firstAttention(file);
    }

    /**
     * Stores a batch of whole records at {@code position}, the end of the file.
     *
     * @return whether it did; if not, the caller may write there, and has to
     * @throws IOException if the mapping failed; part may be stored then
     */
    boolean store(ByteBuffer batch, long position) throws IOException {
        long end = position + batch.remaining();
        if (end > attention) {
            advance(end);
        }
        ByteBuffer target = window;
        if (target == null || position < windowStart || end > windowStart + target.capacity()) {
            return false;
        }
        try {
            copy.copy(batch, target, (int) (position - windowStart));
        } catch (IOException e) {
            throw new IOException(
                    file.path() + ": store at offset " + position + " failed: " + e.getMessage(),
                    e);
        }
        return true;
    }

    /**
     * Leaves the current file, whose records end at {@code end}, for {@code newFile}: nothing is
     * written behind that end any more, and what was is cut off. If that fails zeros stay there,
     * which harm nobody.
     */
    void leave(long end, MetadataFile newFile) {
        stop();
        if (filled) {
            try {
                file.truncate(end);
            } catch (IOException e) {
                LOG.warn("{}: keeps zeros at its end", file.path(), e);
            }
        }
        filled = false;
        file = newFile;
        attention = firstAttention(newFile);
    }

    /** Nothing is prepared any more in this file, and its windows are not used. */
    void stop() {
        if (next != null) {
            next.take();
        }
        next = null;
        window = null;
        attention = Long.MAX_VALUE;
    }

    /** Leaves the file and ends the thread. */
    void close(long end) {
        leave(end, file);
        synchronized (this) {
            closing = true;
            notifyAll();
        }
        if (thread == null) {
            return;
        }
        try {
            thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("{}: the thread that prepares the log does not end", file.path());
        }
    }

    /** Whether the next batch that reaches the chunk asked for finds a window. */
    boolean isReady() {
        return next != null && next.isReady();
    }

    private static long firstAttention(MetadataFile file) {
        return file.isMappable() ? BUSY : Long.MAX_VALUE;
    }

    /** Settles what is used and asked for before a batch is stored that ends at {@code end}. */
    private void advance(long end) {
        PreparedChunk reached = next;
        if (reached != null && end > reached.start()) {
            next = null;
            window = reached.take();
            windowStart = reached.start();
            if (window != null) {
                windows.add(new WeakReference<>(window));
            } else if (reached.hasFailed()) {
                stop();
                return;
            }
        }
        if (window != null && end > windowStart + window.capacity()) {
            window = null;
        }
        if (next == null && hasRoom()) {
            long pages = (end + LEAD + PreparedChunk.PAGE - 1) / PreparedChunk.PAGE;
            ask(window == null ? pages * PreparedChunk.PAGE : windowStart + window.capacity());
        }
        if (next != null) {
            attention = next.start();
        } else {
            attention = end + PreparedChunk.SIZE;
        }
    }

    private boolean hasRoom() {
        windows.removeIf(each -> each.get() == null);
        return windows.size() < MAX_WINDOWS;
    }

    private void ask(long start) {
        PreparedChunk chunk = new PreparedChunk(file, start);
        next = chunk;
        filled = true;
        synchronized (this) {
            asked = chunk;
            notifyAll();
        }
        if (thread == null) {
            thread = new Thread(this::run, "crail-log-ahead");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void run() {
        PreparedChunk chunk = awaitAsked();
        while (chunk != null) {
            try {
                chunk.prepare();
            } catch (IOException | RuntimeException | InternalError e) {
                chunk.fail();
                LOG.warn(
                        "{}: no space is prepared any more: {}", chunk.file().path(), e.toString());
                LOG.debug("it failed here", e);
            }
            chunk = awaitAsked();
        }
    }

    private synchronized @Nullable PreparedChunk awaitAsked() {
        while (asked == null && !closing) {
            try {
                wait();
            } catch (InterruptedException e) {
                LOG.debug("nobody interrupts this thread", e);
            }
        }
        PreparedChunk chunk = closing ? null : asked;
        asked = null;
        return chunk;
    }
}
