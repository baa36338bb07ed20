// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The general benchmarks: metadata, data, keys and values, in every combination of what the user
 * asks for, each row beside the limit of the machine for the same work.
 *
 * <p>{@code crail bench} enters by {@link io.crail.bench.load.Benchmark}: a plan of the user's
 * wishes gives rows, a row makes one or more members (clients in processes of their own), a member
 * has threads, and each thread has a {@link io.crail.bench.load.Work} of crail and one of the
 * limit. Results come out by {@link io.crail.bench.load.LoadRow}.
 */
@NullMarked
package io.crail.bench.load;

import org.jspecify.annotations.NullMarked;
