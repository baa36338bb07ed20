// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What every benchmark stands on: a cluster to connect to, alternating batches, threads, operations
 * under way, cores, and results with their labels.
 *
 * <p>The rows of the table of targets and the general benchmarks enter. Batches go in by {@link
 * io.crail.bench.stage.Batches}, and a {@link io.crail.bench.stage.Result} comes out; nothing here
 * knows what is measured.
 */
@NullMarked
package io.crail.bench.stage;

import org.jspecify.annotations.NullMarked;
