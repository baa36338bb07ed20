// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.command;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.DurationText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How times to live are written and shown. */
public final class Lifetimes {
    /** How commands write what is without an end. */
    public static final String NONE = "none";

    private Lifetimes() {}

    /**
     * Reads the value of an option.
     *
     * @param name of the option or parameter, for the error
     * @param text a duration; null or {@value #NONE} = without an end
     * @return the time to live; zero = without an end
     */
    public static Duration parse(String name, @Nullable String text)
            throws InvalidArgumentException {
        if (text == null || text.equals(NONE)) {
            return Duration.ZERO;
        }
        Duration duration;
        try {
            duration = DurationText.parse(text);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException(name + ": " + e.getMessage(), e);
        }
        if (duration.toMillis() == 0) {
            throw new InvalidArgumentException(
                    name + " is '" + text + "'; it must be 1 ms at least, or " + NONE);
        }
        return duration;
    }

    /** What is left, rounded to a unit that people care about. */
    public static String format(long remainingMillis) {
        Duration left = Duration.ofMillis(remainingMillis);
        if (left.compareTo(Duration.ofSeconds(10)) < 0) {
            return DurationText.format(left);
        }
        long seconds = left.toSeconds();
        if (seconds < 600) {
            return seconds + " s";
        }
        long minutes = left.toMinutes();
        if (minutes < 600) {
            return minutes + " min";
        }
        return left.toHours() < 240 ? left.toHours() + " h" : left.toDays() + " d";
    }
}
