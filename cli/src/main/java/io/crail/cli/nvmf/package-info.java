// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * The commands of {@code crail nvmf}: NVMe over Fabrics for any host, without a cluster.
 *
 * <p>Each class is one command; {@link io.crail.cli.nvmf.NvmfCommands} names them all. {@code
 * target} is a server, which is found and ends as those of {@code io.crail.cli.server}; what it is
 * to serve goes out as a {@link io.crail.protocol.launch.TargetRequest}. {@code discover} asks
 * others what they serve. Errors come back with a code and say what to do.
 */
@NullMarked
package io.crail.cli.nvmf;

import org.jspecify.annotations.NullMarked;
