// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Streams in frames that are compressed by LZ4 or raw: what Spark's own stream of LZ4 does, without
 * objects for each stream and without a second checksum, since the store keeps one.
 *
 * <p>A writer enters with bytes and a {@link io.crail.spark.frame.FrameSink} whose buffers are
 * filled in place; a reader with a {@link io.crail.spark.frame.FrameSource}, out of whose buffers
 * frames are decompressed in place. Nothing here knows Spark or the store.
 */
@NullMarked
package io.crail.spark.frame;

import org.jspecify.annotations.NullMarked;
