// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The name is taken already. */
public final class NodeExistsException extends CrailException {
    private static final long serialVersionUID = 1L;

    public NodeExistsException(String message) {
        this(message, null);
    }

    public NodeExistsException(String message, @Nullable Throwable cause) {
        super(ErrorCode.NODE_EXISTS, message, cause);
    }
}
