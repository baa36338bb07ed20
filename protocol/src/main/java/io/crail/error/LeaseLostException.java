// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/**
 * The writer no longer holds the lease of the file: it expired, was taken over, or the file was
 * replaced.
 */
public final class LeaseLostException extends CrailException {
    private static final long serialVersionUID = 1L;

    public LeaseLostException(String message) {
        this(message, null);
    }

    public LeaseLostException(String message, @Nullable Throwable cause) {
        super(ErrorCode.LEASE_LOST, message, cause);
    }
}
