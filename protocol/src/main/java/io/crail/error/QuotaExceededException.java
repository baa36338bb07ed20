// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** A quota of a directory or tenant would be exceeded. */
public final class QuotaExceededException extends CrailException {
    private static final long serialVersionUID = 1L;

    public QuotaExceededException(String message) {
        this(message, null);
    }

    public QuotaExceededException(String message, @Nullable Throwable cause) {
        super(ErrorCode.QUOTA_EXCEEDED, message, cause);
    }
}
