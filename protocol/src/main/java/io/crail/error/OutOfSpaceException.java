// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/**
 * No storage class that the node may use has enough free blocks, or the limit of inline memory is
 * reached.
 */
public final class OutOfSpaceException extends CrailException {
    private static final long serialVersionUID = 1L;

    public OutOfSpaceException(String message) {
        this(message, null);
    }

    public OutOfSpaceException(String message, @Nullable Throwable cause) {
        super(ErrorCode.OUT_OF_SPACE, message, cause);
    }
}
