// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code crail bench}: what crail can do beside what the machine can do.
 *
 * <p>Operators enter by {@link io.crail.cli.bench.BenchCommands}. A command starts a cluster of
 * processes of its own, or takes an existing one, hands it to {@link io.crail.bench.Targets},
 * {@link io.crail.bench.load.Benchmark} or {@link io.crail.bench.HadoopBenchmark}, which measure,
 * and shows the results as a table and as JSON.
 */
@NullMarked
package io.crail.cli.bench;

import org.jspecify.annotations.NullMarked;
