// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The map side of a shuffle: from records to a map output.
 *
 * <p>A {@link io.crail.spark.write.CrailShuffleWriter} enters with the records of a task. One of
 * three ways brings them into order of partitions: a stream for each partition, pages that are
 * sorted when they are full, or Spark's sorter. All of them compress and fill direct buffers that
 * an {@link io.crail.spark.write.OutputFile} hands to the client as they are, and that are on their
 * way while the task goes on.
 */
@NullMarked
package io.crail.spark.write;

import org.jspecify.annotations.NullMarked;
