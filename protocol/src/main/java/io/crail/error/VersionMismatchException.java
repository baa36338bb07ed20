// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/**
 * The peers share no protocol version, or belong to different clusters, or the epoch went
 * backwards.
 */
public final class VersionMismatchException extends CrailException {
    private static final long serialVersionUID = 1L;

    public VersionMismatchException(String message) {
        this(message, null);
    }

    public VersionMismatchException(String message, @Nullable Throwable cause) {
        super(ErrorCode.VERSION_MISMATCH, message, cause);
    }
}
