// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import org.jspecify.annotations.Nullable;

/** The target cannot do what was asked for, or the initiator cannot use what the target has. */
public final class NvmeUnsupportedException extends NvmeException {
    private static final long serialVersionUID = 1L;

    public NvmeUnsupportedException(String message) {
        super(message);
    }

    public NvmeUnsupportedException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
