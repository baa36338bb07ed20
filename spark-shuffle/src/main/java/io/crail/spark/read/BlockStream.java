// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

/**
 * Bytes that were serialised, compressed and encrypted together. Belongs to the thread of the task.
 */
final class BlockStream {
    private final OpenBlocks source;
    private final int partition;
    private long length;

    BlockStream(OpenBlocks source, int partition, long length) {
        this.source = source;
        this.partition = partition;
        this.length = length;
    }

    OpenBlocks source() {
        return source;
    }

    int partition() {
        return partition;
    }

    /** Bytes. */
    long length() {
        return length;
    }

    void extend(long more) {
        length += more;
    }
}
