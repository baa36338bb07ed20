// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The records of a file, which are in order. It is opened when the first is asked for. Belongs to
 * the thread of the task.
 */
final class SortedFile implements SortedRecords, AutoCloseable {
    private static final int USUAL = 32 << 10;

    private final SpillFile file;
    private final int recordLength;
    private final int capacity;
    private byte[] chunk = {};
    private int offset;
    private int end;
    private @Nullable InputStream stream;

    SortedFile(SpillFile file, int recordLength) {
        this.file = file;
        this.recordLength = recordLength;
        this.capacity = Math.max(1, USUAL / recordLength) * recordLength;
    }

    @Override
    public boolean advance() throws IOException {
        offset += recordLength;
        if (offset < end) {
            return true;
        }
        InputStream open = stream;
        if (open == null) {
            open = file.read();
            stream = open;
            chunk = new byte[capacity];
        }
        end = open.readNBytes(chunk, 0, capacity);
        FixedSizeInput.checkWhole(end, recordLength);
        offset = 0;
        return end > 0;
    }

    @Override
    public byte[] array() {
        return chunk;
    }

    @Override
    public int offset() {
        return offset;
    }

    /** Removes the file. Idempotent. */
    @Override
    public void close() {
        InputStream open = stream;
        stream = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It has been read.
            }
        }
        file.delete();
    }
}
