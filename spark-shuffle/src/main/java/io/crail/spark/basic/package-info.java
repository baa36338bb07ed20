// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Records whose keys and values are primitives, strings, or arrays of primitives as bytes: what
 * Spark takes Kryo for without being asked.
 *
 * <p>Whoever looks for the serialiser of a shuffle asks {@code BasicSerializer} whether it takes
 * that one's place. A record goes from its objects into the stream of its partition, and out of one
 * into objects, without a buffer between. What is of another type after all goes by the serialiser
 * that was there before, object by object.
 */
@NullMarked
package io.crail.spark.basic;

import org.jspecify.annotations.NullMarked;
