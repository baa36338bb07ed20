// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/** Offset, length or buffer do not fit the logical blocks: this layer neither pads nor merges. */
public final class NvmeAlignmentException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeAlignmentException(String message) {
        super(message);
    }

    public NvmeAlignmentException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
