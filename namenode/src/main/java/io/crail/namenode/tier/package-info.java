// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Decides which nodes move between storage classes, and who moves them (docs/adr/0020-tiering.md).
 *
 * <p>The engine enters with {@link io.crail.namenode.tier.TierPlanner}, in its own thread, when a
 * mover asks; a {@link io.crail.namenode.tier.Plan} leaves. Nothing here changes the state: what is
 * planned becomes true by MOVE, or not at all.
 */
@NullMarked
package io.crail.namenode.tier;

import org.jspecify.annotations.NullMarked;
