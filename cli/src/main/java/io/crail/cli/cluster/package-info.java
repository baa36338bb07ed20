// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code crail cluster}: a namenode and storage servers as processes of this machine.
 *
 * <p>The commands enter by {@link io.crail.cli.cluster.ClusterCommands}, the quickstart by {@link
 * io.crail.cli.cluster.ClusterStart} and {@link io.crail.cli.cluster.ClusterStop}. Processes are
 * started by bin/crail, ignore what a terminal sends, tell by their ready line that they serve, and
 * are remembered in {@link io.crail.client.local}.
 */
@NullMarked
package io.crail.cli.cluster;

import org.jspecify.annotations.NullMarked;
