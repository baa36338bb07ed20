// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.authentication;

import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that all programs of a cluster share. It leaves this class only as the key of a MAC,
 * and is printed by nobody. Immutable and thread-safe.
 */
public final class Secret {
    /** As long as the output of the hash: RFC 2104, section 3, discourages shorter keys. */
    public static final int MIN_BYTES = 32;

    /** The block size of SHA-256: longer keys are hashed first, which adds nothing. */
    public static final int MAX_BYTES = 64;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    /**
     * @param bytes copied; {@value #MIN_BYTES} to {@value #MAX_BYTES} of them, random
     */
    public Secret(byte[] bytes) {
        if (bytes.length < MIN_BYTES || bytes.length > MAX_BYTES) {
            throw new IllegalArgumentException(
                    "a secret of "
                            + bytes.length
                            + " bytes, must be "
                            + MIN_BYTES
                            + ".."
                            + MAX_BYTES);
        }
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** HMAC-SHA-256 (RFC 2104, FIPS 180-4) under this secret, of the parts one after another. */
    byte[] mac(byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new LinkageError("every Java platform has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
