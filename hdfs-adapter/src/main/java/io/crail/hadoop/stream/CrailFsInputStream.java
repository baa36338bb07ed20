// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.stream;

import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.error.CrailException;
import io.crail.hadoop.error.HadoopErrors;
import io.crail.hadoop.statistics.FileSystemCounters;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.ByteBufferPositionedReadable;
import org.apache.hadoop.fs.ByteBufferReadable;
import org.apache.hadoop.fs.CanSetDropBehind;
import org.apache.hadoop.fs.CanSetReadahead;
import org.apache.hadoop.fs.CanUnbuffer;
import org.apache.hadoop.fs.FSExceptionMessages;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.HasEnhancedByteBufferAccess;
import org.apache.hadoop.fs.ReadOption;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.statistics.IOStatistics;
import org.apache.hadoop.fs.statistics.IOStatisticsSource;
import org.apache.hadoop.io.ByteBufferPool;
import org.jspecify.annotations.Nullable;

/**
 * A file, read as Hadoop reads. It has the length that the file had when it was opened.
 *
 * <p>Positioned and vectored reads go straight to the file and may be called by any number of
 * threads. What moves the position excludes each other: it goes through the client's sequential
 * stream, which is made with the first such read, starts small after each move, and fetches ahead
 * while it is read on.
 */
public final class CrailFsInputStream extends FSInputStream
        implements ByteBufferReadable,
                ByteBufferPositionedReadable,
                HasEnhancedByteBufferAccess,
                CanUnbuffer,
                CanSetReadahead,
                CanSetDropBehind,
                StreamCapabilities,
                IOStatisticsSource {
    /** Reads of this size are worth an operation of their own. */
    private static final int WORTH_A_READ = 64 << 10;

    private final CrailFile file;
    private final ReadPolicy policy;
    private final ReadCounters counters;
    private final InPlaceReads inPlace;
    private final byte[] one = new byte[1];
    private @Nullable CrailInputStream stream;
    private long position;
    private volatile boolean closed;

    /**
     * @param file belongs to the stream from now on
     * @param all counters of the file system
     */
    public CrailFsInputStream(CrailFile file, ReadPolicy policy, FileSystemCounters all) {
        this.file = file;
        this.policy = policy;
        this.counters = new ReadCounters(all);
        this.inPlace = new InPlaceReads(file);
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException(FSExceptionMessages.STREAM_IS_CLOSED);
        }
    }

    private IOException translated(CrailException failure) {
        return HadoopErrors.of(failure, file.path());
    }

    @Override
    public synchronized int read() throws IOException {
        int read = read(one, 0, 1);
        return read < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        return read(ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public synchronized int read(ByteBuffer target) throws IOException {
        checkOpen();
        if (!target.hasRemaining()) {
            return 0;
        }
        try {
            int read =
                    policy == ReadPolicy.RANDOM && target.remaining() >= WORTH_A_READ
                            ? file.read(position, target)
                            : sequential().read(target);
            position += Math.max(0, read);
            return counters.read(read);
        } catch (CrailException e) {
            throw translated(e);
        }
    }

    /** The client's stream, at our position. */
    private CrailInputStream sequential() throws IOException {
        CrailInputStream current = stream;
        if (current == null) {
            current = file.newInputStream();
            stream = current;
        }
        if (current.position() != position) {
            current.seek(position);
        }
        return current;
    }

    @Override
    public synchronized void seek(long target) throws IOException {
        checkOpen();
        if (target < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + ": " + target);
        }
        if (target > file.length()) {
            throw new EOFException(
                    "%s: %d of %s, which has %d bytes"
                            .formatted(
                                    FSExceptionMessages.CANNOT_SEEK_PAST_EOF,
                                    target,
                                    file.path(),
                                    file.length()));
        }
        if (target != position) {
            position = target;
            counters.seek();
        }
    }

    @Override
    public synchronized long skip(long bytes) throws IOException {
        checkOpen();
        long skipped = Math.max(0, Math.min(bytes, file.length() - position));
        position += skipped;
        return skipped;
    }

    @Override
    public synchronized long getPos() {
        return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
        return false; // there is one copy of each byte
    }

    /** Bytes up to the end: of a file, none keeps a reader waiting for long. */
    @Override
    public synchronized int available() throws IOException {
        checkOpen();
        return (int) Math.min(Integer.MAX_VALUE, file.length() - position);
    }

    @Override
    public int read(long from, byte[] target, int offset, int length) throws IOException {
        validatePositionedReadArgs(from, target, offset, length);
        return read(from, ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public void readFully(long from, byte[] target, int offset, int length) throws IOException {
        validatePositionedReadArgs(from, target, offset, length);
        readFully(from, ByteBuffer.wrap(target, offset, length));
    }

    @Override
    public int read(long from, ByteBuffer target) throws IOException {
        checkOpen();
        if (from < 0) {
            throw new EOFException(FSExceptionMessages.NEGATIVE_SEEK + ": " + from);
        }
        if (!target.hasRemaining()) {
            return 0;
        }
        try {
            return counters.read(file.read(from, target));
        } catch (CrailException e) {
            throw translated(e);
        }
    }

    @Override
    public void readFully(long from, ByteBuffer target) throws IOException {
        checkOpen();
        long end = from + target.remaining();
        if (from < 0 || (end > file.length() && target.hasRemaining())) {
            throw new EOFException(
                    FSExceptionMessages.EOF_IN_READ_FULLY
                            + " "
                            + file.path()
                            + " has "
                            + file.length()
                            + " bytes");
        }
        while (target.hasRemaining()) {
            if (read(end - target.remaining(), target) < 0) {
                throw new EOFException(FSExceptionMessages.EOF_IN_READ_FULLY);
            }
        }
    }

    @Override
    public int minSeekForVectorReads() {
        return VectoredRead.MAX_GAP;
    }

    @Override
    public int maxReadSizeForVectorReads() {
        return VectoredRead.MAX_MERGED;
    }

    @Override
    public void readVectored(List<? extends FileRange> ranges, IntFunction<ByteBuffer> allocate)
            throws IOException {
        readVectored(ranges, allocate, buffer -> {});
    }

    /** As {@link #readVectored(List, IntFunction)}; Hadoop has it since 3.4.2. */
    @SuppressWarnings("MissingOverride") // so that older versions can be compiled against
    public void readVectored(
            List<? extends FileRange> ranges,
            IntFunction<ByteBuffer> allocate,
            Consumer<ByteBuffer> release)
            throws IOException {
        checkOpen();
        new VectoredRead(file, counters, allocate, release).begin(ranges);
    }

    @Override
    public synchronized @Nullable ByteBuffer read(
            ByteBufferPool pool, int maxLength, EnumSet<ReadOption> options)
            throws IOException, UnsupportedOperationException {
        checkOpen();
        if (maxLength < 0) {
            throw new IllegalArgumentException("can't read a negative number of bytes.");
        }
        long left = file.length() - position;
        if (maxLength == 0 || left <= 0) {
            return maxLength == 0 ? ByteBuffer.allocate(0) : null;
        }
        try {
            int length = (int) Math.min(maxLength, left);
            ByteBuffer found = inPlace.read(position, length, options);
            position += found.remaining();
            counters.read(found.remaining());
            return found;
        } catch (CrailException e) {
            throw translated(e);
        }
    }

    @Override
    public synchronized void releaseBuffer(ByteBuffer buffer) {
        inPlace.release(buffer);
    }

    /** Drops what was read ahead; the position stays. */
    @Override
    public synchronized void unbuffer() {
        CrailInputStream current = stream;
        stream = null;
        if (current != null) {
            try {
                current.close();
            } catch (CrailException e) {
                throw new IllegalStateException("closing a stream makes no call", e);
            }
        }
    }

    /** What is read ahead grows and shrinks by itself: the wish is not needed. */
    @Override
    public void setReadahead(Long bytes) {}

    /** Bytes are in no cache that they could be dropped from. */
    @Override
    public void setDropBehind(Boolean drop) {}

    @Override
    @SuppressWarnings("deprecation") // the names stay, what is to replace them is internal
    public boolean hasCapability(String capability) {
        return switch (capability.toLowerCase(Locale.ROOT)) {
            case StreamCapabilities.READAHEAD,
                    StreamCapabilities.DROPBEHIND,
                    StreamCapabilities.UNBUFFER,
                    StreamCapabilities.READBYTEBUFFER,
                    StreamCapabilities.PREADBYTEBUFFER,
                    StreamCapabilities.VECTOREDIO,
                    StreamCapabilities.IOSTATISTICS ->
                    true;
            default -> false;
        };
    }

    @Override
    public IOStatistics getIOStatistics() {
        return counters.statistics();
    }

    @Override
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            counters.close();
            unbuffer();
            inPlace.close();
            file.close();
        }
    }

    @Override
    public String toString() {
        return "CrailFsInputStream("
                + file.path()
                + ", at "
                + getPos()
                + ", "
                + getIOStatistics()
                + ")";
    }
}
