// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The reduce side of a shuffle: from map outputs to records.
 *
 * <p>A {@link io.crail.spark.read.CrailShuffleReader} enters with the places of map outputs that
 * Spark knows. They are opened and their bytes fetched ahead, in the order in which they will be
 * used, within a bounded memory; what cannot be read leaves as Spark's own exception, so that it
 * runs that one map task again.
 */
@NullMarked
package io.crail.spark.read;

import org.jspecify.annotations.NullMarked;
