// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.io.IOException;

/** Records in the order of their keys, one at a time. Belongs to the thread of the task. */
public interface SortedRecords {
    /**
     * Goes on to the next record, at first to the first.
     *
     * @return whether there is one
     */
    boolean advance() throws IOException;

    /** Where the bytes of the record are; good, and not to be changed, until the next advance. */
    byte[] array();

    /** Where they begin. */
    int offset();
}
