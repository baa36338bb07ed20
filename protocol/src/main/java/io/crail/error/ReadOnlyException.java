// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The namenode accepts no mutations, usually because its log cannot be written. */
public final class ReadOnlyException extends CrailException {
    private static final long serialVersionUID = 1L;

    public ReadOnlyException(String message) {
        this(message, null);
    }

    public ReadOnlyException(String message, @Nullable Throwable cause) {
        super(ErrorCode.READ_ONLY, message, cause);
    }
}
