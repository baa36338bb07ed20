// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.error.InvalidArgumentException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A running checksum of one of the algorithms that users know. Not thread-safe. */
final class ContentHash {
    private final CRC32C crc = new CRC32C();
    private final Optional<MessageDigest> digest;

    private ContentHash(Optional<MessageDigest> digest) {
        this.digest = digest;
    }

    static ContentHash of(String algorithm) throws InvalidArgumentException {
        return switch (algorithm) {
            case "crc32c" -> new ContentHash(Optional.empty());
            case "sha256" -> ofPlatform("SHA-256");
            case "md5" -> ofPlatform("MD5");
            default ->
                    throw new InvalidArgumentException(
                            "algorithm '" + algorithm + "' is none of crc32c, sha256, md5");
        };
    }

    private static ContentHash ofPlatform(String name) throws InvalidArgumentException {
        try {
            return new ContentHash(Optional.of(MessageDigest.getInstance(name)));
        } catch (NoSuchAlgorithmException e) {
            throw new InvalidArgumentException("this Java does not provide " + name, e);
        }
    }

    /** Takes the remaining bytes. */
    void update(ByteBuffer bytes) {
        if (digest.isPresent()) {
            digest.get().update(bytes);
        } else {
            crc.update(bytes);
        }
    }

    /** The checksum of everything, in hexadecimal; ends the calculation. */
    String value() {
        return digest.map(running -> HexFormat.of().formatHex(running.digest()))
                .orElseGet(() -> String.format("%08x", crc.getValue()));
    }
}
