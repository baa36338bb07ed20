// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeUnsupportedException;
import io.crail.nvmf.target.backing.BackingException;
import io.crail.nvmf.target.backing.NoSpaceException;
import io.crail.nvmf.wire.status.StatusCode;
import io.crail.storage.tcp.ListenFailure;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * What failures of files, targets and sockets mean to who starts a tier: the one place where they
 * become errors of crail, whose class tells a script what to do, as the message tells a person.
 * Stateless.
 */
final class StartFailures {
    private StartFailures() {}

    /**
     * Of a medium.
     *
     * @param message what failed, on what, and why
     */
    static CrailException of(String message, IOException cause) {
        if (cause instanceof CrailException known) {
            return known;
        }
        if (cause instanceof BackingException backing) {
            return switch (backing.reason()) {
                case NO_SPACE -> new OutOfSpaceException(message, cause);
                case INVALID -> new InvalidArgumentException(message, cause);
                case DENIED -> new AccessDeniedException(message, cause);
                case IN_USE -> new BusyException(message, cause);
                case FAILED -> new InternalException(message, cause);
            };
        }
        if (cause instanceof NoSpaceException) {
            return new OutOfSpaceException(message, cause);
        }
        return cause instanceof NvmeException failure
                ? ofCommand(message, failure)
                : new InternalException(message, cause);
    }

    /**
     * Of the built-in target.
     *
     * @param bind where it was to listen
     */
    static CrailException of(String message, IOException cause, InetSocketAddress bind) {
        return cause.getCause() instanceof BindException taken
                ? ListenFailure.of(bind, taken)
                : of(message, cause);
    }

    private static CrailException ofCommand(String message, NvmeException cause) {
        if (cause instanceof NvmeUnsupportedException) {
            return new InvalidArgumentException(message, cause);
        }
        if (!(cause instanceof NvmeStatusException refused)) {
            return new ServerLostException(
                    message + ". Look whether the target runs, and whether it is reachable", cause);
        }
        return ofCode(message, refused.code(), cause);
    }

    private static CrailException ofCode(
            String message, @Nullable StatusCode code, NvmeException cause) {
        if (code == StatusCode.CAPACITY_EXCEEDED) {
            return new OutOfSpaceException(
                    message + ". The target has no space behind the namespace: make room", cause);
        }
        if (code == StatusCode.ACCESS_DENIED || code == StatusCode.NAMESPACE_WRITE_PROTECTED) {
            return new AccessDeniedException(
                    message + ". Have the target let hosts read and write", cause);
        }
        if (code == StatusCode.RESERVATION_CONFLICT) {
            return new BusyException(
                    message + ". Somebody else has reserved the namespace: stop who does", cause);
        }
        return new InternalException(message, cause);
    }

    /**
     * Of connecting to a target that is not ours.
     *
     * @param place which namespace of which target
     */
    static CrailException ofTarget(String place, NvmeException cause) {
        String message = place + ": " + cause.getMessage();
        if (!(cause instanceof NvmeStatusException refused)) {
            return ofCommand(message, cause);
        }
        StatusCode code = refused.code();
        if (code == StatusCode.CONNECT_INVALID_PARAMETERS) {
            return new InvalidArgumentException(
                    message + ". Compare --nqn with what the target serves", cause);
        }
        if (code == StatusCode.CONNECT_CONTROLLER_BUSY) {
            return new BusyException(
                    message + ". The target serves as many hosts as it can: let it take more",
                    cause);
        }
        if (code == StatusCode.CONNECT_INVALID_HOST || code == StatusCode.AUTHENTICATION_REQUIRED) {
            return new AccessDeniedException(
                    message
                            + ". The target must admit any host, without asking for a secret: each"
                            + " session of a client is one",
                    cause);
        }
        if (code == StatusCode.INVALID_NAMESPACE_OR_FORMAT || code == StatusCode.INVALID_FIELD) {
            return new InvalidArgumentException(
                    message + ". Compare --namespace with what the subsystem has", cause);
        }
        return ofCode(message, code, cause);
    }
}
