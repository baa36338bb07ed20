// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** A defect of crail itself, or an error from a newer peer. Please report it. */
public final class InternalException extends CrailException {
    private static final long serialVersionUID = 1L;

    public InternalException(String message) {
        this(message, null);
    }

    public InternalException(String message, @Nullable Throwable cause) {
        super(ErrorCode.INTERNAL, message, cause);
    }
}
