// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * Reads of files without a thread for each, advice on memory and options of sockets, where the
 * kernel has io_uring and allows it.
 *
 * <p>{@link io.crail.nvmf.target.tcp} enters by {@link io.crail.nvmf.target.ring.Ring}, which one
 * thread owns: it opens files, begins reads, and is told how they ended, and sets options of
 * listeners; {@link io.crail.nvmf.target.memory} has the kernel move pages by it. Netty's native
 * part talks to the kernel; nothing of Netty is visible outside.
 */
@NullMarked
package io.crail.nvmf.target.ring;

import org.jspecify.annotations.NullMarked;
