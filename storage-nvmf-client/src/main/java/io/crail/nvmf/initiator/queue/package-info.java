// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * One queue of a controller, which is one connection; here over TCP, and others make theirs by a
 * {@link io.crail.nvmf.initiator.queue.QueueFactory}. Its set-up, places for commands, what is sent
 * and what is received. Controllers enter with commands; each comes back exactly once, with a
 * completion entry or with the reason why there is none. Bytes of data go straight between the
 * connection and the buffers of callers.
 */
@NullMarked
package io.crail.nvmf.initiator.queue;

import org.jspecify.annotations.NullMarked;
