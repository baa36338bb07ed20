// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The namespace in memory: nodes, their names and contents, subtree totals. Only the engine thread
 * enters. Nothing here decides whether a change is allowed or logs it; {@code state} does that and
 * calls in. Every change of a node announces itself first ({@link
 * io.crail.namenode.tree.Tree#touch}), so that a running snapshot can save how the node was.
 */
@NullMarked
package io.crail.namenode.tree;

import org.jspecify.annotations.NullMarked;
