// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The deadline of the operation passed. Whether a mutation took place is unknown. */
public final class TimeoutException extends CrailException {
    private static final long serialVersionUID = 1L;

    public TimeoutException(String message) {
        this(message, null);
    }

    public TimeoutException(String message, @Nullable Throwable cause) {
        super(ErrorCode.TIMEOUT, message, cause);
    }
}
