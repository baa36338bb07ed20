// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * crail through the API of Hadoop, beside its Java client and a real HDFS.
 *
 * <p>The command enters by {@link io.crail.bench.hadoop.HadoopRows}, which it finds by
 * ServiceLoader. An {@link io.crail.bench.hadoop.Operation} is prepared in two {@link
 * io.crail.bench.hadoop.Store}s and done in alternating batches; results come out.
 */
@NullMarked
package io.crail.bench.hadoop;

import org.jspecify.annotations.NullMarked;
