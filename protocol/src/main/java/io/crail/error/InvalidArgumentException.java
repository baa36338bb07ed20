// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** An argument is outside its documented range. */
public final class InvalidArgumentException extends CrailException {
    private static final long serialVersionUID = 1L;

    public InvalidArgumentException(String message) {
        this(message, null);
    }

    public InvalidArgumentException(String message, @Nullable Throwable cause) {
        super(ErrorCode.INVALID_ARGUMENT, message, cause);
    }
}
