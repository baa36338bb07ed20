// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.interop;

import org.apache.spark.ShuffleDependency;
import org.apache.spark.shuffle.checksum.RowBasedChecksum;
import org.jspecify.annotations.Nullable;

/**
 * Checksums of the rows that a task writes to each partition, in whatever order: by them Spark
 * notices that a stage that ran again gave other rows. Spark has them since 4.1; before it, and
 * where the application does not want them, there are none. Belongs to the thread of the task.
 */
public final class RowChecksums {
    /** Whether this Spark has them. */
    static final boolean EXIST = exist();

    /** A {@code RowBasedChecksum[]}, a class that Spark 4.0 does not have; null without any. */
    private final @Nullable Object checksums;

    private RowChecksums(@Nullable Object checksums) {
        this.checksums = checksums;
    }

    private static boolean exist() {
        try {
            return ShuffleDependency.class.getMethod("rowBasedChecksums") != null;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    /** Those that a shuffle asks for. */
    public static RowChecksums of(ShuffleDependency<?, ?, ?> dependency) {
        return new RowChecksums(EXIST ? Since41.of(dependency) : null);
    }

    /** None. */
    public static RowChecksums none() {
        return new RowChecksums(null);
    }

    /** Takes a row into account. */
    public void update(int partition, Object key, Object value) {
        if (checksums != null) {
            Since41.update(checksums, partition, key, value);
        }
    }

    /** Loaded where Spark has the class that it names. */
    static final class Since41 {
        private static final RowBasedChecksum[] NONE = {};

        private Since41() {}

        static @Nullable Object of(ShuffleDependency<?, ?, ?> dependency) {
            RowBasedChecksum[] wanted = dependency.rowBasedChecksums();
            return wanted.length == 0 ? null : wanted;
        }

        static RowBasedChecksum[] checksumsOf(RowChecksums some) {
            return some.checksums == null ? NONE : (RowBasedChecksum[]) some.checksums;
        }

        static void update(Object checksums, int partition, Object key, Object value) {
            ((RowBasedChecksum[]) checksums)[partition].update(key, value);
        }

        static long aggregated(RowChecksums some) {
            return RowBasedChecksum.getAggregatedChecksumValue(checksumsOf(some));
        }
    }
}
