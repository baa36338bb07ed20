// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.error;

/**
 * Wire codes of errors (docs/protocol.md, "Errors"). Codes are append-only and never reused; 0
 * means success and is no error. An unknown code from a newer peer becomes {@link #INTERNAL}.
 */
public enum ErrorCode {
    PROTOCOL(1),
    NO_SUCH_NODE(2),
    NODE_EXISTS(3),
    NOT_EMPTY(4),
    WRONG_NODE_TYPE(5),
    INVALID_NAME(6),
    INVALID_ARGUMENT(7),
    OUT_OF_SPACE(8),
    QUOTA_EXCEEDED(9),
    LEASE_LOST(10),
    LEASE_HELD(11),
    STALE_REFERENCE(12),
    CORRUPT_DATA(13),
    SERVER_LOST(14),
    ACCESS_DENIED(15),
    TIMEOUT(16),
    BUSY(17),
    READ_ONLY(18),
    OFFSET_OUT_OF_RANGE(19),
    SESSION_EXPIRED(20),
    VERSION_MISMATCH(21),
    CONDITION_FAILED(22),
    CANCELLED(23),
    CLOSED(24),
    STREAM_FAILED(25),
    INTERNAL(26);

    private static final ErrorCode[] BY_WIRE = new ErrorCode[values().length + 1];

    static {
        for (ErrorCode code : values()) {
            BY_WIRE[code.wire] = code;
        }
    }

    private final int wire;

    ErrorCode(int wire) {
        this.wire = wire;
    }

    /** The number that stands for this error in the status field of a response header. */
    public int wire() {
        return wire;
    }

    /** The error of a status field; {@link #INTERNAL} for a code this version does not know. */
    public static ErrorCode ofWire(int wire) {
        return wire > 0 && wire < BY_WIRE.length ? BY_WIRE[wire] : INTERNAL;
    }
}
