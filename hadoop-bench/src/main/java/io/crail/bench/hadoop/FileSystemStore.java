// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.error.CancelledException;
import io.crail.error.InternalException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileRange;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;

/**
 * A file system of Hadoop, used as its applications do.
 *
 * @param fileSystem is closed with this one
 */
record FileSystemStore(FileSystem fileSystem) implements Store {
    private static final long BOUND_SECONDS = 60;

    /** A new file system, which shares nothing with others. */
    static Store open(URI uri, Configuration configuration) throws IOException {
        return new FileSystemStore(FileSystem.newInstance(uri, configuration));
    }

    @Override
    public void stat(String path) throws IOException {
        fileSystem.getFileStatus(new Path(path));
    }

    @Override
    public void mkdirs(String path) throws IOException {
        fileSystem.mkdirs(new Path(path));
    }

    @Override
    public void create(String path) throws IOException {
        fileSystem.create(new Path(path)).close();
    }

    @Override
    public void write(String path, byte[] buffer, long bytes) throws IOException {
        try (FSDataOutputStream out = fileSystem.create(new Path(path))) {
            for (long done = 0; done < bytes; done += buffer.length) {
                out.write(buffer, 0, buffer.length);
            }
        }
    }

    @Override
    public long read(String path, byte[] buffer) throws IOException {
        try (FSDataInputStream in = fileSystem.open(new Path(path))) {
            long total = 0;
            int read = in.read(buffer, 0, buffer.length);
            while (read > 0) {
                total += read;
                read = in.read(buffer, 0, buffer.length);
            }
            return total;
        }
    }

    @Override
    public int list(String path) throws IOException {
        RemoteIterator<FileStatus> entries = fileSystem.listStatusIterator(new Path(path));
        int count = 0;
        while (entries.hasNext()) {
            entries.next();
            count++;
        }
        return count;
    }

    @Override
    public void remove(String path) throws IOException {
        fileSystem.delete(new Path(path), true);
    }

    @Override
    public Places open(String path) throws IOException {
        return new OpenFile(fileSystem.open(new Path(path)));
    }

    @Override
    public void close() throws IOException {
        fileSystem.close();
    }

    private record OpenFile(FSDataInputStream in) implements Places {
        @Override
        public void read(long position, byte[] buffer) throws IOException {
            in.readFully(position, buffer);
        }

        @Override
        public void readVectored(List<Long> positions, int length) throws IOException {
            List<FileRange> ranges = new ArrayList<>(positions.size());
            for (long position : positions) {
                ranges.add(FileRange.createFileRange(position, length));
            }
            in.readVectored(ranges, ByteBuffer::allocate);
            for (FileRange range : ranges) {
                if (result(range).remaining() != length) {
                    throw new InternalException("a vectored read of " + in + " was a short one");
                }
            }
        }

        private static ByteBuffer result(FileRange range) throws IOException {
            try {
                return range.getData().get(BOUND_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new IOException("range " + range + " was not read: " + e, e);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CancelledException("interrupted", e);
            }
        }

        @Override
        public void close() throws IOException {
            in.close();
        }
    }
}
