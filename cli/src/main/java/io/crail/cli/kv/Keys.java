// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.kv;

import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.protocol.node.Names;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** How keys are written: as text, or in hexadecimal. */
final class Keys {
    private Keys() {}

    static byte[] parse(String key, boolean hex)
            throws InvalidArgumentException, InvalidNameException {
        byte[] bytes;
        try {
            bytes = hex ? HexFormat.of().parseHex(key) : Names.encode(key);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(
                    "key '" + key + "' is not hexadecimal: pairs of 0-9, a-f", e);
        }
        Names.checkKey(bytes.length);
        return bytes;
    }

    static String format(byte[] key, boolean hex) {
        return hex ? HexFormat.of().formatHex(key) : new String(key, StandardCharsets.UTF_8);
    }

    /** Whether bytes are printable text, so that {@link #format} loses nothing. */
    static boolean isText(byte[] bytes) {
        try {
            String text =
                    StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
            return text.chars().noneMatch(Character::isISOControl);
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    static NoSuchNodeException missing(String table, String key) {
        return new NoSuchNodeException("table " + table + " has no key '" + key + "'");
    }
}
