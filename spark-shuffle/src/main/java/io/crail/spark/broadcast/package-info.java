// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Broadcast variables in crail.
 *
 * <p>On the driver Spark's broadcast manager enters at {@link
 * io.crail.spark.broadcast.CrailBroadcastFactory}, which leaves small values to Spark and writes
 * the others, chunk by chunk, to a file of the application. Tasks enter at {@link
 * io.crail.spark.broadcast.CrailBroadcast}: the first of an executor reads the file, and all others
 * find the value with Spark's block manager.
 */
@NullMarked
package io.crail.spark.broadcast;

import org.jspecify.annotations.NullMarked;
