// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What the flash tier needs of a connection to a namespace, whatever carries it. Both halves enter
 * here: the client's path with the commands of blocks, the storage server with superblock, counters
 * and reservations of a target that is not its own. {@link io.crail.nvmf.fabric.Fabrics} finds the
 * {@link io.crail.nvmf.fabric.Fabric} of a scheme by ServiceLoader: {@code tcp} is our initiator,
 * in this artifact; others come with theirs. Nothing in here knows blocks, sessions or storage
 * servers.
 */
@NullMarked
package io.crail.nvmf.fabric;

import org.jspecify.annotations.NullMarked;
