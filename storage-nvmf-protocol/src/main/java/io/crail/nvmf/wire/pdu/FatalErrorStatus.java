// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import org.jspecify.annotations.Nullable;

/**
 * FES: why an end terminates a connection (TCP transport 1.0, sections 3.6.2.4 and 3.6.2.5). Code 5
 * has another meaning in each direction.
 */
public enum FatalErrorStatus {
    /** A field of a header is invalid; the information is its offset in the PDU. */
    INVALID_HEADER_FIELD(1, null),
    /** A PDU came when it must not. */
    SEQUENCE_ERROR(2, null),
    /** The information is the digest that was received. */
    HEADER_DIGEST_ERROR(3, null),
    /** Data outside of the command's, or not in sequence. */
    DATA_OUT_OF_RANGE(4, null),
    /** From the host: more R2Ts at a time than MAXR2T allows. */
    R2T_LIMIT_EXCEEDED(5, PduType.Sender.HOST),
    /** From the controller: a PDU with more data than MAXH2CDATA. */
    DATA_LIMIT_EXCEEDED(5, PduType.Sender.CONTROLLER),
    /** A parameter is not supported; the information is the offset of its field in the PDU. */
    UNSUPPORTED_PARAMETER(6, null);

    private final int code;
    private final PduType.@Nullable Sender onlyFrom;

    FatalErrorStatus(int code, PduType.@Nullable Sender onlyFrom) {
        this.code = code;
        this.onlyFrom = onlyFrom;
    }

    public int code() {
        return code;
    }

    /** Whether the information is the offset of a field. */
    public boolean namesField() {
        return this == INVALID_HEADER_FIELD || this == UNSUPPORTED_PARAMETER;
    }

    /** The status with that code, or null. */
    public static @Nullable FatalErrorStatus find(int code, PduType.Sender sender) {
        for (FatalErrorStatus each : values()) {
            if (each.code == code && (each.onlyFrom == null || each.onlyFrom == sender)) {
                return each;
            }
        }
        return null;
    }
}
