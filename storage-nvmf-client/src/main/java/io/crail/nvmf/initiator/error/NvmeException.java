// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Something about an NVMe target failed. The subclass says what, and whether a command may have
 * been executed: only after {@link NvmeOutcomeUnknownException} is that unknown.
 */
public abstract class NvmeException extends IOException {
    private static final long serialVersionUID = 1L;

    NvmeException(String message) {
        super(message);
    }

    NvmeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
