// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.log.SnapshotLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writing half of a snapshot: takes chunks from a queue, writes them under an unfinished name,
 * and renames the file when it is complete and synced. Whatever goes wrong, the unfinished file is
 * deleted and the listener told.
 */
final class SnapshotFile {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotFile.class);

    /** How often a thread without work looks whether the snapshot was aborted. */
    private static final long POLL_MILLIS = 100;

    /**
     * A chunk to write, or the end.
     *
     * @param chunk null for the end
     * @param records at the end: how many there were
     */
    record Command(@Nullable WireWriter chunk, long records) {}

    private final MetadataFiles files;
    private final FileName name;
    private final UUID cluster;
    private final BlockingQueue<Command> full;
    private final BlockingQueue<WireWriter> empty;
    private final SnapshotListener listener;
    private final Thread thread;
    private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();
    private final CRC32C crc = new CRC32C();
    private volatile boolean ended;
    private long chunks;
    private long records;
    private long end;

    SnapshotFile(
            MetadataFiles files,
            FileName name,
            UUID cluster,
            BlockingQueue<Command> full,
            BlockingQueue<WireWriter> empty,
            SnapshotListener listener) {
        this.files = files;
        this.name = name;
        this.cluster = cluster;
        this.full = full;
        this.empty = empty;
        this.listener = listener;
        this.thread = new Thread(this::run, "crail-snapshot");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    @Nullable IOException failure() {
        return failure.get();
    }

    void abort(IOException cause) {
        failure.compareAndSet(null, cause);
    }

    boolean hasEnded() {
        return ended;
    }

    boolean awaitEnd(long millis) throws InterruptedException {
        thread.join(Math.max(1, millis));
        return !thread.isAlive();
    }

    private void run() {
        try {
            writeUnfinished();
            // From here on an abort comes too late: the snapshot is whole.
            files.rename(unfinished(), name.path());
            files.syncDirectory(name.directory());
        } catch (IOException e) {
            giveUp(e);
            return;
        } catch (InterruptedException | RuntimeException e) {
            giveUp(new IOException("defect while writing a snapshot: " + e, e));
            return;
        }
        ended = true;
        listener.completed(name.sequence(), records, end);
    }

    private Path unfinished() {
        return name.with(FileName.UNFINISHED);
    }

    private void writeUnfinished() throws IOException, InterruptedException {
        files.delete(unfinished());
        try (MetadataFile file = files.create(unfinished())) {
            ByteBuffer header = FileHeader.SNAPSHOT.encode(cluster, name.sequence());
            WholeWrites.write(file, header, 0);
            end = SnapshotLayout.HEADER_SIZE;
            Command command = next();
            WireWriter chunk = command.chunk();
            while (chunk != null) {
                writeChunk(file, chunk);
                command = next();
                chunk = command.chunk();
            }
            records = command.records();
            writeFooter(file);
            file.sync();
            checkNotAborted();
        }
    }

    private Command next() throws IOException, InterruptedException {
        Command command = null;
        while (command == null) {
            checkNotAborted();
            command = full.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
        return command;
    }

    private void checkNotAborted() throws IOException {
        IOException cause = failure.get();
        if (cause != null) {
            throw cause;
        }
    }

    private void writeChunk(MetadataFile file, WireWriter writer) throws IOException {
        ByteBuffer chunk = writer.buffer();
        int length = chunk.position();
        chunk.putInt(SnapshotLayout.LENGTH, length);
        chunk.putLong(SnapshotLayout.CHUNK_NUMBER, chunks++);
        seal(chunk.limit(length));
        WholeWrites.write(file, chunk.position(0), end);
        end += length;
        boolean oversized = chunk.capacity() > 2 * SnapshotWriter.CHUNK;
        chunk.clear();
        empty.add(oversized ? SnapshotWriter.newChunk() : writer);
    }

    private void writeFooter(MetadataFile file) throws IOException {
        ByteBuffer footer =
                ByteBuffer.allocateDirect(SnapshotLayout.FOOTER_SIZE)
                        .order(ByteOrder.LITTLE_ENDIAN);
        footer.putLong(SnapshotLayout.FOOTER_CHUNKS, chunks);
        footer.putLong(SnapshotLayout.FOOTER_RECORDS, records);
        footer.putLong(SnapshotLayout.FOOTER_BYTES, end);
        seal(footer);
        WholeWrites.write(file, footer.position(0), end);
        end += SnapshotLayout.FOOTER_SIZE;
    }

    private void seal(ByteBuffer buffer) {
        buffer.position(SnapshotLayout.CHECKED_FROM);
        crc.reset();
        crc.update(buffer);
        buffer.putInt(SnapshotLayout.CRC, (int) crc.getValue());
    }

    private void giveUp(IOException e) {
        failure.compareAndSet(null, e);
        try {
            files.delete(unfinished());
        } catch (IOException suppressed) {
            e.addSuppressed(suppressed);
        }
        ended = true;
        LOG.warn("no snapshot {}: {}", name.path(), e.getMessage());
        listener.failed(name.sequence(), e);
    }
}
