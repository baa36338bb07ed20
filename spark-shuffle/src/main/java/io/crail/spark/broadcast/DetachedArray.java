// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import java.io.InvalidObjectException;
import java.io.Serializable;
import java.lang.reflect.Array;

/**
 * Stands in a stream of objects for an array of primitives that is stored apart from it.
 *
 * @param type as the class of the array calls itself
 * @param length number of elements
 */
record DetachedArray(String type, int length) implements Serializable {
    private static final String PRIMITIVES = "ZBCSIJFD";

    static DetachedArray of(Object array) {
        return new DetachedArray(array.getClass().getName(), Array.getLength(array));
    }

    /** An array of that kind. */
    Object allocate() throws InvalidObjectException {
        Class<?> element =
                switch (type) {
                    case "[Z" -> boolean.class;
                    case "[B" -> byte.class;
                    case "[C" -> char.class;
                    case "[S" -> short.class;
                    case "[I" -> int.class;
                    case "[J" -> long.class;
                    case "[F" -> float.class;
                    case "[D" -> double.class;
                    default ->
                            throw new InvalidObjectException(
                                    type + " is no array of one of " + PRIMITIVES);
                };
        return Array.newInstance(element, length);
    }
}
