// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * A command on its way through the target, and what knows how to carry one out. A connection fills
 * a Command from a capsule, lets the CommandSet of its queue say what data it needs, moves the
 * data, and has it executed: on the event loop, or by a worker if it may wait for a medium.
 */
@NullMarked
package io.crail.nvmf.target.command;

import org.jspecify.annotations.NullMarked;
