// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/**
 * The command was sent, but its completion never came: it may or may not have been executed, wholly
 * or in part, and may be no more afterwards. Who needs to know reads the blocks again, or writes
 * elsewhere.
 */
public final class NvmeOutcomeUnknownException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeOutcomeUnknownException(String message) {
        super(message);
    }

    public NvmeOutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
