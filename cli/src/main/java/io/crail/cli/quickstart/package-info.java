// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code crail quickstart}: the main job on real input by one command.
 *
 * <p>Operators enter by {@link io.crail.cli.quickstart.QuickstartCommand}. It starts a cluster of
 * processes of its own and runs steps against it, some of which start further processes, whose part
 * is a hidden command. Each step compares what it reads with what was written, and adds rows to the
 * report: batches of crail in turn with batches of the machine without it.
 */
@NullMarked
package io.crail.cli.quickstart;

import org.jspecify.annotations.NullMarked;
