// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import io.crail.protocol.config.SecurityKeys;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * What a program enters with, or wants to see from those who enter: a secret, or nothing. Immutable
 * and thread-safe; prints no secret.
 */
public final class Credentials {
    /** No authentication: neither shown nor wanted. */
    public static final Credentials NONE = new Credentials(null, "", new SecureRandom());

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
