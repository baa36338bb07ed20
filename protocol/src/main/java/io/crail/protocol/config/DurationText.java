// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * How durations are written: a whole number and a unit, {@code 200 ms}, {@code 30s}, {@code 10
 * min}, {@code 2 h}, {@code 1 d}. A number without a unit is refused, since readers would differ
 * about what it means; 0 needs none.
 */
public final class DurationText {
    private record Unit(String name, long nanos) {}

    private static final List<Unit> UNITS =
            List.of(
                    new Unit("d", 86_400_000_000_000L),
                    new Unit("h", 3_600_000_000_000L),
                    new Unit("min", 60_000_000_000L),
                    new Unit("s", 1_000_000_000L),
                    new Unit("ms", 1_000_000L),
                    new Unit("us", 1_000L),
                    new Unit("ns", 1L));

    private DurationText() {}

    /**
     * Reads a duration of at most 292 years.
     *
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    public static Duration parse(String text) {
        String trimmed = text.trim().toLowerCase(Locale.ROOT);
        int end = 0;
        while (end < trimmed.length() && trimmed.charAt(end) >= '0' && trimmed.charAt(end) <= '9') {
            end++;
        }
        if (end == 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not a duration; write for example 200 ms, 30 s or 10 min");
        }
        String unitName = trimmed.substring(end).trim();
        try {
            long number = Long.parseLong(trimmed.substring(0, end));
            if (number == 0 && unitName.isEmpty()) {
                return Duration.ZERO;
            }
            return Duration.ofNanos(Math.multiplyExact(number, nanosOf(text, unitName)));
        } catch (NumberFormatException | ArithmeticException e) {
            throw new IllegalArgumentException("'" + text + "' is more than 292 years", e);
        }
    }

    private static long nanosOf(String text, String name) {
        String wanted = name.equals("m") ? "min" : name;
        for (Unit unit : UNITS) {
            if (unit.name.equals(wanted)) {
                return unit.nanos;
            }
        }
        throw new IllegalArgumentException(
                "'" + text + "' has no unit among ns, us, ms, s, min, h, d");
    }

    /** The shortest exact form: the largest unit that leaves a whole number. */
    public static String format(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos == 0) {
            return "0 s";
        }
        for (Unit unit : UNITS) {
            if (nanos % unit.nanos == 0) {
                return nanos / unit.nanos + " " + unit.name;
            }
        }
        throw new AssertionError("one nanosecond divides everything");
    }
}
