// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The commands of I/O queues: checked by the event loop, carried out by workers at the medium,
 * through the gate of their queue.
 */
@NullMarked
package io.crail.nvmf.target.io;

import org.jspecify.annotations.NullMarked;
