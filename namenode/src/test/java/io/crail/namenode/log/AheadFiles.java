// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The system's files, with faults for the thread that prepares the log ahead, off until set. */
final class AheadFiles implements MetadataFiles {
    private final MetadataFiles system = MetadataFiles.ofSystem();

    /** Writes of the preparing thread that succeed before all others fail. */
    final AtomicInteger goodSteps = new AtomicInteger(Integer.MAX_VALUE);

    volatile boolean failMap;

    /** While set, the preparing thread waits for it before each write. */
    volatile @Nullable CountDownLatch gate;

    /** Writes that the preparing thread has begun. */
    final AtomicInteger steps = new AtomicInteger();

    /** Writes of all other threads. */
    final AtomicInteger writes = new AtomicInteger();

    final AtomicInteger maps = new AtomicInteger();

    /** The file that was made last. */
    private volatile @Nullable MetadataFile last;

    @Override
    public MetadataFile create(Path path) throws IOException {
        MetadataFile file = system.create(path);
        last = file;
        return new AheadFile(file);
    }

    /** Cuts the file that was made last, without its writer's knowledge. */
    void cutLast(long size) throws IOException {
        Objects.requireNonNull(last).truncate(size);
    }

    @Override
    public MetadataFile open(Path path) throws IOException {
        return new AheadFile(system.open(path));
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

    private void step() throws IOException {
        steps.incrementAndGet();
        CountDownLatch latch = gate;
        try {
            if (latch != null && !latch.await(60, TimeUnit.SECONDS)) {
                throw new IOException("the test left the gate closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
        if (goodSteps.getAndDecrement() <= 0) {
            throw new IOException("No space left on device");
        }
    }

    private final class AheadFile implements MetadataFile {
        private final MetadataFile file;

        AheadFile(MetadataFile file) {
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
            if (Thread.currentThread().getName().equals("crail-log-ahead")) {
                step();
            } else {
                writes.incrementAndGet();
            }
            return file.write(source, position);
        }

        @Override
        public boolean isMappable() {
            return true;
        }

        @Override
        public ByteBuffer map(long position, int length) throws IOException {
            maps.incrementAndGet();
            if (failMap) {
                throw new IOException("Map failed");
            }
            return file.map(position, length);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void truncate(long size) throws IOException {
            file.truncate(size);
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
