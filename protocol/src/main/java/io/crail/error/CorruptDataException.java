// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** Bytes do not match their checksum after one re-read. */
public final class CorruptDataException extends CrailException {
    private static final long serialVersionUID = 1L;

    public CorruptDataException(String message) {
        this(message, null);
    }

    public CorruptDataException(String message, @Nullable Throwable cause) {
        super(ErrorCode.CORRUPT_DATA, message, cause);
    }
}
