// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Who drives the I/O: one selector, timers and a place where completions are handed out, driven by
 * the threads that wait and, when none does, by one daemon thread. Queues enter with their
 * channels; readiness goes to them, completions come back.
 */
@NullMarked
package io.crail.nvmf.initiator.engine;

import org.jspecify.annotations.NullMarked;
