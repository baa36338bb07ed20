// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/**
 * The peer sent bytes that are not a valid message of this protocol: malformed frame, absurd
 * length, unknown type.
 */
public final class ProtocolException extends CrailException {
    private static final long serialVersionUID = 1L;

    public ProtocolException(String message) {
        this(message, null);
    }

    public ProtocolException(String message, @Nullable Throwable cause) {
        super(ErrorCode.PROTOCOL, message, cause);
    }
}
