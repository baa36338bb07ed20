// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The server half of the flash tier: blocks in a namespace that clients read and write at the
 * built-in target itself. The frame of storage servers enters by {@link
 * io.crail.nvmf.tier.NvmfTierProvider}; the target asks {@link io.crail.nvmf.tier.SessionAdmission}
 * who may connect and {@link io.crail.nvmf.tier.BlockGuard} which command may pass. Revocations
 * flow in from the frame, raised counters to the medium by {@link io.crail.nvmf.tier.CounterStore},
 * freed blocks out.
 *
 * <p>Or in a namespace of a target that is somebody else's, where nobody asks anybody: {@link
 * io.crail.nvmf.tier.ExternalTier}. Then {@link io.crail.nvmf.tier.RemoteMedium} is the medium,
 * {@link io.crail.nvmf.tier.Ownership} keeps other servers out, and a freed block passes through
 * {@link io.crail.nvmf.tier.Quarantine} until {@link io.crail.nvmf.tier.Fence} lets it out, by way
 * of {@link io.crail.nvmf.tier.Deallocation}. Decided in docs/adr/0021-flash-tier.md. What keeps
 * either from starting gets its meaning in {@link io.crail.nvmf.tier.StartFailures}.
 */
@NullMarked
package io.crail.nvmf.tier;

import org.jspecify.annotations.NullMarked;
