// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

/**
 * A way to sort records by the bytes of their keys, which an application names by {@code
 * spark.crail.shuffle.sorter}. It is used on the reduce side of shuffles whose serializer is a
 * {@link FixedSizeSerializer}, whose order is that of the bytes ({@link
 * RecordFormat#sortsAsBytes}), and that do not combine records; all others go by Spark's own.
 *
 * <p>Implementations have a public constructor without parameters. They are made for each task, by
 * the class loader of the application's jars.
 */
public interface RecordSorter {
    /** Begins a sort, which belongs to the thread of the task that begins it. */
    RecordSort begin(SortTask task);
}
