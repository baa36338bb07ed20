// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.basic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Arrays of primitives as bytes: elements one behind the other, little-endian. */
public final class PrimitiveArrays {
    private PrimitiveArrays() {}

    /** Whether it is an array of primitives. */
    public static boolean isOne(Object object) {
        Class<?> element = object.getClass().getComponentType();
        return element != null && element.isPrimitive();
    }

    /** Whether it is an array of primitives, or of such arrays, to any depth. */
    public static boolean isNested(Object object) {
        Class<?> type = object.getClass();
        while (type.isArray()) {
            type = type.getComponentType();
        }
        return object.getClass().isArray() && type.isPrimitive();
    }

    /** Bytes of an element. */
    public static int width(Object array) {
        Class<?> element = array.getClass().getComponentType();
        if (element == long.class || element == double.class) {
            return Long.BYTES;
        }
        if (element == int.class || element == float.class) {
            return Integer.BYTES;
        }
        return element == short.class || element == char.class ? Short.BYTES : 1;
    }

    /** Bytes of all elements. */
    public static long size(Object array) {
        return (long) java.lang.reflect.Array.getLength(array) * width(array);
    }

    /** Writes elements as bytes. */
    public static void get(Object array, int first, int count, byte[] target) {
        ByteBuffer bytes = ByteBuffer.wrap(target).order(ByteOrder.LITTLE_ENDIAN);
        if (array instanceof byte[] from) {
            bytes.put(from, first, count);
        } else if (array instanceof long[] from) {
            bytes.asLongBuffer().put(from, first, count);
        } else if (array instanceof double[] from) {
            bytes.asDoubleBuffer().put(from, first, count);
        } else if (array instanceof int[] from) {
            bytes.asIntBuffer().put(from, first, count);
        } else if (array instanceof float[] from) {
            bytes.asFloatBuffer().put(from, first, count);
        } else if (array instanceof char[] from) {
            bytes.asCharBuffer().put(from, first, count);
        } else if (array instanceof short[] from) {
            bytes.asShortBuffer().put(from, first, count);
        } else {
            boolean[] from = (boolean[]) array;
            for (int i = 0; i < count; i++) {
                target[i] = (byte) (from[first + i] ? 1 : 0);
            }
        }
    }

    /** Reads elements from bytes. */
    public static void set(Object array, int first, int count, byte[] source) {
        ByteBuffer bytes = ByteBuffer.wrap(source).order(ByteOrder.LITTLE_ENDIAN);
        if (array instanceof byte[] to) {
            bytes.get(to, first, count);
        } else if (array instanceof long[] to) {
            bytes.asLongBuffer().get(to, first, count);
        } else if (array instanceof double[] to) {
            bytes.asDoubleBuffer().get(to, first, count);
        } else if (array instanceof int[] to) {
            bytes.asIntBuffer().get(to, first, count);
        } else if (array instanceof float[] to) {
            bytes.asFloatBuffer().get(to, first, count);
        } else if (array instanceof char[] to) {
            bytes.asCharBuffer().get(to, first, count);
        } else if (array instanceof short[] to) {
            bytes.asShortBuffer().get(to, first, count);
        } else {
            boolean[] to = (boolean[]) array;
            for (int i = 0; i < count; i++) {
                to[first + i] = source[i] != 0;
            }
        }
    }
}
