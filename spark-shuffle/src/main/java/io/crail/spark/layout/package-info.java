// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What a file with the output of one map task looks like.
 *
 * <p>A writer notes the pieces that it appends in a {@link
 * io.crail.spark.layout.MapOutputIndexBuilder} and puts its footer behind them; a reader decodes
 * the end of the file into a {@link io.crail.spark.layout.MapOutputIndex} and asks it where the
 * bytes of partitions are. Only bytes and numbers: nothing here knows Spark or the store.
 */
@NullMarked
package io.crail.spark.layout;

import org.jspecify.annotations.NullMarked;
