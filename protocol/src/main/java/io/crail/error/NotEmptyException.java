// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** A non-recursive delete (or a replacing rename) met a container with entries. */
public final class NotEmptyException extends CrailException {
    private static final long serialVersionUID = 1L;

    public NotEmptyException(String message) {
        this(message, null);
    }

    public NotEmptyException(String message, @Nullable Throwable cause) {
        super(ErrorCode.NOT_EMPTY, message, cause);
    }
}
