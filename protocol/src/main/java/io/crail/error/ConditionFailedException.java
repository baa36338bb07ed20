// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** The condition of a conditional put or remove does not hold. */
public final class ConditionFailedException extends CrailException {
    private static final long serialVersionUID = 1L;

    public ConditionFailedException(String message) {
        this(message, null);
    }

    public ConditionFailedException(String message, @Nullable Throwable cause) {
        super(ErrorCode.CONDITION_FAILED, message, cause);
    }
}
