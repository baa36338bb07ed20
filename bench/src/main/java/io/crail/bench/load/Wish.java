// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.Spelling;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Reads what the user wishes: each failure names the option, the word and what is possible. */
final class Wish {
    private Wish() {}

    /** Whole numbers within bounds, without doubles. */
    static List<Integer> numbers(String option, List<Integer> values, int least, int most)
            throws InvalidArgumentException {
        for (int value : values) {
            within(option, value, least, most);
        }
        return distinct(option, values);
    }

    /** A whole number within bounds. */
    static int within(String option, int value, int least, int most)
            throws InvalidArgumentException {
        if (value < least || value > most) {
            throw new InvalidArgumentException(
                    option + " " + value + ": must be within " + least + ".." + most);
        }
        return value;
    }

    /** Sizes within bounds. */
    static List<Integer> sizes(String option, List<String> texts, int least, int most)
            throws InvalidArgumentException {
        List<Integer> sizes = new ArrayList<>();
        for (String text : texts) {
            ByteSize size;
            try {
                size = ByteSize.parse(text);
            } catch (IllegalArgumentException e) {
                throw new InvalidArgumentException(option + ": " + e.getMessage(), e);
            }
            if (size.bytes() < least || size.bytes() > most) {
                throw new InvalidArgumentException(
                        option
                                + " "
                                + text
                                + ": must be within "
                                + new ByteSize(least)
                                + ".."
                                + new ByteSize(most));
            }
            sizes.add((int) size.bytes());
        }
        return distinct(option, sizes);
    }

    /** Words that are names of constants, in the order of the constants; all if there is none. */
    static <E extends Enum<E>> List<E> names(String option, List<String> words, Class<E> type)
            throws InvalidArgumentException {
        List<E> all = List.of(type.getEnumConstants());
        List<String> names = all.stream().map(Wish::name).toList();
        for (String word : words) {
            if (!names.contains(word)) {
                throw new InvalidArgumentException(
                        option
                                + " "
                                + word
                                + ": must be among "
                                + String.join(", ", names)
                                + Spelling.nearest(word, names)
                                        .map(near -> "; did you mean '" + near + "'?")
                                        .orElse(""));
            }
        }
        return words.isEmpty()
                ? all
                : all.stream().filter(one -> words.contains(name(one))).toList();
    }

    /** How users write a constant. */
    static String name(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static <T> List<T> distinct(String option, List<T> values)
            throws InvalidArgumentException {
        if (values.isEmpty()) {
            throw new InvalidArgumentException(option + ": at least one value is needed");
        }
        return values.stream().distinct().toList();
    }
}
