// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON (RFC 8259) without escapes in strings, as programs read the results of commands. */
final class JsonText {
    private final String text;
    private int at;

    private JsonText(String text) {
        this.text = text;
    }

    /**
     * The members of an object: strings, {@link Double}, {@link Boolean}, lists, maps, null.
     *
     * @throws AssertionError if the text is anything else
     */
    static Map<String, @Nullable Object> object(String text) {
        JsonText reader = new JsonText(text);
        Map<String, @Nullable Object> object = reader.object();
        reader.blanks();
        reader.check(reader.at == text.length());
        return object;
    }

    private Map<String, @Nullable Object> object() {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        check(take('{'));
        while (!take('}')) {
            check(object.isEmpty() || take(','));
            String name = string();
            check(take(':'));
            check(!object.containsKey(name));
            object.put(name, value());
        }
        return object;
    }

    private List<@Nullable Object> list() {
        List<@Nullable Object> list = new ArrayList<>();
        check(take('['));
        while (!take(']')) {
            check(list.isEmpty() || take(','));
            list.add(value());
        }
        return list;
    }

    private @Nullable Object value() {
        blanks();
        check(at < text.length());
        return switch (text.charAt(at)) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            default -> word();
        };
    }

    private @Nullable Object word() {
        int start = at;
        while (at < text.length() && ",]} ".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(start, at);
        return switch (word) {
            case "null" -> null;
            case "true", "false" -> Boolean.valueOf(word);
            default -> {
                check(word.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?"));
                yield Double.valueOf(word);
            }
        };
    }

    private String string() {
        check(take('"'));
        int end = text.indexOf('"', at);
        check(end >= 0 && text.indexOf('\\', at) < 0);
        String string = text.substring(at, end);
        at = end + 1;
        return string;
    }

    private boolean take(char c) {
        blanks();
        boolean there = at < text.length() && text.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private void blanks() {
        while (at < text.length() && text.charAt(at) == ' ') {
            at++;
        }
    }

    private void check(boolean condition) {
        if (!condition) {
            throw new AssertionError("column " + (at + 1) + " of " + text);
        }
    }
}
