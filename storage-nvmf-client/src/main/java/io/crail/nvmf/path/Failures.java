// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.path;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.error.StaleReferenceException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeNamespaceChangedException;
import io.crail.nvmf.initiator.error.NvmeQueueFullException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.wire.status.StatusCode;
import org.jspecify.annotations.Nullable;

/** What failures of the initiator mean to who moves blocks. Stateless. */
final class Failures {
    private Failures() {}

    /**
     * @param what the server, and the block if there is one
     */
    static CrailException of(String what, NvmeException cause) {
        String message = what + ": " + cause.getMessage();
        if (cause instanceof NvmeStatusException refused) {
            return ofStatus(message, refused.code(), cause);
        }
        if (cause instanceof NvmeQueueFullException) {
            return new BusyException(message, cause);
        }
        if (cause instanceof NvmeUnsupportedException) {
            return new InternalException(message, cause);
        }
        if (cause instanceof NvmeNamespaceChangedException) {
            return new ServerLostException(message + "; another one is served there now", cause);
        }
        // Not connected, lost, closed, or silent for too long: whoever knows finds out more.
        return new ServerLostException(message, cause);
    }

    private static CrailException ofStatus(
            String message, @Nullable StatusCode code, NvmeException cause) {
        if (code == null) {
            return new InternalException(message, cause);
        }
        return switch (code) {
            // What our target's guard says of a generation that is not the block's.
            case REFERENCE_TAG_CHECK_ERROR ->
                    new StaleReferenceException(message + ": freed or granted again", cause);
            case ACCESS_DENIED, CONNECT_INVALID_HOST, CONNECT_INVALID_PARAMETERS ->
                    new AccessDeniedException(message, cause);
            case RESERVATION_CONFLICT ->
                    new ServerLostException(
                            message + ": this host was fenced, since it was silent", cause);
            case CONNECT_CONTROLLER_BUSY, NAMESPACE_NOT_READY -> new BusyException(message, cause);
            case ABORTED_QUEUE_DELETED,
                    ABORT_REQUESTED,
                    KEEP_ALIVE_EXPIRED,
                    TRANSIENT_TRANSPORT_ERROR,
                    COMMAND_INTERRUPTED ->
                    new ServerLostException(message, cause);
            case CAPACITY_EXCEEDED ->
                    new OutOfSpaceException(
                            message
                                    + ": the file system of the server's sparse file is full. Make"
                                    + " room there",
                            cause);
            default -> new InternalException(message, cause);
        };
    }

    /** Whether the connection is of no use any more. */
    static boolean isLost(NvmeException cause) {
        return cause instanceof NvmeStatusException refused
                ? refused.code() == StatusCode.RESERVATION_CONFLICT
                : !(cause instanceof NvmeQueueFullException);
    }
}
