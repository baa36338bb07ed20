// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Texts in fields of fixed length. ASCII fields (serial number, model) are padded with spaces,
 * names (NQNs) are UTF-8 and end with a null byte (NVMe Base 2.0, sections 1.4.2 and 4.5).
 */
public final class FixedText {
    private FixedText() {}

    /** Writes ASCII, padded with spaces; what does not fit is cut. */
    public static void putSpaced(ByteBuffer buffer, int at, int length, String text) {
        byte[] bytes = Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), length);
        if (text.length() < length) {
            Arrays.fill(bytes, text.length(), length, (byte) ' ');
        }
        buffer.put(at, bytes);
    }

    /** Reads ASCII without the padding. */
    public static String getSpaced(ByteBuffer buffer, int at, int length) {
        byte[] bytes = new byte[length];
        buffer.get(at, bytes);
        int end = length;
        while (end > 0 && (bytes[end - 1] == ' ' || bytes[end - 1] == 0)) {
            end--;
        }
        return new String(bytes, 0, end, StandardCharsets.US_ASCII);
    }

    /**
     * Writes UTF-8 that ends with at least one null byte; the rest of the field is null.
     *
     * @throws IllegalArgumentException if it does not fit
     */
    public static void putTerminated(ByteBuffer buffer, int at, int length, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length >= length) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" has " + bytes.length + " bytes, the field " + length);
        }
        buffer.put(at, Arrays.copyOf(bytes, length));
    }

    /** Reads UTF-8 up to the first null byte, or the whole field if it has none. */
    public static String getTerminated(ByteBuffer buffer, int at, int length) {
        byte[] bytes = new byte[length];
        buffer.get(at, bytes);
        int end = 0;
        while (end < length && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, 0, end, StandardCharsets.UTF_8);
    }
}
