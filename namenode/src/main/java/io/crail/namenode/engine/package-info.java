// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The engine: one thread that answers requests, batch after batch. Requests come in from {@code
 * rpc}, are checked against {@code state}, become mutations which are applied and logged, and leave
 * as answers. Also here: timers, long polls, snapshots, and what happens when the log fails. See
 * docs/adr/0002-namenode-engine.md.
 */
@NullMarked
package io.crail.namenode.engine;

import org.jspecify.annotations.NullMarked;
