// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

/**
 * Where a value comes from.
 *
 * @param kind kind of source
 * @param detail file and line, variable or option; empty for defaults
 */
public record Origin(Kind kind, String detail) {
    /** Kinds of sources; a later one overrides an earlier one. */
    public enum Kind {
        DEFAULT,
        FILE,
        ENVIRONMENT,
        COMMAND_LINE
    }

    /** Of every value that nobody has set. */
    public static final Origin DEFAULT = new Origin(Kind.DEFAULT, "");

    /** For a person: {@code default}, {@code conf/crail.conf:12}, {@code --set}. */
    @Override
    public String toString() {
        return switch (kind) {
            case DEFAULT -> "default";
            case ENVIRONMENT -> "$" + detail;
            case FILE, COMMAND_LINE -> detail;
        };
    }
}
