// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.math.BigDecimal;
import java.util.Locale;

/**
 * A number of bytes, written with a binary unit: {@code 1 GiB}, {@code 64KiB}, {@code 1.5 MiB},
 * {@code 4096}. The short forms {@code k}, {@code m}, {@code g}, {@code t} mean the same binary
 * units, as with the JVM's flags; decimal units (kB, MB) are refused rather than guessed.
 *
 * @param bytes 0 or more
 */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size cannot be negative: " + bytes);
        }
    }

    /**
     * Reads a size.
     *
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    public static ByteSize parse(String text) {
        String trimmed = text.trim();
        int end = 0;
        while (end < trimmed.length() && isNumeric(trimmed.charAt(end))) {
            end++;
        }
        BigDecimal number = number(text, trimmed.substring(0, end));
        int shift = shift(text, trimmed.substring(end).trim());
        BigDecimal bytes = number.multiply(BigDecimal.valueOf(1L << shift));
        if (bytes.stripTrailingZeros().scale() > 0) {
            throw new IllegalArgumentException("'" + text + "' is not a whole number of bytes");
        }
        if (bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("'" + text + "' is more than 8 EiB");
        }
        return new ByteSize(bytes.longValueExact());
    }

    private static boolean isNumeric(char c) {
        return (c >= '0' && c <= '9') || c == '.';
    }

    private static BigDecimal number(String text, String digits) {
        // A bound on the digits bounds the cost of the arithmetic.
        if (digits.isEmpty() || digits.length() > 32) {
            throw notASize(text);
        }
        try {
            return new BigDecimal(digits);
        } catch (NumberFormatException e) {
            throw notASize(text);
        }
    }

    private static IllegalArgumentException notASize(String text) {
        return new IllegalArgumentException(
                "'" + text + "' is not a size; write for example 64 KiB, 1 GiB or 4096");
    }

    private static int shift(String text, String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "", "b" -> 0;
            case "kib", "ki", "k" -> 10;
            case "mib", "mi", "m" -> 20;
            case "gib", "gi", "g" -> 30;
            case "tib", "ti", "t" -> 40;
            case "pib", "pi", "p" -> 50;
            case "eib", "ei", "e" -> 60;
            default ->
                    throw new IllegalArgumentException(
                            "'" + text + "' has no unit among B, KiB, MiB, GiB, TiB, PiB, EiB");
        };
    }

    /**
     * The shortest exact form: the largest unit that leaves a whole number. {@link #parse} reads
     * it.
     */
    @Override
    public String toString() {
        int unit = bytes == 0 ? 0 : Math.min(Long.numberOfTrailingZeros(bytes) / 10, 6);
        return (bytes >>> (10 * unit)) + " " + UNITS[unit];
    }

    /** A rounded form for people, at most 7 characters wide: {@code 1.5 GiB}, {@code 900 KiB}. */
    public String rounded() {
        int unit = 0;
        double value = bytes;
        while (value >= 999.5 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        String digits = unit > 0 && value < 9.95 ? "%.1f" : "%.0f";
        return String.format(Locale.ROOT, digits, value) + " " + UNITS[unit];
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }
}
