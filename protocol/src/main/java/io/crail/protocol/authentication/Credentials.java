// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import io.crail.protocol.config.SecurityKeys;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a program enters with, or wants to see from those who enter: a secret, or nothing. Immutable
 * and thread-safe; prints no secret.
 */
public final class Credentials {
    /** No authentication: neither shown nor wanted. */
    public static final Credentials NONE = new Credentials(null, "", new SecureRandom());

    /** Differs from the labels of all proofs ({@link Party}), which such a MAC must not be. */
    private static final byte[] STATUS_TOKEN =
            "crail status token 1".getBytes(StandardCharsets.US_ASCII);

    private final @Nullable Secret secret;
    private final String origin;
    private final SecureRandom random;

    private Credentials(@Nullable Secret secret, String origin, SecureRandom random) {
        this.secret = secret;
        this.origin = origin;
        this.random = random;
    }

    /**
     * Authentication by a secret, in both directions.
     *
     * @param origin the file that it was read from, for messages
     * @param random source of nonces
     */
    public static Credentials of(Secret secret, String origin, SecureRandom random) {
        return new Credentials(secret, origin, random);
    }

    /** Whether there is a secret; then no peer without it is talked to. */
    public boolean areRequired() {
        return secret != null;
    }

    /**
     * What opens the status of servers to whoever shows it: a MAC under the secret, so that who
     * sees it on the network can look at the status and do nothing else. Empty without a secret.
     */
    public Optional<String> statusToken() {
        return secret == null
                ? Optional.empty()
                : Optional.of(
                        Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(secret.mac(STATUS_TOKEN)));
    }

    @Nullable Secret secret() {
        return secret;
    }

    byte[] newNonce() {
        byte[] nonce = new byte[Transcript.NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    /** Where the secret comes from, by key and file. */
    @Override
    public String toString() {
        return secret == null ? "no secret" : SecurityKeys.SECRET_FILE.name() + " (" + origin + ")";
    }
}
