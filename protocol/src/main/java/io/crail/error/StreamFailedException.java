// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import org.jspecify.annotations.Nullable;

/** An earlier operation of this stream failed, so the stream accepts no more data. */
public final class StreamFailedException extends CrailException {
    private static final long serialVersionUID = 1L;

    public StreamFailedException(String message) {
        this(message, null);
    }

    public StreamFailedException(String message, @Nullable Throwable cause) {
        super(ErrorCode.STREAM_FAILED, message, cause);
    }
}
