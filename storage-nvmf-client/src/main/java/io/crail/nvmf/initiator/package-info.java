// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The NVMe/TCP initiator. An application enters with {@link io.crail.nvmf.initiator.NvmeInitiator},
 * connects to a controller, opens a namespace and reads and writes blocks; futures bring the
 * outcome. Data goes straight between the connection and the caller's direct buffers. Commands pass
 * through a queue of {@code queue}, driven by the threads of {@code engine}; failures are those of
 * {@code error}.
 */
@NullMarked
package io.crail.nvmf.initiator;

import org.jspecify.annotations.NullMarked;
