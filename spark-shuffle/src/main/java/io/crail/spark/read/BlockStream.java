// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.read;

/**
 * Bytes that were serialised, compressed and encrypted together. Belongs to the thread of the task.
 */
final class BlockStream {
    private final OpenBlocks source;
    private final int partition;
    private final long offset;
    private long length;

    BlockStream(OpenBlocks source, int partition, long offset, long length) {
        this.source = source;
        this.partition = partition;
        this.offset = offset;
        this.length = length;
    }

    OpenBlocks source() {
        return source;
    }

    int partition() {
        return partition;
    }

    /** Position in the file of the first byte. */
    long offset() {
        return offset;
    }

    /** Whether this is the same block of Spark as another stream. */
    boolean isOfSameBlock(BlockStream other) {
        return source == other.source && partition == other.partition;
    }

    /** Bytes. */
    long length() {
        return length;
    }

    void extend(long more) {
        length += more;
    }
}
