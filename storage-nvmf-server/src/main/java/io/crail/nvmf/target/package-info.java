// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The built-in NVMe/TCP target: serves files and block devices as namespaces of one NVM subsystem
 * to any host that speaks NVMe over TCP, and keeps from them whom the storage server revokes.
 * Whoever runs a target enters here, with NvmeTarget and TargetConfig, and nobody goes further in.
 * Data goes from the socket (tcp) through buffers (memory) to the medium (backing) and back;
 * command sets (io, admin) say what is done, the subsystem who may.
 */
@NullMarked
package io.crail.nvmf.target;

import org.jspecify.annotations.NullMarked;
