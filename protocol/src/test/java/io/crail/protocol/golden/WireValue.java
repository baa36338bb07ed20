// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.golden;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.UUID;

/** The text and the bytes of a value of each wire type; knows nothing of crail's own codecs. */
public final class WireValue {
    private WireValue() {}

    /** The bytes of a value as the specification wants them. */
    public static byte[] encode(String type, String value) {
        return switch (type) {
            case "u8" -> little(number(value), 1);
            case "bool" -> little(value.equals("true") ? 1 : 0, 1);
            case "u16", "records", "record" -> little(number(value), 2);
            case "u32", "n32" -> little(number(value), 4);
            case "u64", "n64", "i64" -> little(number(value), 8);
            case "string", "bytes" -> prefixed(text(value));
            case "uuid" -> uuid(UUID.fromString(value));
            case "longs" -> numbers(value, 8);
            case "ints" -> numbers(value, 4);
            case "list" -> list(value);
            default -> sized(type, value);
        };
    }

    /** A number in decimal, or in hexadecimal after 0x; up to 64 bits. */
    public static long number(String value) {
        return value.startsWith("0x")
                ? Long.parseUnsignedLong(value.substring(2), 16)
                : value.startsWith("-") ? Long.parseLong(value) : Long.parseUnsignedLong(value);
    }

    /** The bytes of a quoted text; {@code \xNN} stands for one byte. */
    public static byte[] text(String quoted) {
        if (quoted.length() < 2 || !quoted.startsWith("\"") || !quoted.endsWith("\"")) {
            throw new AssertionError("not quoted: " + quoted);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 1; i < quoted.length() - 1; i++) {
            if (quoted.charAt(i) == '\\') {
                out.write(Integer.parseInt(quoted.substring(i + 2, i + 4), 16));
                i += 3;
            } else {
                out.write(quoted.charAt(i));
            }
        }
        return out.toByteArray();
    }

    /** The numbers between brackets. */
    public static long[] array(String value) {
        String inner = value.substring(1, value.length() - 1);
        return inner.isEmpty()
                ? new long[0]
                : Arrays.stream(inner.split(",", -1)).mapToLong(WireValue::number).toArray();
    }

    /** A number in little-endian order. */
    public static byte[] little(long value, int bytes) {
        return Arrays.copyOf(
                ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array(),
                bytes);
    }

    private static byte[] prefixed(byte[] content) {
        return join(little(content.length, 2), content);
    }

    private static byte[] uuid(UUID value) {
        return join(
                little(value.getMostSignificantBits(), 8),
                little(value.getLeastSignificantBits(), 8));
    }

    private static byte[] numbers(String value, int size) {
        long[] numbers = array(value);
        byte[] bytes = little(numbers.length, 2);
        for (long number : numbers) {
            bytes = join(bytes, little(number, size));
        }
        return bytes;
    }

    private static byte[] list(String value) {
        String[] words = value.split(" of ", -1);
        return join(little(number(words[0]), 2), little(number(words[1]), 2));
    }

    private static byte[] sized(String type, String value) {
        if (type.startsWith("zero")) {
            return new byte[Integer.parseInt(type.substring(4))];
        }
        if (!type.startsWith("raw")) {
            throw new AssertionError("unknown wire type " + type);
        }
        byte[] bytes = HexFormat.of().parseHex(value);
        if (bytes.length != Integer.parseInt(type.substring(3))) {
            throw new AssertionError(type + " of " + bytes.length + " bytes");
        }
        return bytes;
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }
}
