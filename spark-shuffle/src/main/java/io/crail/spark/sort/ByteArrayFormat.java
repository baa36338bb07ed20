// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.sort;

import java.util.Arrays;
import scala.math.Ordering;

/**
 * Keys and values that are arrays of bytes, each of one length.
 *
 * @param keyLength bytes, 1 or more
 * @param valueLength bytes, 0 or more
 */
public record ByteArrayFormat(int keyLength, int valueLength)
        implements RecordFormat<byte[], byte[]> {
    public ByteArrayFormat {
        if (keyLength < 1 || valueLength < 0) {
            throw new IllegalArgumentException(
                    "keys of "
                            + keyLength
                            + " and values of "
                            + valueLength
                            + " bytes; keys must have at least 1, values 0");
        }
    }

    @Override
    public void writeKey(byte[] key, byte[] target, int offset) {
        check("key", key, keyLength);
        System.arraycopy(key, 0, target, offset, keyLength);
    }

    @Override
    public void writeValue(byte[] value, byte[] target, int offset) {
        check("value", value, valueLength);
        System.arraycopy(value, 0, target, offset, valueLength);
    }

    private static void check(String what, byte[] bytes, int length) {
        if (bytes.length != length) {
            throw new IllegalArgumentException(
                    "a "
                            + what
                            + " has "
                            + bytes.length
                            + " bytes, and the format of the shuffle says "
                            + length
                            + ": use another serializer for records of different sizes");
        }
    }

    @Override
    public byte[] readKey(byte[] source, int offset) {
        return Arrays.copyOfRange(source, offset, offset + keyLength);
    }

    @Override
    public byte[] readValue(byte[] source, int offset) {
        return Arrays.copyOfRange(source, offset, offset + valueLength);
    }

    @Override
    public boolean sortsAsBytes(Ordering<?> order) {
        return order instanceof UnsignedBytesOrdering;
    }
}
