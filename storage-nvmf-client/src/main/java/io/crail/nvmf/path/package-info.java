// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The client half of the flash tier: block transfers as reads and writes of a namespace, straight
 * from and to the caller's buffer. Clients enter by {@link
 * io.crail.nvmf.path.NvmfDataPathProvider}, found by ServiceLoader. A transfer becomes a job, a job
 * becomes commands of a fabric: whole units without a copy, ragged edges by way of units of the
 * path's own, checksum records that way, too, or along with the data. Completions come back on a
 * thread of the fabric. Where the target does not guard blocks, {@link
 * io.crail.nvmf.path.BlockGate} and {@link io.crail.nvmf.path.EpochWatch} do what can be done here.
 * Decided in docs/adr/0021-flash-tier.md.
 */
@NullMarked
package io.crail.nvmf.path;

import org.jspecify.annotations.NullMarked;
