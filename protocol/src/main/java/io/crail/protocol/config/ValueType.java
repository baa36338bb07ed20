// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How the value of a key is written, read and bounded. {@code parse(format(v))} equals {@code v}.
 *
 * @param <T> type of the value
 */
public final class ValueType<T> {
    private final String name;
    private final String range;
    private final Function<String, T> parser;
    private final Function<T, String> formatter;

    private ValueType(
            String name, String range, Function<String, T> parser, Function<T, String> formatter) {
        this.name = name;
        this.range = range;
        this.parser = parser;
        this.formatter = formatter;
    }

    /** A number of bytes within both bounds, which are included. */
    public static ValueType<ByteSize> size(String min, String max) {
        ByteSize low = ByteSize.parse(min);
        ByteSize high = ByteSize.parse(max);
        String range = low + " .. " + high;
        return new ValueType<>(
                "size", range, text -> within(ByteSize.parse(text), low, high), ByteSize::toString);
    }

    /** A duration within both bounds, which are included. */
    public static ValueType<Duration> duration(String min, String max) {
        Duration low = DurationText.parse(min);
        Duration high = DurationText.parse(max);
        String range = DurationText.format(low) + " .. " + DurationText.format(high);
        return new ValueType<>(
                "duration",
                range,
                text -> within(DurationText.parse(text), low, high),
                DurationText::format);
    }

    /** A whole number within both bounds, which are included. */
    public static ValueType<Integer> integer(int min, int max) {
        return new ValueType<>(
                "number",
                min + " .. " + max,
                text -> within(parseInteger(text), min, max),
                String::valueOf);
    }

    /** {@code true} or {@code false}. */
    public static ValueType<Boolean> flag() {
        return new ValueType<>("flag", "true, false", ValueType::parseFlag, String::valueOf);
    }

    /** One of some words, written in lower case. */
    public static ValueType<String> choice(String... words) {
        List<String> allowed = List.of(words);
        return new ValueType<>(
                "word", String.join(", ", allowed), text -> parseWord(text, allowed), word -> word);
    }

    /** Any text, which may be empty. */
    public static ValueType<String> text() {
        return new ValueType<>("text", "", String::trim, text -> text);
    }

    /** A path of the local file system; a relative one counts from the working directory. */
    public static ValueType<Path> path() {
        return new ValueType<>("path", "", ValueType::parsePath, Path::toString);
    }

    /** Endpoints separated by commas. */
    public static ValueType<List<Endpoint>> endpoints() {
        return new ValueType<>(
                "host:port list", "", Endpoint::parseList, ValueType::formatEndpoints);
    }

    /** What kind of value it is, in a word: {@code size}, {@code duration}, ... */
    public String name() {
        return name;
    }

    /** The allowed values for a person to read; empty if everything of this kind is allowed. */
    public String range() {
        return range;
    }

    /**
     * Reads a value.
     *
     * @throws IllegalArgumentException saying what is wrong with the text
     */
    T parse(String text) {
        return parser.apply(text);
    }

    /** The text of a value, as a configuration file has it. */
    String format(T value) {
        return formatter.apply(value);
    }

    private static <C extends Comparable<C>> C within(C value, C low, C high) {
        if (value.compareTo(low) < 0 || value.compareTo(high) > 0) {
            throw new IllegalArgumentException("out of range");
        }
        return value;
    }

    private static int parseInteger(String text) {
        try {
            return Integer.parseInt(text.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("not a whole number", e);
        }
    }

    private static boolean parseFlag(String text) {
        return switch (text.trim().toLowerCase(Locale.ROOT)) {
            case "true", "yes", "on" -> true;
            case "false", "no", "off" -> false;
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    private static String parseWord(String text, List<String> allowed) {
        String word = text.trim().toLowerCase(Locale.ROOT);
        if (!allowed.contains(word)) {
            throw new IllegalArgumentException("not one of these words");
        }
        return word;
    }

    private static Path parsePath(String text) {
        try {
            return Path.of(text.trim());
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException("not a path: " + e.getReason(), e);
        }
    }

    private static String formatEndpoints(List<Endpoint> endpoints) {
        return endpoints.stream().map(Endpoint::toString).collect(Collectors.joining(","));
    }
}
