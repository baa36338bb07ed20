// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.stream;

import static org.apache.hadoop.fs.statistics.StoreStatisticNames.OP_HFLUSH;
import static org.apache.hadoop.fs.statistics.StoreStatisticNames.OP_HSYNC;
import static org.apache.hadoop.fs.statistics.StreamStatisticNames.STREAM_WRITE_BYTES;

import io.crail.client.CrailOutputStream;
import io.crail.error.CrailException;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.statistics.FileSystemCounters;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Abortable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.Syncable;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.fs.statistics.impl.IOStatisticsBinding;
import org.jspecify.annotations.Nullable;

/**
 * A file, written as Hadoop writes. Thread-safe in the sense that calls exclude each other.
 *
 * <p>{@code flush} hands bytes on and makes nothing visible. {@code hflush} and {@code hsync} are
 * the same: when they return, all bytes written before lie in the memory of the storage servers,
 * the new length is in the namenode's log, and every reader that opens the file sees them.
 */
public final class CrailFsOutputStream extends OutputStream
        implements Syncable, Abortable, CanSetDropBehind, StreamCapabilities, IOStatisticsSource {
    /** No node has this number. */
    private static final long NONE = 0;

    private final CrailOutputStream stream;
    private final @Nullable Removal removal;
    private final FileSystemCounters all;
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong flushes = new AtomicLong();
    private final AtomicLong syncs = new AtomicLong();
    private volatile long node = NONE;
    private volatile boolean closed;

    /** Takes away what an aborted stream has left. */
    @FunctionalInterface
    public interface Removal {
        /**
         * Removes the file, if it is there.
         *
         * @param node which file the stream has made: its name may be another one's by now
         */
        void remove(long node) throws IOException;
    }

    /**
     * @param stream belongs to this one from now on
     * @param removal called when the stream is aborted after it made bytes visible; null if the
     *     file was there before
     * @param all counters of the file system
     */
    public CrailFsOutputStream(
            CrailOutputStream stream, @Nullable Removal removal, FileSystemCounters all) {
        this.stream = stream;
        this.removal = removal;
        this.all = all;
    }

    private IOException translated(CrailException failure) {
        return HadoopErrors.of(failure, stream.path());
    }

    private void checkOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public void write(int b) throws IOException {
        checkOpen();
        try {
            stream.write(b);
            bytes.incrementAndGet();
        } catch (CrailException e) {
            throw translated(e);
        }
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        checkOpen();
        try {
            stream.write(source, offset, length);
            bytes.addAndGet(length);
        } catch (CrailException e) {
            throw translated(e);
        }
    }

    /** Hands on what is collected; a closed stream has nothing left. */
    @Override
    public void flush() throws IOException {
        if (closed) {
            return;
        }
        try {
            stream.flush();
        } catch (CrailException e) {
            throw translated(e);
        }
    }

    @Override
    public void hflush() throws IOException {
        flushes.incrementAndGet();
        commit();
    }

    @Override
    public void hsync() throws IOException {
        syncs.incrementAndGet();
        commit();
    }

    private void commit() throws IOException {
        checkOpen();
        try {
            node = stream.sync().id();
        } catch (CrailException e) {
            throw translated(e);
        }
    }

    /** Bytes go to memory: there is no cache behind which they could be dropped. */
    @Override
    public void setDropBehind(Boolean drop) {}

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        end();
        try {
            stream.close();
        } catch (CrailException e) {
            throw translated(e);
        }
    }

    private void end() {
        closed = true;
        all.add(STREAM_WRITE_BYTES, bytes.get());
        all.add(OP_HFLUSH, flushes.get());
        all.add(OP_HSYNC, syncs.get());
    }

    /** Nothing more is committed, and a file that this stream has made is no more. */
    @Override
    public AbortableResult abort() {
        if (closed) {
            return new Aborted(true, null);
        }
        end();
        @Nullable IOException failure = null;
        Removal whole = removal;
        try {
            if (whole == null || stream.committedLength() == 0) {
                stream.abort();
            } else {
                // Who never asked for a commit learns the number only now.
                long left = node == NONE ? stream.sync().id() : node;
                stream.abort();
                whole.remove(left);
            }
        } catch (IOException e) {
            stream.abort();
            failure = e;
        }
        return new Aborted(false, failure);
    }

    private record Aborted(boolean alreadyClosed, @Nullable IOException anyCleanupException)
            implements AbortableResult {}

    @Override
    @SuppressWarnings("deprecation") // the names stay, what is to replace them is internal
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.HFLUSH,
                    StreamCapabilities.HSYNC,
                    StreamCapabilities.DROPBEHIND,
                    StreamCapabilities.ABORTABLE_STREAM,
                    StreamCapabilities.IOSTATISTICS ->
                    true;
            default -> false;
        };
    }

    @Override
    public IOStatistics getIOStatistics() {
        return IOStatisticsBinding.dynamicIOStatistics()
                .withAtomicLongCounter(STREAM_WRITE_BYTES, bytes)
                .withAtomicLongCounter(OP_HFLUSH, flushes)
                .withAtomicLongCounter(OP_HSYNC, syncs)
                .build();
    }

    @Override
    public String toString() {
        return "CrailFsOutputStream(" + stream.path() + ", " + getIOStatistics() + ")";
    }
}
