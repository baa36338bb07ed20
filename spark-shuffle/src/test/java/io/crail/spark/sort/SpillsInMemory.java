// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashSet;
import java.util.Set;

/** Spills that a test can count, and that say no when they are used in a wrong way. */
final class SpillsInMemory implements SpillSpace {
    /** Files that are not deleted. */
    final Set<SpillFile> present = new HashSet<>();

    int created;
    int open;
    int mostOpen;

    /** Bytes that may be written before the store fails. */
    long capacity = Long.MAX_VALUE;

    @Override
    public SpillFile create(long memory) {
        created++;
        SpillFile file = new File();
        present.add(file);
        return file;
    }

    private final class File implements SpillFile {
        private byte[] content = {};
        private boolean written;

        @Override
        public OutputStream write() {
            return new ByteArrayOutputStream() {
                @Override
                public synchronized void write(byte[] bytes, int offset, int length) {
                    if (length > capacity) {
                        throw new java.io.UncheckedIOException(new IOException("no space"));
                    }
                    capacity -= length;
                    super.write(bytes, offset, length);
                }

                @Override
                public void close() {
                    content = toByteArray();
                    written = true;
                }
            };
        }

        @Override
        public InputStream read() throws IOException {
            if (!written || !present.contains(this)) {
                throw new IOException("there is no such file");
            }
            open++;
            mostOpen = Math.max(mostOpen, open);
            return new FilterInputStream(new ByteArrayInputStream(content)) {
                private boolean closed;

                @Override
                public void close() {
                    open -= closed ? 0 : 1;
                    closed = true;
                }
            };
        }

        @Override
        public void delete() {
            present.remove(this);
        }
    }
}
