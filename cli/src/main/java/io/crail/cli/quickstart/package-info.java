// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code crail quickstart}: the main job on real input by one command.
 *
 * <p>Operators enter by {@link io.crail.cli.quickstart.QuickstartCommand}. It starts a cluster of
 * processes of its own, runs a list of steps against it, and prints what they measured beside the
 * machine's own limits, measured in the same run.
 */
@NullMarked
package io.crail.cli.quickstart;

import org.jspecify.annotations.NullMarked;
