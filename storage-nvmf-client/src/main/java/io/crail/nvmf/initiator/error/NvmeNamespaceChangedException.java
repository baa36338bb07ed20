// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/**
 * The namespace behind the id is not the one that was opened, or no longer has its format or size.
 */
public final class NvmeNamespaceChangedException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeNamespaceChangedException(String message) {
        super(message);
    }

    public NvmeNamespaceChangedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
