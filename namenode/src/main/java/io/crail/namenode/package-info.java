// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The namenode: the one process that knows every node of the name space and every block.
 *
 * <p>Clients and storage servers enter through its RPC server only, with the messages of the
 * protocol module. A request passes from the network loop to the tree, the block manager and the
 * sessions; a mutation is written to the log before it is answered. All metadata is in memory, no
 * data passes through here, and nothing of the client or of the storage servers is used.
 */
@NullMarked
package io.crail.namenode;

import org.jspecify.annotations.NullMarked;
