// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The built-in target without a cluster: a file or a block device for any host that speaks
 * NVMe/TCP.
 *
 * <p>The command enters by {@link java.util.ServiceLoader}, see {@link io.crail.protocol.launch}. A
 * request goes in, is checked as far as that can be done before anything is made, and a target that
 * serves comes out; failures of the target come out as errors with a code. What other targets
 * serve, {@link io.crail.nvmf.serve.LogPageDiscovery} reads with the initiator.
 */
@NullMarked
package io.crail.nvmf.serve;

import org.jspecify.annotations.NullMarked;
