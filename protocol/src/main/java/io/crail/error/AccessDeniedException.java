// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** Permission bits, a bad grant or a failed authentication forbid the operation. */
public final class AccessDeniedException extends CrailException {
    private static final long serialVersionUID = 1L;

    public AccessDeniedException(String message) {
        this(message, null);
    }

    public AccessDeniedException(String message, @Nullable Throwable cause) {
        super(ErrorCode.ACCESS_DENIED, message, cause);
    }
}
