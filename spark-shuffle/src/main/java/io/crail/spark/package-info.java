// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * crail as the place of Spark's shuffle blocks and broadcasts: what Spark is told to load.
 *
 * <p>An application names {@link io.crail.spark.CrailSparkPlugin} and the namenode, and the plug-in
 * sets the rest: the shuffle manager, whose writers, readers and sorters are in the packages below,
 * the driver components, which remove what is over, and the broadcast factory.
 */
@NullMarked
package io.crail.spark;

import org.jspecify.annotations.NullMarked;
