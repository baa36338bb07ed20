// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * What is remembered about the local clusters of a user: where, which processes, which namenode.
 *
 * <p>The cluster commands write it; every other command, and programs that name no namenode, look
 * up that of the cluster that runs. A process is recognised by its id together with its start time,
 * so that nobody ends a stranger that was given the same id.
 */
@NullMarked
package io.crail.client.local;

import org.jspecify.annotations.NullMarked;
