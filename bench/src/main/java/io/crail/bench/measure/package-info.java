// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * How to measure: alternating batches, quantiles, processor time, cores to run on.
 *
 * <p>Benchmarks and the quickstart enter; numbers go in, and medians, ratios and ranges come out.
 * Nothing here knows what is measured.
 */
@NullMarked
package io.crail.bench.measure;

import org.jspecify.annotations.NullMarked;
