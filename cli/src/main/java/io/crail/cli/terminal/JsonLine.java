// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads one line of JSON lines: a flat object (RFC 8259) of strings, whole numbers and booleans.
 * That is all that commands take; nested values are refused.
 */
public final class JsonLine {
    private final String text;
    private int at;

    private JsonLine(String text) {
        this.text = text;
    }

    /**
     * The members of the object: {@link String}, {@link Long} or {@link Boolean}.
     *
     * @throws IllegalArgumentException if it is no such object; the message says where
     */
    public static Map<String, Object> parse(String line) {
        JsonLine reader = new JsonLine(line);
        Map<String, Object> object = reader.object();
        reader.blanks();
        if (reader.at < line.length()) {
            throw reader.unexpected("the end");
        }
        return object;
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        expect('{');
        if (take('}')) {
            return object;
        }
        do {
            blanks();
            String name = string();
            expect(':');
            object.put(name, value());
        } while (take(','));
        expect('}');
        return object;
    }

    private Object value() {
        blanks();
        if (at < text.length() && text.charAt(at) == '"') {
            return string();
        }
        for (Boolean constant : new Boolean[] {true, false}) {
            if (text.startsWith(constant.toString(), at)) {
                at += constant.toString().length();
                return constant;
            }
        }
        int start = at;
        while (at < text.length() && (Character.isDigit(text.charAt(at)) || isSign(start))) {
            at++;
        }
        try {
            return Long.parseLong(text.substring(start, at));
        } catch (NumberFormatException e) {
            at = start;
            throw unexpected("a string, a whole number, true or false");
        }
    }

    private boolean isSign(int start) {
        return at == start && text.charAt(at) == '-';
    }

    private String string() {
        if (at == text.length() || text.charAt(at) != '"') {
            throw unexpected("a string");
        }
        at++;
        StringBuilder string = new StringBuilder();
        while (at < text.length() && text.charAt(at) != '"') {
            char c = text.charAt(at++);
            string.append(c == '\\' ? escaped() : c);
        }
        if (at == text.length()) {
            throw unexpected("the end of a string");
        }
        at++;
        return string.toString();
    }

    private char escaped() {
        char c = at < text.length() ? text.charAt(at++) : ' ';
        return switch (c) {
            case '"', '\\', '/' -> c;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unicode();
            default -> throw unexpected("an escape");
        };
    }

    private char unicode() {
        int end = at + 4;
        try {
            int code = Integer.parseInt(text, at, Math.min(end, text.length()), 16);
            at = end;
            return (char) code;
        } catch (NumberFormatException | IndexOutOfBoundsException e) {
            throw unexpected("four hexadecimal digits");
        }
    }

    private void blanks() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private boolean take(char c) {
        blanks();
        if (at < text.length() && text.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!take(c)) {
            throw unexpected("'" + c + "'");
        }
    }

    private IllegalArgumentException unexpected(String wanted) {
        return new IllegalArgumentException(
                "column " + (at + 1) + ": expected " + wanted + " (RFC 8259)");
    }
}
