// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

import org.apache.spark.Partitioner;

/** Ranges of keys that are spread evenly, by their first two bytes. */
final class KeyRanges extends Partitioner {
    private static final long serialVersionUID = 1;
    private static final int PREFIXES = 1 << 16;

    private final int partitions;

    KeyRanges(int partitions) {
        this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
        return partitions;
    }

    @Override
    public int getPartition(Object key) {
        byte[] bytes = (byte[]) key;
        int prefix = ((bytes[0] & 0xff) << 8) | (bytes[1] & 0xff);
        return (int) ((long) prefix * partitions / PREFIXES);
    }
}
