// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What Java needs where it meets Spark's Scala.
 *
 * <p>Scala knows neither checked exceptions nor calls without class tags; readers and writers come
 * here for both.
 */
@NullMarked
package io.crail.spark.interop;

import org.jspecify.annotations.NullMarked;
