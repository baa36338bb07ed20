// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * What a storage tier's server half must offer to the frame, and what the frame tells it. A tier
 * (DRAM over TCP, RDMA, NVMe-oF) implements these interfaces and is found by ServiceLoader; the
 * frame calls nothing else of it. Segments and freed blocks flow out by listeners, the cluster's
 * identity, the seal key and revocations flow in.
 */
@NullMarked
package io.crail.storage.spi;

import org.jspecify.annotations.NullMarked;
