// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * {@code crail top}: what a cluster does at this moment, again and again.
 *
 * <p>{@link io.crail.cli.top.TopCommand} enters; a {@link io.crail.cli.top.Sampler} asks the
 * namenode, which also tells where all servers show their status, and these; two of its snapshots
 * make an {@link io.crail.cli.top.Activity}, which leaves as a screen, as text or as JSON. What
 * does not answer in time is shown as such, and never waited for.
 */
@NullMarked
package io.crail.cli.top;

import org.jspecify.annotations.NullMarked;
