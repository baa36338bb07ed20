// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.hadoop.stream;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a stream is going to be read. */
public enum ReadPolicy {
    /** Front to back: what follows is fetched ahead. */
    SEQUENTIAL,

    /** Here and there: large reads fetch what was asked for and no more. */
    RANDOM;

    private static final Set<String> RANDOM_NAMES =
            Set.of("random", "vector", "columnar", "parquet", "orc", "hbase");

    private static final Set<String> SEQUENTIAL_NAMES =
            Set.of("sequential", "whole-file", "default", "adaptive", "avro", "csv", "json");

    /**
     * The first policy of a list that is known.
     *
     * @param names separated by commas, in order of preference; null = none
     */
    public static ReadPolicy of(@Nullable String names) {
        if (names != null) {
            for (String name : names.split(",", -1)) {
                String plain = name.trim().toLowerCase(Locale.ROOT);
                if (RANDOM_NAMES.contains(plain)) {
                    return RANDOM;
                }
                if (SEQUENTIAL_NAMES.contains(plain)) {
                    return SEQUENTIAL;
                }
            }
        }
        return SEQUENTIAL;
    }
}
