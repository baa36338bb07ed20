// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Counts the bytes of a stream, and notes its end. Belongs to the thread of the task. */
final class CountedStream extends FilterInputStream {
    private long bytes;
    private boolean ended;

    CountedStream(InputStream in) {
        super(in);
    }

    @Override
    public int read() throws IOException {
        int read = in.read();
        count(read, 1);
        return read;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
        int read = in.read(target, offset, length);
        count(read, read);
        return read;
    }

    @Override
    public long skip(long wanted) throws IOException {
        long skipped = in.skip(wanted);
        bytes += skipped;
        return skipped;
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    private void count(int read, int more) {
        if (read < 0) {
            ended = true;
        } else {
            bytes += more;
        }
    }

    /** Bytes of the last record if the stream has ended in the middle of it, else 0. */
    long incomplete(int recordLength) {
        return ended ? bytes % recordLength : 0;
    }
}
