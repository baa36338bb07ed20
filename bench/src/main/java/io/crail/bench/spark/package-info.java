// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Spark with crail beside Spark as it is shipped.
 *
 * <p>Commands enter by {@link io.crail.bench.spark.SparkRows} and say how applications are started;
 * rounds of both kinds alternate, and a {@link io.crail.bench.spark.SparkResult} a row comes out.
 * Nothing here needs Spark: applications are processes that are told a {@link
 * io.crail.bench.spark.Job} line by line ({@link io.crail.bench.spark.Conversation}).
 */
@NullMarked
package io.crail.bench.spark;

import org.jspecify.annotations.NullMarked;
