// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What Java needs where it meets Spark's Scala, and where versions of Spark differ.
 *
 * <p>Scala knows neither checked exceptions nor calls without class tags; readers and writers come
 * here for both, for what Spark calls by another name in another version, and for the context of
 * work that no scheduler knows.
 */
@NullMarked
package io.crail.spark.interop;

import org.jspecify.annotations.NullMarked;
