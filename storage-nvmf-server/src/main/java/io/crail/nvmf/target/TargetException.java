// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A target cannot start, or cannot stop as it should; the message says why and what to do. */
public final class TargetException extends IOException {
    private static final long serialVersionUID = 1L;

    TargetException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
