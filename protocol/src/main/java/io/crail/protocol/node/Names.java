// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.node;

import io.crail.error.InvalidNameException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * The rules for names, paths and keys. Names are UTF-8, 1..255 bytes, without {@code /} and NUL,
 * and neither {@code .} nor {@code ..}; they are compared byte by byte, without normalisation. A
 * path is absolute, at most 4,096 bytes and 512 names deep; repeated and trailing slashes are
 * tolerated, {@code .} and {@code ..} are refused. A key of a table is 1..1,024 arbitrary bytes.
 */
public final class Names {
    public static final int MAX_NAME = 255;
    public static final int MAX_PATH = 4096;
    public static final int MAX_DEPTH = 512;
    public static final int MAX_KEY = 1024;

    private Names() {}

    /**
     * Checks a path and returns its UTF-8.
     *
     * @throws InvalidNameException naming the path and the rule it breaks
     */
    public static byte[] encodePath(String path) throws InvalidNameException {
        byte[] bytes = encode(path);
        if (bytes.length > MAX_PATH) {
            throw new InvalidNameException(
                    "path of " + bytes.length + " bytes, at most " + MAX_PATH + ": " + brief(path));
        }
        if (bytes.length == 0 || bytes[0] != '/') {
            throw new InvalidNameException("path must start with '/': '" + brief(path) + "'");
        }
        int depth = 0;
        for (int start = 1; start <= bytes.length; ) {
            int end = endOfName(bytes, start);
            if (end > start) {
                checkName(bytes, start, end - start);
                depth++;
            }
            start = end + 1;
        }
        if (depth > MAX_DEPTH) {
            throw new InvalidNameException(
                    "path is " + depth + " names deep, at most " + MAX_DEPTH);
        }
        return bytes;
    }

    private static int endOfName(byte[] path, int start) {
        int end = start;
        while (end < path.length && path[end] != '/') {
            end++;
        }
        return end;
    }

    /** Checks one name (already known to be UTF-8). */
    public static void checkName(byte[] bytes, int offset, int length) throws InvalidNameException {
        if (length < 1 || length > MAX_NAME) {
            throw new InvalidNameException(
                    "name of "
                            + length
                            + " bytes, must be 1.."
                            + MAX_NAME
                            + ": '"
                            + brief(new String(bytes, offset, length, StandardCharsets.UTF_8))
                            + "'");
        }
        if (bytes[offset] == '.' && (length == 1 || (length == 2 && bytes[offset + 1] == '.'))) {
            throw new InvalidNameException(
                    "names '.' and '..' are not allowed in a path; resolve them first");
        }
        for (int i = offset; i < offset + length; i++) {
            if (bytes[i] == 0 || bytes[i] == '/') {
                throw new InvalidNameException(
                        "name contains "
                                + (bytes[i] == 0 ? "NUL" : "'/'")
                                + " at byte "
                                + (i - offset));
            }
        }
    }

    /** Checks the length of a key. */
    public static void checkKey(int length) throws InvalidNameException {
        if (length < 1 || length > MAX_KEY) {
            throw new InvalidNameException("key of " + length + " bytes, must be 1.." + MAX_KEY);
        }
    }

    /**
     * The UTF-8 of a string.
     *
     * @throws InvalidNameException if the string holds an unpaired surrogate, which UTF-8 cannot
     *     carry: two such names would silently become one
     */
    public static byte[] encode(String value) throws InvalidNameException {
        byte[] quick = value.getBytes(StandardCharsets.UTF_8);
        if (quick.length == value.length() && !contains(quick, '?')) {
            return quick; // One byte for each character, none of them for an unpaired surrogate.
        }
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new InvalidNameException(
                    "name holds an unpaired surrogate and cannot be written as UTF-8", e);
        }
    }

    private static boolean contains(byte[] bytes, char wanted) {
        for (byte each : bytes) {
            if (each == wanted) {
                return true;
            }
        }
        return false;
    }

    private static String brief(String value) {
        return value.length() <= 80 ? value : value.substring(0, 77) + "...";
    }
}
