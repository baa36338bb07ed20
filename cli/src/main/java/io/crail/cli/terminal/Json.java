// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.terminal;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON (RFC 8259). Values are maps with string keys, lists, strings, numbers, booleans and
 * null. Numbers that are not finite become null, since JSON has none such.
 */
public final class Json {
    private Json() {}

    /** An object from names and values in turn; keeps their order. */
    public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
        }
        return object;
    }

    /** The value as text without a line end; lists of objects take one line for each element. */
    public static String write(@Nullable Object value) {
        StringBuilder text = new StringBuilder();
        if (value instanceof List<?> list && !list.isEmpty()) {
            text.append("[\n");
            for (int i = 0; i < list.size(); i++) {
                text.append("  ");
                append(text, list.get(i));
                text.append(i < list.size() - 1 ? ",\n" : "\n");
            }
            return text.append(']').toString();
        }
        append(text, value);
        return text.toString();
    }

    private static void append(StringBuilder text, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            appendObject(text, map);
        } else if (value instanceof List<?> list) {
            appendList(text, list);
        } else if (value instanceof Double number && !Double.isFinite(number)) {
            text.append("null");
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            text.append(value);
        } else {
            appendString(text, value.toString());
        }
    }

    private static void appendObject(StringBuilder text, Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            text.append(separator);
            appendString(text, String.valueOf(entry.getKey()));
            text.append(": ");
            append(text, entry.getValue());
            separator = ", ";
        }
        text.append(map.isEmpty() ? "{}" : "}");
    }

    private static void appendList(StringBuilder text, List<?> list) {
        String separator = "[";
        for (Object element : list) {
            text.append(separator);
            append(text, element);
            separator = ", ";
        }
        text.append(list.isEmpty() ? "[]" : "]");
    }

    private static void appendString(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    boolean lone = Character.isSurrogate(c) && isLone(value, i);
                    if (c < 0x20 || c == 0x7f || lone) {
                        text.append(String.format("\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean isLone(String value, int i) {
        if (Character.isHighSurrogate(value.charAt(i))) {
            return i + 1 == value.length() || !Character.isLowSurrogate(value.charAt(i + 1));
        }
        return i == 0 || !Character.isHighSurrogate(value.charAt(i - 1));
    }
}
