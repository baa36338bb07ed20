// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import io.crail.error.InvalidArgumentException;

/**
 * A value as somebody wrote it, not checked yet.
 *
 * @param key name of the key
 * @param text the value
 * @param origin where it was written
 */
public record Setting(String key, String text, Origin origin) {
    /** A setting of the command line: {@code option} is what the user typed, such as {@code -D}. */
    public static Setting ofCommandLine(String key, String text, String option) {
        return new Setting(key, text, new Origin(Origin.Kind.COMMAND_LINE, option));
    }

    /**
     * Splits {@code key=value}.
     *
     * @throws InvalidArgumentException if there is no {@code =}
     */
    public static Setting parseAssignment(String assignment, String option)
            throws InvalidArgumentException {
        int equals = assignment.indexOf('=');
        if (equals < 1) {
            throw new InvalidArgumentException(
                    option + " " + assignment + ": not of the form key=value");
        }
        return ofCommandLine(
                assignment.substring(0, equals).trim(),
                assignment.substring(equals + 1).trim(),
                option);
    }
}
