// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** A name, path or key breaks the naming rules (length, UTF-8, reserved names, depth). */
public final class InvalidNameException extends CrailException {
    private static final long serialVersionUID = 1L;

    public InvalidNameException(String message) {
        this(message, null);
    }

    public InvalidNameException(String message, @Nullable Throwable cause) {
        super(ErrorCode.INVALID_NAME, message, cause);
    }
}
