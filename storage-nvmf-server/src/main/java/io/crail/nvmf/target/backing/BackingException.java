// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file or device cannot be served; the message says which, why, and what to do. */
public final class BackingException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What has to change before another attempt can succeed. */
    public enum Reason {
        /** The file system has too little space. */
        NO_SPACE,

        /** What was asked for: another path, another size, another way to read and write. */
        INVALID,

        /** The rights of this process. */
        DENIED,

        /** Somebody else serves it, or makes it at this moment. */
        IN_USE,

        /** The device, or the file system, which failed. */
        FAILED
    }

    private final Reason reason;

    BackingException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
