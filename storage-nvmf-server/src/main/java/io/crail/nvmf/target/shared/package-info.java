// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * Memory that the target shares with hosts of its machine, so that large data of their commands is
 * copied once, by the host, and moved between there and the medium by the kernel; sockets carry the
 * commands.
 */
@NullMarked
package io.crail.nvmf.target.shared;

import org.jspecify.annotations.NullMarked;
