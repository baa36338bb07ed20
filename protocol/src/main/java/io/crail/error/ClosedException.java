// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The client, stream or server was closed. */
public final class ClosedException extends CrailException {
    private static final long serialVersionUID = 1L;

    public ClosedException(String message) {
        this(message, null);
    }

    public ClosedException(String message, @Nullable Throwable cause) {
        super(ErrorCode.CLOSED, message, cause);
    }
}
