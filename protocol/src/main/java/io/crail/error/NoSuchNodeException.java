// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The path, key or node id names nothing. */
public final class NoSuchNodeException extends CrailException {
    private static final long serialVersionUID = 1L;

    public NoSuchNodeException(String message) {
        this(message, null);
    }

    public NoSuchNodeException(String message, @Nullable Throwable cause) {
        super(ErrorCode.NO_SUCH_NODE, message, cause);
    }
}
