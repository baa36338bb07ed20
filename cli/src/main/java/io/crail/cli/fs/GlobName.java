// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fs;

import io.crail.error.InvalidArgumentException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One name of a {@link Glob}.
 *
 * @param literal the name, without escapes, if it can be only one; else null
 * @param pattern what names must match
 */
record GlobName(@Nullable String literal, Pattern pattern) {
    /**
     * Reads one name.
     *
     * @param text the name
     * @param whole the pattern that it is a part of, for messages
     */
    static GlobName parse(String text, String whole) throws InvalidArgumentException {
        return new Parser(text, whole).parse();
    }

    boolean matches(String name) {
        return pattern.matcher(name).matches();
    }

    /** Writes the name as a regular expression. */
    private static final class Parser {
        private final String text;
        private final String whole;
        private final StringBuilder regex = new StringBuilder();
        private final StringBuilder literal = new StringBuilder();
        private boolean isLiteral = true;
        private int depth;
        private int at;

        Parser(String text, String whole) {
            this.text = text;
            this.whole = whole;
        }

        GlobName parse() throws InvalidArgumentException {
            while (at < text.length()) {
                one(take());
            }
            if (depth > 0) {
                throw malformed("'{' without '}'");
            }
            // Names may hold line ends.
            Pattern pattern = Pattern.compile(regex.toString(), Pattern.DOTALL);
            return new GlobName(isLiteral ? literal.toString() : null, pattern);
        }

        private int take() {
            int point = text.codePointAt(at);
            at += Character.charCount(point);
            return point;
        }

        private void one(int point) throws InvalidArgumentException {
            switch (point) {
                case '\\' -> character(escaped());
                case '*' -> special(".*");
                case '?' -> special(".");
                case '[' -> {
                    isLiteral = false;
                    set();
                }
                case '{' -> {
                    depth++;
                    special("(?:");
                }
                case '}' -> {
                    if (depth > 0) {
                        depth--;
                        special(")");
                    } else {
                        character(point);
                    }
                }
                case ',' -> {
                    if (depth > 0) {
                        special("|");
                    } else {
                        character(point);
                    }
                }
                default -> character(point);
            }
        }

        private int escaped() throws InvalidArgumentException {
            if (at == text.length()) {
                throw malformed("'\\' escapes nothing");
            }
            return take();
        }

        private void special(String expression) {
            isLiteral = false;
            regex.append(expression);
        }

        private void character(int point) {
            literal.appendCodePoint(point);
            quote(point);
        }

        /** By its number: then nothing has a meaning of its own. */
        private void quote(int point) {
            regex.append("\\x{").append(Integer.toHexString(point)).append('}');
        }

        private void set() throws InvalidArgumentException {
            regex.append('[');
            if (at < text.length() && (text.charAt(at) == '^' || text.charAt(at) == '!')) {
                regex.append('^');
                at++;
            }
            // A bracket that comes first is a member, as everywhere.
            boolean first = true;
            while (first || peek() != ']') {
                int low = member();
                quote(low);
                if (peek() == '-' && at + 1 < text.length() && text.charAt(at + 1) != ']') {
                    at++;
                    int high = member();
                    if (high < low) {
                        throw malformed("a range in '[ ]' goes backwards");
                    }
                    regex.append('-');
                    quote(high);
                }
                first = false;
            }
            at++;
            regex.append(']');
        }

        private int member() throws InvalidArgumentException {
            peek();
            int point = take();
            return point == '\\' ? escaped() : point;
        }

        private char peek() throws InvalidArgumentException {
            if (at >= text.length()) {
                throw malformed("'[' without ']'");
            }
            return text.charAt(at);
        }

        private InvalidArgumentException malformed(String what) {
            return new InvalidArgumentException(
                    "pattern '" + whole + "': " + what + "; --no-glob takes it as a name");
        }
    }
}
