// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file or device cannot be served; the message says which, why, and what to do. */
public final class BackingException extends IOException {
    private static final long serialVersionUID = 1L;

    BackingException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
