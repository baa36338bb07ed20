// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailIterator;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * The Java client, asked for the same as the file system.
 *
 * @param client is closed with this one
 */
record ClientStore(CrailClient client) implements Store {
    private static final CreateOptions OPTIONS =
            CreateOptions.builder().overwrite(true).parents(true).build();

    @Override
    public void stat(String path) throws IOException {
        if (client.lookup(path).isEmpty()) {
            throw new InternalException("lookup " + path + ": it has vanished");
        }
    }

    @Override
    public void mkdirs(String path) throws IOException {
        client.mkdir(path, CreateOptions.PARENTS);
    }

    @Override
    public void create(String path) throws IOException {
        client.createFile(path, OPTIONS).close();
    }

    @Override
    public void write(String path, byte[] buffer, long bytes) throws IOException {
        try (CrailOutputStream out = client.createFile(path, OPTIONS)) {
            for (long done = 0; done < bytes; done += buffer.length) {
                out.write(buffer, 0, buffer.length);
            }
        }
    }

    @Override
    public long read(String path, byte[] buffer) throws IOException {
        try (CrailFile file = client.open(path);
                CrailInputStream in = file.newInputStream()) {
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
        CrailIterator<DirectoryEntry> entries = client.list(path);
        int count = 0;
        while (entries.hasNext()) {
            entries.next();
            count++;
        }
        return count;
    }

    @Override
    public void remove(String path) throws IOException {
        client.delete(path, true);
    }

    @Override
    public Places open(String path) throws IOException {
        return new OpenFile(client.open(path));
    }

    @Override
    public void close() {
        client.close();
    }

    private record OpenFile(CrailFile file) implements Places {
        @Override
        public void read(long position, byte[] buffer) throws IOException {
            file.readFully(position, ByteBuffer.wrap(buffer));
        }

        @Override
        public void readVectored(List<Long> positions, int length) throws IOException {
            List<CrailFile.Range> ranges = new ArrayList<>(positions.size());
            for (long position : positions) {
                ranges.add(new CrailFile.Range(position, ByteBuffer.allocate(length)));
            }
            file.readVectored(ranges);
        }

        @Override
        public void close() {
            file.close();
        }
    }
}
