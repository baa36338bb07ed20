// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.simulation;

import io.crail.namenode.log.MetadataFile;
import io.crail.namenode.log.MetadataFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The namenode's disk: full at times, and then a write takes some bytes and fails with the next.
 */
final class FailingDisk implements MetadataFiles {
    private static final int LAST_BYTES = 7;

    private final MetadataFiles files = MetadataFiles.ofSystem();
    private boolean full;

    void full(boolean now) {
        full = now;
    }

    boolean isFull() {
        return full;
    }

    @Override
    public MetadataFile create(Path path) throws IOException {
        return new File(files.create(path));
    }

    @Override
    public MetadataFile open(Path path) throws IOException {
        return new File(files.open(path));
    }

    @Override
    public boolean exists(Path path) {
        return files.exists(path);
    }

    @Override
    public List<Path> list(Path directory) throws IOException {
        return files.list(directory);
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
        files.rename(from, to);
    }

    @Override
    public void delete(Path path) throws IOException {
        files.delete(path);
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
        files.syncDirectory(directory);
    }

    private final class File implements MetadataFile {
        private final MetadataFile file;
        private boolean tookTheLast;

        File(MetadataFile file) {
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
            if (!full || !source.hasRemaining()) {
                return file.write(source, position);
            }
            if (tookTheLast) {
                throw new IOException("No space left on device");
            }
            tookTheLast = true;
            int count = Math.min(LAST_BYTES, source.remaining());
            int written = file.write(source.slice(source.position(), count), position);
            source.position(source.position() + written);
            return written;
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
