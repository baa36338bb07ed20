// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The node exists but is of a type for which the operation is not defined. */
public final class WrongNodeTypeException extends CrailException {
    private static final long serialVersionUID = 1L;

    public WrongNodeTypeException(String message) {
        this(message, null);
    }

    public WrongNodeTypeException(String message, @Nullable Throwable cause) {
        super(ErrorCode.WRONG_NODE_TYPE, message, cause);
    }
}
