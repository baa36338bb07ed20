// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** A storage server that holds blocks of the node is gone. */
public final class ServerLostException extends CrailException {
    private static final long serialVersionUID = 1L;

    public ServerLostException(String message) {
        this(message, null);
    }

    public ServerLostException(String message, @Nullable Throwable cause) {
        super(ErrorCode.SERVER_LOST, message, cause);
    }
}
