// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The rows of Spark SQL as bytes: the same that Spark's own serialiser makes of them, without its
 * streams.
 *
 * <p>Whoever looks for the serialiser of a shuffle asks {@code RowSerializer} whether it takes its
 * place. Nothing else comes here, and only this room names classes of {@code spark-sql}, which are
 * not on the class path of every application.
 */
@NullMarked
package io.crail.spark.rows;

import org.jspecify.annotations.NullMarked;
