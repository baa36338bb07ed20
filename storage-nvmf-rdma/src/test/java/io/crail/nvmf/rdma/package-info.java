// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/** What of the queues can be tried without a device; the rest is tried in a virtual machine. */
@NullMarked
package io.crail.nvmf.rdma;

import org.jspecify.annotations.NullMarked;
