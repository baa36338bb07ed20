// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

/** The sorter that is used if no other is named. */
public final class ByteOrderSorter implements RecordSorter {
    @Override
    public RecordSort begin(SortTask task) {
        return new ByteOrderSort(task);
    }
}
