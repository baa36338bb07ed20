// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The caller gave up the operation: it cancelled it or its thread was interrupted. */
public final class CancelledException extends CrailException {
    private static final long serialVersionUID = 1L;

    public CancelledException(String message) {
        this(message, null);
    }

    public CancelledException(String message, @Nullable Throwable cause) {
        super(ErrorCode.CANCELLED, message, cause);
    }
}
