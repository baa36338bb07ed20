// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The reduce side of a shuffle: from map outputs to records.
 *
 * <p>A {@link io.crail.spark.read.CrailShuffleReader} enters with the places of map outputs that
 * Spark knows. They are opened ahead, in the order in which they will be used; what is memory of
 * this host is looked at in place when it is its turn, all else is fetched ahead within a bounded
 * memory. What cannot be read leaves as Spark's own exception, so that it runs that one map task
 * again. A {@link io.crail.spark.read.SampleInput} reads the same way what Spark does not know.
 */
@NullMarked
package io.crail.spark.read;

import org.jspecify.annotations.NullMarked;
