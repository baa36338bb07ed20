// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.error.ReadOnlyException;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.log.LogLayout;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends records to the log, many per write.
 *
 * <p><b>Threads.</b> One engine thread calls every method. It encodes records into a direct buffer
 * and {@link #flush} hands them to the kernel with one write, or stores them into pages of the file
 * that a thread made ahead ({@link LogAhead}); it never waits for a disk's cache. At {@link
 * Durability#SYNC} another thread ({@link LogSync}) makes them durable and tells the listener.
 *
 * <p><b>No pages ahead at level sync.</b> A file that grows by writes ends, after a crash of the
 * host, where the disk got to. In pages that lie on the disk already it may have stored a later one
 * of a sync under way and not an earlier one: an intact record behind a broken one, and a start
 * that is refused though nothing acknowledged is lost. Answers wait for the disk there, so a
 * cheaper append would not show.
 *
 * <p><b>Failure.</b> The first failed write, sync or creation of a file fails the writer for ever:
 * every later call throws the same {@link ReadOnlyException}, so no mutation can be acknowledged
 * that is not in the log. What a failed flush had written is cut off again as far as the system
 * allows, because the mutations in it are going to be answered with an error.
 *
 * <p><b>Bounds.</b> The buffer is written as soon as it holds {@value #WRITE_AT} bytes, flush or no
 * flush, and so never exceeds that by more than one record.
 */
public final class LogWriter implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LogWriter.class);

    /** A full buffer: larger writes gain nothing. */
    static final int WRITE_AT = 1 << 20;

    private static final int INITIAL_BUFFER = 64 << 10;
    private static final int BUFFER_LIMIT = WRITE_AT + LogLayout.MAX_RECORD;

    private final MetadataFiles files;
    private final Path directory;
    private final UUID cluster;
    private final Durability durability;
    private final @Nullable LogSync sync;
    private final @Nullable LogAhead ahead;
    private final AtomicReference<@Nullable ReadOnlyException> failure = new AtomicReference<>();
    private final CRC32C crc = new CRC32C();

    private WireWriter batch = newBatch();

    /** Where the open record starts in the batch, or -1. */
    private int recordStart = -1;

    private MetadataFile file;

    /** End of the file. */
    private long fileEnd = LogLayout.HEADER_SIZE;

    /** End of what completed flushes wrote. */
    private long flushedEnd = LogLayout.HEADER_SIZE;

    private long sequence;
    private boolean closed;

    LogWriter(
            MetadataFiles files,
            Path directory,
            UUID cluster,
            long nextSequence,
            Durability durability,
            DurabilityListener listener)
            throws IOException {
        this.files = files;
        this.directory = directory;
        this.cluster = cluster;
        this.durability = durability;
        this.sequence = nextSequence - 1;
        this.file = createFile();
        this.ahead = durability == Durability.SYNC ? null : new LogAhead(file);
        this.sync =
                durability == Durability.SYNC
                        ? new LogSync(files, directory, file, sequence, listener, this::fail)
                        : null;
    }

    /**
     * Starts a record and returns the writer of its body; {@link #end} completes it. A record that
     * was begun and not ended is forgotten.
     *
     * @throws ReadOnlyException if the log failed before
     */
    public WireWriter begin(int type, long session, long requestId) throws ReadOnlyException {
        checkUsable();
        abandon();
        recordStart = batch.position();
        batch.i64(0).i64(0).u16(type).u16(0).i64(session).i64(requestId);
        return batch;
    }

    /**
     * Completes the open record and returns its sequence. It is safe only after {@link #flush}.
     *
     * @throws IllegalStateException if the record exceeds {@link LogLayout#MAX_RECORD}; it is
     *     forgotten then
     */
    public long end() {
        if (recordStart < 0) {
            throw new IllegalStateException("no log record was begun");
        }
        ByteBuffer buffer = batch.buffer();
        int start = recordStart;
        int end = buffer.position();
        if (end - start > LogLayout.MAX_RECORD) {
            abandon();
            throw new IllegalStateException(
                    "log record of " + (end - start) + " bytes, at most " + LogLayout.MAX_RECORD);
        }
        recordStart = -1;
        sequence++;
        buffer.putInt(start + LogLayout.LENGTH, end - start);
        buffer.putLong(start + LogLayout.SEQUENCE, sequence);
        buffer.position(start + LogLayout.CHECKED_FROM).limit(end);
        crc.reset();
        crc.update(buffer);
        buffer.limit(buffer.capacity());
        buffer.putInt(start + LogLayout.CRC, (int) crc.getValue());
        if (end >= WRITE_AT) {
            writeEarly();
        }
        return sequence;
    }

    /** Forgets the open record, if there is one. */
    public void abandon() {
        if (recordStart >= 0) {
            batch.rewindTo(recordStart);
            recordStart = -1;
        }
    }

    /**
     * Makes every ended record as safe as the durability level says, without waiting for a disk.
     *
     * @return 0 if answers may leave now; else the sequence that the listener has to report durable
     *     before the answers to anything that saw these records may leave
     * @throws ReadOnlyException if the log failed, now or before: no mutation since the last
     *     successful flush may be acknowledged
     */
    public long flush() throws ReadOnlyException {
        checkUsable();
        abandon();
        if (durability == Durability.NONE && batch.position() < WRITE_AT) {
            return 0;
        }
        writeBatch();
        flushedEnd = fileEnd;
        if (sync == null) {
            return 0;
        }
        sync.written(sequence);
        return sync.durable() >= sequence ? 0 : sequence;
    }

    /**
     * Starts a new file, so that a snapshot taken at {@link #position} covers the old ones wholly.
     *
     * @throws ReadOnlyException if the log failed, now or before
     */
    public void roll() throws ReadOnlyException {
        checkUsable();
        abandon();
        writeBatch();
        if (fileEnd == LogLayout.HEADER_SIZE) {
            return; // an empty file starts at the right sequence already
        }
        MetadataFile old = file;
        try {
            file = createFile();
        } catch (IOException e) {
            throw fail(e);
        }
        if (ahead != null) {
            ahead.leave(fileEnd, file);
        }
        fileEnd = LogLayout.HEADER_SIZE;
        flushedEnd = fileEnd;
        if (sync != null) {
            sync.rolled(file, sequence);
            return; // it closes the old file when that is durable
        }
        try {
            old.close();
        } catch (IOException e) {
            throw fail(e);
        }
    }

    /** Sequence of the last ended record. */
    public long position() {
        return sequence;
    }

    /** Bytes in the current file and the buffer: what a restart would replay from this file. */
    public long bytesSinceRoll() {
        return fileEnd + batch.position() - LogLayout.HEADER_SIZE;
    }

    /** Whether space ahead of the records is ready to be used. */
    boolean isPrepared() {
        return ahead != null && ahead.isReady();
    }

    /** Why the log takes no more records, or null while it does. Callable by every thread. */
    public @Nullable ReadOnlyException failure() {
        return failure.get();
    }

    /** Writes what is left, waits (bounded) for it to be durable where asked for, and closes. */
    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        abandon();
        try {
            if (failure.get() == null) {
                writeBatch();
            }
        } finally {
            if (ahead != null) {
                ahead.close(fileEnd);
            }
            if (sync != null) {
                sync.written(sequence);
                sync.close();
            }
            file.close();
        }
    }

    private void checkUsable() throws ReadOnlyException {
        ReadOnlyException cause = failure.get();
        if (cause != null) {
            throw cause;
        }
        if (closed) {
            throw new ReadOnlyException("the log in " + directory + " is closed");
        }
    }

    /** A failure shows at the next flush, which is when anybody relies on the records. */
    private void writeEarly() {
        try {
            writeBatch();
        } catch (ReadOnlyException e) {
            LOG.debug("write ahead of the flush failed", e);
        }
    }

    private void writeBatch() throws ReadOnlyException {
        ByteBuffer buffer = batch.buffer();
        int length = buffer.position();
        if (length == 0) {
            return;
        }
        checkUsableForWrite();
        buffer.flip();
        try {
            if (ahead == null || !ahead.store(buffer, fileEnd)) {
                WholeWrites.write(file, buffer, fileEnd);
            }
        } catch (IOException e) {
            ReadOnlyException cause = fail(e);
            cutUnflushed(cause);
            throw cause;
        } finally {
            buffer.clear();
        }
        fileEnd += length;
        if (buffer.capacity() > BUFFER_LIMIT / 2) {
            batch = newBatch();
        }
    }

    private void checkUsableForWrite() throws ReadOnlyException {
        ReadOnlyException cause = failure.get();
        if (cause != null) {
            batch.rewindTo(0);
            throw cause;
        }
    }

    /** So that a restart does not bring back mutations that were answered with an error. */
    private void cutUnflushed(ReadOnlyException cause) {
        if (ahead != null) {
            ahead.stop();
        }
        try {
            file.truncate(flushedEnd);
            fileEnd = flushedEnd;
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Latches the first failure and returns it. */
    private ReadOnlyException fail(IOException e) {
        ReadOnlyException mine =
                new ReadOnlyException(
                        "the log failed and no more changes are taken: "
                                + WholeWrites.reason(e)
                                + "; mend the disk or free space, then restart the namenode",
                        e);
        if (failure.compareAndSet(null, mine)) {
            LOG.error("{}", mine.getMessage());
            return mine;
        }
        ReadOnlyException first = failure.get();
        return first == null ? mine : first;
    }

    private MetadataFile createFile() throws IOException {
        Path path = FileName.of(directory, FileName.LOG, sequence + 1).path();
        MetadataFile created = null;
        try {
            created = files.create(path);
            WholeWrites.write(created, FileHeader.LOG.encode(cluster, sequence + 1), 0);
            return created;
        } catch (IOException e) {
            IOException named =
                    new IOException(path + ": cannot create: " + WholeWrites.reason(e), e);
            if (created != null) {
                try {
                    created.close();
                    files.delete(path);
                } catch (IOException suppressed) {
                    named.addSuppressed(suppressed);
                }
            }
            throw named;
        }
    }

    private static WireWriter newBatch() {
        return new WireWriter(ByteBuffer.allocateDirect(INITIAL_BUFFER), BUFFER_LIMIT);
    }
}
