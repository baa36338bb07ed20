// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What can go wrong, as one tree of exceptions under {@link
 * io.crail.nvmf.initiator.error.NvmeException}. Everybody enters here. A message names the
 * controller and the command, says why, and where it helps what to do.
 */
@NullMarked
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.NullMarked;
