// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What the target counts, by host and kind of command, and the snapshots that a status page shows.
 * Connections count, whoever asks the target reads; nothing in here decides anything.
 */
@NullMarked
package io.crail.nvmf.target.status;

import org.jspecify.annotations.NullMarked;
