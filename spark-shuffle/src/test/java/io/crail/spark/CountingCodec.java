// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.SparkConf;
import org.apache.spark.io.CompressionCodec;

/** Compresses nothing, and counts the streams that are open, in this JVM. */
public final class CountingCodec implements CompressionCodec {
    static final AtomicInteger OPENED = new AtomicInteger();
    static final AtomicInteger OPEN = new AtomicInteger();

    /** As Spark makes it. */
    public CountingCodec(SparkConf conf) {}

    @Override
    public OutputStream compressedOutputStream(OutputStream target) {
        OPENED.incrementAndGet();
        OPEN.incrementAndGet();
        AtomicBoolean closed = new AtomicBoolean();
        return new FilterOutputStream(target) {
            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }

            @Override
            public void close() throws IOException {
                if (closed.compareAndSet(false, true)) {
                    OPEN.decrementAndGet();
                    super.close();
                }
            }
        };
    }

    @Override
    public InputStream compressedInputStream(InputStream source) {
        return source;
    }
}
