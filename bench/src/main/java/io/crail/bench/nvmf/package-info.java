// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
/**
 * NVMe over Fabrics beside the device: the initiator through the built-in target on loopback, and
 * fio on the same file.
 *
 * <p>The command enters by {@link io.crail.bench.nvmf.NvmfBenchmark}. A row gets an {@link
 * io.crail.bench.nvmf.Arena} with target, fio and peer, and answers with results, one a setting.
 */
@NullMarked
package io.crail.bench.nvmf;

import org.jspecify.annotations.NullMarked;
