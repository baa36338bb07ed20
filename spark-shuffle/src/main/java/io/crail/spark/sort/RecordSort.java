// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;
import java.io.InputStream;

/** The sort of one task. Belongs to its thread. */
public interface RecordSort extends AutoCloseable {
    /**
     * Takes records, one behind the other, until the end of the stream. Nobody closes the stream.
     *
     * @return number of records
     * @throws io.crail.error.CorruptDataException if the stream ends in the middle of one
     */
    long add(InputStream records) throws IOException;

    /** All records in the order of their keys. Called once, when all have been added. */
    SortedRecords sorted() throws IOException;

    /** Most bytes of memory that were in use at a time. */
    long peakMemory();

    /** Gives back its memory and what it has spilled. Idempotent. */
    @Override
    void close();
}
