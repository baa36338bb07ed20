// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.basic;

import java.util.Set;

/**
 * What stands in front of each object in a stream, one byte, and what follows it. Numbers of
 * variable length have 7 bits in a byte, the lowest first; all else is little-endian.
 *
 * <pre>
 *  0       null
 *  1       Integer    zigzag, of variable length
 *  2       Long       zigzag, of variable length
 *  3       Double     8 bytes
 *  4       Float      4 bytes
 *  5       Short      2 bytes
 *  6       Byte       1 byte
 *  7       Character  2 bytes
 *  8, 9    Boolean    false, true
 * 10       String     length, a byte for each character; none is above U+00FF
 * 11       String     length, 2 bytes for each char
 * 12 .. 19 arrays     of byte, boolean, char, short, int, long, float, double:
 *                     number of elements, elements
 * 20       other      length, as the serialiser makes it that was there before
 * </pre>
 */
final class BasicTypes {
    static final int NULL = 0;
    static final int INTEGER = 1;
    static final int LONG = 2;
    static final int DOUBLE = 3;
    static final int FLOAT = 4;
    static final int SHORT = 5;
    static final int BYTE = 6;
    static final int CHARACTER = 7;
    static final int FALSE = 8;
    static final int TRUE = 9;
    static final int LATIN = 10;
    static final int STRING = 11;
    static final int BYTES = 12;
    static final int BOOLEANS = 13;
    static final int CHARACTERS = 14;
    static final int SHORTS = 15;
    static final int INTEGERS = 16;
    static final int LONGS = 17;
    static final int FLOATS = 18;
    static final int DOUBLES = 19;
    static final int OTHER = 20;

    /** For which Spark takes Kryo by itself, and how Java's own collections have them. */
    private static final Set<String> NAMES =
            Set.of(
                    "boolean",
                    "byte",
                    "char",
                    "double",
                    "float",
                    "int",
                    "long",
                    "short",
                    "scala.runtime.Null$",
                    "java.lang.Boolean",
                    "java.lang.Byte",
                    "java.lang.Character",
                    "java.lang.Double",
                    "java.lang.Float",
                    "java.lang.Integer",
                    "java.lang.Long",
                    "java.lang.Short",
                    "java.lang.String",
                    "[Z",
                    "[B",
                    "[C",
                    "[D",
                    "[F",
                    "[I",
                    "[J",
                    "[S");

    private BasicTypes() {}

    /** Whether the objects of a class of that name are known here. */
    static boolean isOne(String className) {
        return NAMES.contains(className);
    }

    /** What stands in front of an array of primitives. */
    static int ofArray(Object array) {
        if (array instanceof byte[]) {
            return BYTES;
        } else if (array instanceof int[]) {
            return INTEGERS;
        } else if (array instanceof long[]) {
            return LONGS;
        } else if (array instanceof double[]) {
            return DOUBLES;
        } else if (array instanceof float[]) {
            return FLOATS;
        } else if (array instanceof char[]) {
            return CHARACTERS;
        } else if (array instanceof short[]) {
            return SHORTS;
        }
        return BOOLEANS;
    }

    /** An array of that type. */
    static Object newArray(int type, int length) {
        return switch (type) {
            case BYTES -> new byte[length];
            case BOOLEANS -> new boolean[length];
            case CHARACTERS, STRING -> new char[length];
            case SHORTS -> new short[length];
            case INTEGERS -> new int[length];
            case LONGS -> new long[length];
            case FLOATS -> new float[length];
            case DOUBLES -> new double[length];
            default -> throw new IllegalArgumentException("type " + type + " is no array");
        };
    }
}
