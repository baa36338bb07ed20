// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** Another writer holds the lease of the file. */
public final class LeaseHeldException extends CrailException {
    private static final long serialVersionUID = 1L;

    public LeaseHeldException(String message) {
        this(message, null);
    }

    public LeaseHeldException(String message, @Nullable Throwable cause) {
        super(ErrorCode.LEASE_HELD, message, cause);
    }
}
