// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.row;

import java.util.List;

/** All rows, in the order of the table of targets. */
public final class Rows {
    private static final long ROOM = 512L << 20;

    private Rows() {}

    /** All rows. */
    public static List<Row> all() {
        return List.of(
                LookupRow.overTcp(),
                LookupRow.local(),
                GetRow.small(),
                PutRow.small(),
                GetRow.large(),
                PutRow.large(),
                SequentialReadRow.local(),
                SequentialWriteRow.local(),
                new ViewRow(),
                SequentialReadRow.overTcp(),
                SequentialWriteRow.overTcp(),
                new RandomReadRow(),
                new ThreadsRow(),
                new LookupRateRow());
    }

    /** Bytes of mapped memory of the limits: as much as crail's files have. */
    public static int limitBytes(Effort effort) {
        return effort.totalBytes();
    }

    /** Bytes that a storage server must offer: two files of that size, and as much again. */
    public static long capacity(Effort effort) {
        return 3L * effort.totalBytes() + ROOM;
    }
}
