// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** An offset lies outside the valid range; the message names that range. */
public final class OffsetOutOfRangeException extends CrailException {
    private static final long serialVersionUID = 2L;

    private static final long UNKNOWN = -1;

    private final long firstValid;

    public OffsetOutOfRangeException(String message) {
        this(message, null);
    }

    /** With the first offset that is valid. */
    public OffsetOutOfRangeException(String message, long firstValid) {
        super(ErrorCode.OFFSET_OUT_OF_RANGE, message, null);
        this.firstValid = firstValid;
    }

    /**
     * As {@link #OffsetOutOfRangeException(String)}; a cause of this class passes its offset on.
     */
    public OffsetOutOfRangeException(String message, @Nullable Throwable cause) {
        super(ErrorCode.OFFSET_OUT_OF_RANGE, message, cause);
        this.firstValid =
                cause instanceof OffsetOutOfRangeException known ? known.firstValid : UNKNOWN;
    }

    /** The first offset that is valid, if it is known: of a STREAM. */
    public OptionalLong firstValid() {
        return firstValid == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(firstValid);
    }
}
