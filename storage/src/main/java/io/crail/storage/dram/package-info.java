// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The DRAM tier's server half: segments in shared memory, served over TCP. It puts together what
 * the packages segment, block and tcp offer, and shows it to the frame as a StorageTier; nobody
 * enters here but ServiceLoader.
 */
@NullMarked
package io.crail.storage.dram;

import org.jspecify.annotations.NullMarked;
