// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.Configuration;
import io.crail.protocol.config.SecurityKeys;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Whether to authenticate, and where the secret is. Immutable. The file is read when credentials
 * are asked for, which every program does once, at its start.
 *
 * @param mode when
 * @param secretFile the secret, or null
 */
public record AuthenticationConfig(Mode mode, @Nullable Path secretFile) {
    /** When to authenticate. */
    public enum Mode {
        /** If there is a secret file; and a server that others can reach must have one. */
        AUTO,
        /** Always. */
        REQUIRED,
        /** Never, whatever address a server listens on. */
        OFF
    }

    /** The default: no secret file, so no authentication, on loopback only. */
    public static final AuthenticationConfig DEFAULT = new AuthenticationConfig(Mode.AUTO, null);

    private static final String HOW =
            ": make a secret with 'crail secret create FILE', copy FILE to every server and client,"
                    + " and set "
                    + SecurityKeys.SECRET_FILE.name()
                    + " to it";

    /** As the keys say. */
    public static AuthenticationConfig of(Configuration values) {
        Path file = values.get(SecurityKeys.SECRET_FILE);
        return new AuthenticationConfig(
                Mode.valueOf(values.get(SecurityKeys.AUTHENTICATION).toUpperCase(Locale.ROOT)),
                file.toString().isEmpty() ? null : file.toAbsolutePath());
    }

    /** Always, by the secret in this file. */
    public static AuthenticationConfig required(Path secretFile) {
        return new AuthenticationConfig(Mode.REQUIRED, secretFile);
    }

    /**
     * What a program shows to servers that it calls.
     *
     * @throws CrailException if there has to be a secret and there is none, or its file is not as
     *     it should be
     */
    public Credentials forCaller() throws CrailException {
        if (mode == Mode.OFF) {
            return Credentials.NONE;
        }
        if (secretFile != null) {
            return Credentials.of(
                    SecretFile.read(secretFile), secretFile.toString(), new SecureRandom());
        }
        if (mode == Mode.REQUIRED) {
            throw new InvalidArgumentException(
                    SecurityKeys.AUTHENTICATION.name()
                            + " is required, but there is no secret"
                            + HOW);
        }
        return Credentials.NONE;
    }

    /**
     * What a server wants to see, and shows, on the address that it listens on.
     *
     * @param server which server, for messages
     * @param bindHost address or name to listen on
     * @throws InvalidArgumentException if others can reach it and there is no secret
     */
    public Credentials forServer(Party server, String bindHost) throws CrailException {
        if (mode == Mode.AUTO && secretFile == null && !isLoopback(bindHost)) {
            throw new InvalidArgumentException(
                    "this "
                            + server
                            + " would listen on "
                            + bindHost
                            + ", where other hosts can reach it, and has no secret to tell friends"
                            + " from strangers"
                            + HOW
                            + "; or set "
                            + SecurityKeys.AUTHENTICATION.name()
                            + " = off if everybody who can reach it may read, change and remove"
                            + " everything");
        }
        return forCaller();
    }

    /** What an operator should be told about a server on this address, if anything. */
    public Optional<String> warning(Party server, String bindHost) throws CrailException {
        if (mode != Mode.OFF || isLoopback(bindHost)) {
            return Optional.empty();
        }
        return Optional.of(
                SecurityKeys.AUTHENTICATION.name()
                        + " is off: everybody who can reach "
                        + bindHost
                        + " can read, change and remove everything through this "
                        + server);
    }

    private static boolean isLoopback(String bindHost) throws InvalidArgumentException {
        try {
            return Arrays.stream(InetAddress.getAllByName(bindHost))
                    .allMatch(InetAddress::isLoopbackAddress);
        } catch (UnknownHostException e) {
            throw new InvalidArgumentException(
                    "the address to listen on, " + bindHost + ", is not known", e);
        }
    }
}
