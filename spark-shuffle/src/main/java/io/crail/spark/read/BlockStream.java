// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

import io.crail.spark.layout.StreamFormat;

/** Bytes that were compressed and encrypted together. Belongs to the thread of the task. */
final class BlockStream {
    private final OpenBlocks source;
    private final int partition;
    private final StreamFormat format;
    private long length;

    BlockStream(OpenBlocks source, int partition, StreamFormat format, long length) {
        this.source = source;
        this.partition = partition;
        this.format = format;
        this.length = length;
    }

    OpenBlocks source() {
        return source;
    }

    int partition() {
        return partition;
    }

    StreamFormat format() {
        return format;
    }

    /** Bytes. */
    long length() {
        return length;
    }

    void extend(long more) {
        length += more;
    }
}
