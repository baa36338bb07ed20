// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.netty.channel.unix.Errors.NativeIoException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/** What it means to an operator that an address cannot be listened on. Stateless. */
public final class ListenFailure {
    /** Of Linux; native transports give errors by number, negated. */
    private static final int EACCES = -13;

    private static final int EADDRINUSE = -98;
    private static final int EADDRNOTAVAIL = -99;

    private ListenFailure() {}

    public static CrailException of(InetSocketAddress address, @Nullable Throwable cause) {
        String place = address.getHostString() + ":" + address.getPort();
        String message = "cannot listen on " + place + ": " + describe(cause);
        if (address.isUnresolved()) {
            return new InvalidArgumentException(
                    message + "; nobody knows that name: correct the address to listen on", cause);
        }
        if (isNumber(cause, EADDRNOTAVAIL)
                || (cause instanceof BindException && !isOfThisHost(address))) {
            return new InvalidArgumentException(
                    message + "; that is no address of this host: correct it, or take 0.0.0.0",
                    cause);
        }
        if (isNumber(cause, EACCES)) {
            return new AccessDeniedException(
                    message + "; take a port that this user may listen on", cause);
        }
        // Java does not say whether a port is taken or forbidden, but in a text for people.
        if (isNumber(cause, EADDRINUSE) || cause instanceof BindException) {
            return new BusyException(
                    message
                            + "; stop what listens there ('ss -ltnp' shows it), or name another"
                            + " port",
                    cause);
        }
        return new InternalException(message, cause);
    }

    private static String describe(@Nullable Throwable cause) {
        String text = cause instanceof IOException ? cause.getMessage() : null;
        return text == null ? String.valueOf(cause) : text;
    }

    private static boolean isNumber(@Nullable Throwable cause, int number) {
        return cause instanceof NativeIoException error && error.expectedErr() == number;
    }

    private static boolean isOfThisHost(InetSocketAddress address) {
        try {
            return address.getAddress().isAnyLocalAddress()
                    || address.getAddress().isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address.getAddress()) != null;
        } catch (SocketException e) {
            return true; // Not known: then it is not said.
        }
    }
}
