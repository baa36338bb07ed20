// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** A limit is reached or a server is not ready yet; the same call may succeed later. */
public final class BusyException extends CrailException {
    private static final long serialVersionUID = 1L;

    public BusyException(String message) {
        this(message, null);
    }

    public BusyException(String message, @Nullable Throwable cause) {
        super(ErrorCode.BUSY, message, cause);
    }
}
