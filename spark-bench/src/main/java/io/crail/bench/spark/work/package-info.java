// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Applications of Spark that do a {@link io.crail.bench.spark.Job} in rounds.
 *
 * <p>The benchmark starts {@link io.crail.bench.spark.work.DriverMain} and talks to it by lines. A
 * {@link io.crail.bench.spark.work.Workload} makes its input by generators with fixed seeds, so
 * that all applications come to the same digest, whatever keeps their shuffles.
 */
@NullMarked
package io.crail.bench.spark.work;

import org.jspecify.annotations.NullMarked;
