// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** An offset lies outside the valid range; the message names that range. */
public final class OffsetOutOfRangeException extends CrailException {
    private static final long serialVersionUID = 1L;

    public OffsetOutOfRangeException(String message) {
        this(message, null);
    }

    public OffsetOutOfRangeException(String message, @Nullable Throwable cause) {
        super(ErrorCode.OFFSET_OUT_OF_RANGE, message, cause);
    }
}
