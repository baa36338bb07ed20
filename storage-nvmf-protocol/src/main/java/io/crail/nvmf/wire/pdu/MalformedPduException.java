// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire.pdu;

import java.io.IOException;

/**
 * A peer sent what the transport does not allow. Fatal for the connection: who receives such a PDU
 * sends a request to terminate with this status and information, and closes (TCP transport 1.0,
 * section 3.5).
 */
public final class MalformedPduException extends IOException {
    private static final long serialVersionUID = 1L;

    private final FatalErrorStatus status;
    private final int information;

    /**
     * A PDU that is not allowed.
     *
     * @param information offset of the offending field in the PDU, the digest that was received, or
     *     0, as the status says
     * @param message what was found, and what was expected
     */
    public MalformedPduException(FatalErrorStatus status, int information, String message) {
        super(message);
        this.status = status;
        this.information = information;
    }

    /** FES. */
    public FatalErrorStatus status() {
        return status;
    }

    /** FEI. */
    public int information() {
        return information;
    }
}
