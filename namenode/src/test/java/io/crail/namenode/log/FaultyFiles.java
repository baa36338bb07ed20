// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The system's files with injected faults. Every fault is off until it is set. */
public final class FaultyFiles implements MetadataFiles {
    private final MetadataFiles system = MetadataFiles.ofSystem();

    /** Bytes that may still be written before the disk is full. */
    public final AtomicLong space = new AtomicLong(Long.MAX_VALUE);

    /** Most bytes that one write takes. */
    public volatile int longestWrite = Integer.MAX_VALUE;

    /** Syncs that succeed before all others fail. */
    public final AtomicInteger goodSyncs = new AtomicInteger(Integer.MAX_VALUE);

    /** Creations that succeed before all others fail. */
    public final AtomicInteger goodCreates = new AtomicInteger(Integer.MAX_VALUE);

    public volatile boolean failTruncate;
    public volatile boolean failRename;

    /** While set, syncs and writes of snapshots wait for it. */
    public volatile @Nullable CountDownLatch gate;

    public final AtomicInteger writes = new AtomicInteger();
    public final AtomicInteger syncs = new AtomicInteger();

    @Override
    public MetadataFile create(Path path) throws IOException {
        if (goodCreates.getAndDecrement() <= 0) {
            throw new IOException("No space left on device");
        }
        return new FaultyFile(system.create(path));
    }

    @Override
    public MetadataFile open(Path path) throws IOException {
        return new FaultyFile(system.open(path));
    }

    @Override
    public boolean exists(Path path) {
        return system.exists(path);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        return system.list(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        if (failRename) {
            throw new IOException("Input/output error");
        }
        system.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        system.delete(path);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        system.syncDirectory(directory);
    }

    private void passGate() throws IOException {
        CountDownLatch latch = gate;
        try {
            if (latch != null && !latch.await(60, TimeUnit.SECONDS)) {
                throw new IOException("the test left the gate closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    private final class FaultyFile implements MetadataFile {
        private final MetadataFile file;

        FaultyFile(MetadataFile file) {
            this.file = file;
        }

        @Override
        public Path path() {
            return file.path();
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public int write(ByteBuffer source, long position) throws IOException {
            writes.incrementAndGet();
            if (FileName.nameOf(path()).startsWith(FileName.SNAPSHOT)) {
                passGate();
            }
            int length = (int) Math.min(Math.min(longestWrite, source.remaining()), space.get());
            if (length <= 0) {
                throw new IOException("No space left on device");
            }
            space.addAndGet(-length);
            int limit = source.limit();
            source.limit(source.position() + length);
            try {
                return file.write(source, position);
            } finally {
                source.limit(limit);
            }
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            if (failTruncate) {
                throw new IOException("Input/output error");
            }
            file.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            syncs.incrementAndGet();
            passGate();
            if (goodSyncs.getAndDecrement() <= 0) {
                throw new IOException("Input/output error");
            }
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
