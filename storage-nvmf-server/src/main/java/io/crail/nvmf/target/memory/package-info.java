// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The memory that data of commands passes through, between socket and medium: one bounded pool of
 * aligned direct buffers. Connections take a buffer for a command and give it back when the medium
 * has the data or the socket took it; who gets none waits for a release. {@link
 * io.crail.nvmf.target.memory.HugePages} makes it lie together for the device.
 */
@NullMarked
package io.crail.nvmf.target.memory;

import org.jspecify.annotations.NullMarked;
