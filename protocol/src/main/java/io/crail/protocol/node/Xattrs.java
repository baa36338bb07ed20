// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.node;

import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Rules for extended attributes: a name is a namespace, a dot, and more, 1..255 bytes of UTF-8
 * without NUL in all.
 */
public final class Xattrs {
    /** Bytes of a name. */
    public static final int MAX_NAME = 255;

    /** Bytes of a value. */
    public static final int MAX_VALUE = 4 << 10;

    /** Bytes of all names and values of one node. */
    public static final int MAX_TOTAL = 16 << 10;

    /** For everybody who may read or write the node. */
    public static final String USER = "user.";

    /** For the superuser, if the namenode asks who may do what. */
    public static final String TRUSTED = "trusted.";

    /**
     * On a node, whatever its value: neither the node nor what lies below it is moved to a storage
     * class behind its own because it is cold.
     */
    public static final String PINNED = "trusted.crail.pinned";

    private static final List<String> NAMESPACES = List.of(USER, TRUSTED);

    private Xattrs() {}

    /** Bytes that an attribute counts towards {@link #MAX_TOTAL}. */
    public static int bytes(String name, byte[] value) {
        return name.getBytes(StandardCharsets.UTF_8).length + value.length;
    }

    /**
     * Checks a name.
     *
     * @throws InvalidNameException saying what is wrong with it
     */
    public static void checkName(String name) throws InvalidNameException {
        int length = name.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_NAME) {
            throw new InvalidNameException(
                    "the name of an extended attribute has "
                            + length
                            + " bytes, at most "
                            + MAX_NAME
                            + " are allowed");
        }
        if (name.indexOf('\0') >= 0) {
            throw new InvalidNameException("the name of an extended attribute contains NUL");
        }
        if (NAMESPACES.stream().noneMatch(n -> name.startsWith(n) && !name.equals(n))) {
            throw new InvalidNameException(
                    "'"
                            + name
                            + "' is no name of an extended attribute: it begins with "
                            + String.join(" or ", NAMESPACES)
                            + " and goes on");
        }
    }

    /**
     * Checks a value.
     *
     * @throws InvalidArgumentException if it is too long
     */
    public static void checkValue(String name, int length) throws InvalidArgumentException {
        if (length > MAX_VALUE) {
            throw new InvalidArgumentException(
                    "the value of extended attribute '"
                            + name
                            + "' has "
                            + length
                            + " bytes, at most "
                            + MAX_VALUE
                            + " are allowed; a file holds more");
        }
    }
}
