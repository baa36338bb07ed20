// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0

/**
 * The queues of our initiator over RDMA (NVMe RDMA Transport Specification 1.0), by the verbs of
 * DiSNI. The fabric of the scheme {@code rdma} enters here, found by ServiceLoader; all above the
 * queues - set-up, keep-alive, retries, recovery - is what TCP has. A command is copied, with its
 * data, into registered memory of its queue, from where the controller takes it; the data of a read
 * goes the other way. One thread polls for all queues.
 */
@NullMarked
package io.crail.nvmf.rdma;

import org.jspecify.annotations.NullMarked;
