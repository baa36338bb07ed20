// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The session is unknown to the namenode or has ended. */
public final class SessionExpiredException extends CrailException {
    private static final long serialVersionUID = 1L;

    public SessionExpiredException(String message) {
        this(message, null);
    }

    public SessionExpiredException(String message, @Nullable Throwable cause) {
        super(ErrorCode.SESSION_EXPIRED, message, cause);
    }
}
