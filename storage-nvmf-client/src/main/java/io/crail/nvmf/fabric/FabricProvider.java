// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.fabric;

import io.crail.nvmf.initiator.error.NvmeException;

/** Opens the fabric of one scheme; found with ServiceLoader. */
public interface FabricProvider {
    /** The scheme in addresses of targets: {@code tcp}, {@code rdma}. */
    String scheme();

    /** A fabric of the caller's own. */
    Fabric open() throws NvmeException;
}
