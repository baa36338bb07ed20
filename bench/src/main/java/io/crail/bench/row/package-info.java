// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The rows of the table of targets: each one thing that crail does, beside its limit.
 *
 * <p>{@link io.crail.bench.Targets} enters by {@link io.crail.bench.row.Row}. A row gets a {@link
 * io.crail.bench.row.Stage} with servers and peer, and answers with results, one a setting.
 */
@NullMarked
package io.crail.bench.row;

import org.jspecify.annotations.NullMarked;
