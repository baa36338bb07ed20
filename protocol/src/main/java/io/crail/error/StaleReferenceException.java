// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/**
 * A block reference is of an older generation. Internal: the client retries with fresh references
 * while the node exists.
 */
public final class StaleReferenceException extends CrailException {
    private static final long serialVersionUID = 1L;

    public StaleReferenceException(String message) {
        this(message, null);
    }

    public StaleReferenceException(String message, @Nullable Throwable cause) {
        super(ErrorCode.STALE_REFERENCE, message, cause);
    }
}
