// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The block map: which block of which storage server is in which state, and the choice of blocks to
 * grant. Owned by the engine thread, nothing here is thread-safe. The engine enters through {@link
 * io.crail.namenode.block.BlockMap}: it allocates, logs what was granted, and applies logged
 * transitions through the same methods at replay; storage servers' reports pass through it too.
 * Nothing in here is timed, random (but for an injected source), or aware of nodes.
 */
@NullMarked
package io.crail.namenode.block;

import org.jspecify.annotations.NullMarked;
