// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Root of all errors of crail. Subclasses carry no state that a decision needs but their {@link
 * ErrorCode}, so that every error crosses the wire as (code, message). Instances are immutable and
 * may be shared.
 */
public abstract class CrailException extends IOException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    protected CrailException(ErrorCode code, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** The wire code of this class of error. */
    public final ErrorCode code() {
        return code;
    }

    /** The exception class for a wire code, with the message that came with it. */
    public static CrailException of(ErrorCode code, String message) {
        return of(code, message, null);
    }

    /** As {@link #of(ErrorCode, String)}, with a cause: used to rethrow in the caller's thread. */
    public static CrailException of(ErrorCode code, String message, @Nullable Throwable cause) {
        return switch (code) {
            case PROTOCOL -> new ProtocolException(message, cause);
            case NO_SUCH_NODE -> new NoSuchNodeException(message, cause);
            case NODE_EXISTS -> new NodeExistsException(message, cause);
            case NOT_EMPTY -> new NotEmptyException(message, cause);
            case WRONG_NODE_TYPE -> new WrongNodeTypeException(message, cause);
            case INVALID_NAME -> new InvalidNameException(message, cause);
            case INVALID_ARGUMENT -> new InvalidArgumentException(message, cause);
            case OUT_OF_SPACE -> new OutOfSpaceException(message, cause);
            case QUOTA_EXCEEDED -> new QuotaExceededException(message, cause);
            case LEASE_LOST -> new LeaseLostException(message, cause);
            case LEASE_HELD -> new LeaseHeldException(message, cause);
            case STALE_REFERENCE -> new StaleReferenceException(message, cause);
            case CORRUPT_DATA -> new CorruptDataException(message, cause);
            case SERVER_LOST -> new ServerLostException(message, cause);
            case ACCESS_DENIED -> new AccessDeniedException(message, cause);
            case TIMEOUT -> new TimeoutException(message, cause);
            case BUSY -> new BusyException(message, cause);
            case READ_ONLY -> new ReadOnlyException(message, cause);
            case OFFSET_OUT_OF_RANGE -> new OffsetOutOfRangeException(message, cause);
            case SESSION_EXPIRED -> new SessionExpiredException(message, cause);
            case VERSION_MISMATCH -> new VersionMismatchException(message, cause);
            case CONDITION_FAILED -> new ConditionFailedException(message, cause);
            case CANCELLED -> new CancelledException(message, cause);
            case CLOSED -> new ClosedException(message, cause);
            case STREAM_FAILED -> new StreamFailedException(message, cause);
            case INTERNAL -> new InternalException(message, cause);
        };
    }
}
