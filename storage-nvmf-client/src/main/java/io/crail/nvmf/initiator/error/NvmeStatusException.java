// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.initiator.error;

import io.crail.nvmf.wire.status.Status;
import io.crail.nvmf.wire.status.StatusCode;
import org.jspecify.annotations.Nullable;

/** The controller completed a command with an error. */
public final class NvmeStatusException extends NvmeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final StatusCode.Scope scope;

    /**
     * An error of the controller.
     *
     * @param what the command, on what
     * @param status as {@link Status}
     */
    public NvmeStatusException(String what, int status, StatusCode.Scope scope) {
        super(what + " failed: " + Status.describe(status, scope));
        this.status = status;
        this.scope = scope;
    }

    /** As {@link Status}. */
    public int status() {
        return status;
    }

    /** Null if the specification does not know the code. */
    public @Nullable StatusCode code() {
        return StatusCode.find(status, scope);
    }

    /** Whether a reservation of somebody else forbids it: this host was fenced. */
    public boolean isReservationConflict() {
        return StatusCode.RESERVATION_CONFLICT.is(status);
    }
}
