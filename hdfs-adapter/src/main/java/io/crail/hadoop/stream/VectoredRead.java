// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.stream;

import io.crail.client.CrailFile;
import io.crail.error.CrailException;
import io.crail.hadoop.error.HadoopErrors;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.hadoop.fs.FileRange;
import org.jspecify.annotations.Nullable;

/**
 * Reads many ranges of a file at once.
 *
 * <p>All reads are posted before the first is waited for. Each range gets a buffer of its own from
 * the caller's allocator, never a slice of a larger one, so that pools get back what they gave.
 * Small neighbours, which share chunks that have to be verified whole, are read as one and copied
 * apart; large ranges are read into their buffers without a copy. Reads go on in the threads that
 * wait for them.
 */
final class VectoredRead {
    /** Neighbours are merged across up to so many bytes that nobody wants: one chunk. */
    static final int MAX_GAP = 4 << 10;

    /** Merged reads are no longer than this. */
    static final int MAX_MERGED = 256 << 10;

    /**
     * Ranges of so many bytes in all are one operation: their futures are done together. One
     * operation each nearly doubled the time of 1,000 reads of 4 KiB.
     */
    private static final int BATCH = 256 << 10;

    private final CrailFile file;
    private final ReadCounters counters;
    private final IntFunction<ByteBuffer> allocate;
    private final Consumer<ByteBuffer> release;

    VectoredRead(
            CrailFile file,
            ReadCounters counters,
            IntFunction<ByteBuffer> allocate,
            Consumer<ByteBuffer> release) {
        this.file = file;
        this.counters = counters;
        this.allocate = Objects.requireNonNull(allocate);
        this.release = Objects.requireNonNull(release);
    }

    /**
     * Begins to read; each range has a future when this returns.
     *
     * @throws EOFException if a range begins before the file; one that ends behind it fails alone
     * @throws IllegalArgumentException if a length is negative, or two ranges overlap
     */
    void begin(List<? extends FileRange> wanted) throws IOException {
        List<FileRange> sorted = checked(wanted);
        List<List<FileRange>> groups = merge(sorted);
        counters.vectored(sorted.size(), groups.size());
        List<List<FileRange>> batch = new ArrayList<>();
        long bytes = 0;
        for (List<FileRange> group : groups) {
            if (end(group.get(0)) > file.length()) {
                fail(group.get(0));
                continue;
            }
            batch.add(group);
            bytes += length(group);
            if (bytes >= BATCH) {
                post(batch);
                batch = new ArrayList<>();
                bytes = 0;
            }
        }
        if (!batch.isEmpty()) {
            post(batch);
        }
    }

    private List<FileRange> checked(List<? extends FileRange> wanted) throws IOException {
        List<FileRange> sorted = new ArrayList<>(wanted.size());
        for (FileRange range : wanted) {
            Objects.requireNonNull(range, "range is null");
            if (range.getLength() < 0) {
                throw new IllegalArgumentException("length is negative in " + range);
            }
            if (range.getOffset() < 0) {
                throw new EOFException("position is negative in range " + range);
            }
            sorted.add(range);
        }
        sorted.sort(Comparator.comparingLong(FileRange::getOffset));
        for (int i = 1; i < sorted.size(); i++) {
            if (sorted.get(i).getOffset() < end(sorted.get(i - 1))) {
                throw new IllegalArgumentException(
                        "overlapping ranges " + sorted.get(i - 1) + " and " + sorted.get(i));
            }
        }
        return sorted;
    }

    private static long end(FileRange range) {
        return range.getOffset() + range.getLength();
    }

    /** Who asks for more than there is learns it from the future, as with all file systems. */
    private void fail(FileRange range) {
        CompletableFuture<ByteBuffer> failed = new CompletableFuture<>();
        failed.completeExceptionally(
                new EOFException(
                        range
                                + " is not within "
                                + file.path()
                                + " of "
                                + file.length()
                                + " bytes"));
        range.setData(failed);
    }

    private List<List<FileRange>> merge(List<FileRange> sorted) {
        List<List<FileRange>> groups = new ArrayList<>();
        List<FileRange> group = new ArrayList<>();
        for (FileRange range : sorted) {
            if (!group.isEmpty()
                    && (end(range) > file.length()
                            || range.getOffset() - end(group.get(group.size() - 1)) >= MAX_GAP
                            || end(range) - group.get(0).getOffset() > MAX_MERGED)) {
                groups.add(group);
                group = new ArrayList<>();
            }
            group.add(range);
        }
        if (!group.isEmpty()) {
            groups.add(group);
        }
        return groups;
    }

    private static int length(List<FileRange> group) {
        return (int) (end(group.get(group.size() - 1)) - group.get(0).getOffset());
    }

    /** Begins to read some groups as one operation, which is what costs. */
    private void post(List<List<FileRange>> groups) {
        List<CrailFile.Range> reads = new ArrayList<>(groups.size());
        List<ByteBuffer> buffers = new ArrayList<>(groups.size());
        for (List<FileRange> group : groups) {
            FileRange first = group.get(0);
            boolean merged = group.size() > 1;
            ByteBuffer buffer =
                    merged ? ByteBuffer.allocate(length(group)) : allocate.apply(first.getLength());
            buffers.add(buffer);
            reads.add(
                    new CrailFile.Range(
                            first.getOffset(), merged ? buffer.slice() : part(buffer, first)));
        }
        CompletableFuture<Void> read = file.readVectoredAsync(reads);
        for (int i = 0; i < buffers.size(); i++) {
            List<FileRange> group = groups.get(i);
            ByteBuffer buffer = buffers.get(i);
            if (group.size() == 1) {
                FileRange only = group.get(0);
                only.setData(read.handle((done, failure) -> outcome(only, buffer, failure)));
            } else {
                long start = group.get(0).getOffset();
                for (FileRange range : group) {
                    range.setData(
                            read.handle((done, failure) -> copied(range, start, buffer, failure)));
                }
            }
        }
    }

    /** Pools may give more than was asked for. */
    private static ByteBuffer part(ByteBuffer buffer, FileRange range) {
        return buffer.slice(buffer.position(), range.getLength());
    }

    private ByteBuffer outcome(FileRange range, ByteBuffer buffer, @Nullable Throwable failure) {
        if (failure != null) {
            release.accept(buffer);
            throw new CompletionException(translated(failure));
        }
        buffer.limit(buffer.position() + range.getLength());
        counters.range(range.getLength());
        return buffer;
    }

    private ByteBuffer copied(
            FileRange range, long start, ByteBuffer all, @Nullable Throwable failure) {
        if (failure != null) {
            throw new CompletionException(translated(failure));
        }
        ByteBuffer buffer = allocate.apply(range.getLength());
        part(buffer, range).put(all.slice((int) (range.getOffset() - start), range.getLength()));
        buffer.limit(buffer.position() + range.getLength());
        counters.range(range.getLength());
        return buffer;
    }

    private Throwable translated(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return cause instanceof CrailException known ? HadoopErrors.of(known, file.path()) : cause;
    }
}
