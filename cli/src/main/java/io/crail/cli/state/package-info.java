// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What is remembered about local clusters between two commands: where, which processes, which
 * namenode.
 *
 * <p>The cluster commands write it, every other command may look up the namenode of the cluster
 * that runs. A process is recognised by its id together with its start time, so that nobody ends a
 * stranger that was given the same id.
 */
@NullMarked
package io.crail.cli.state;

import org.jspecify.annotations.NullMarked;
