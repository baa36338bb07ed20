// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What an application does in a round.
 *
 * @param workload its kind
 * @param sizes by name; which ones, the workload knows
 */
public record Job(String workload, Map<String, Integer> sizes) {
    /** Records of one key come together ({@code GroupByTest} of Spark's examples). */
    public static final String GROUP_BY = "groupby";

    /** Records are sorted by their keys, as in TeraSort. */
    public static final String SORT = "sort";

    /** The same, with the serializer and sorter for records of a fixed size that crail has. */
    public static final String SORT_FIXED = "sort_fixed";

    /** Two tables of SQL are joined and aggregated. */
    public static final String JOIN = "join";

    /** Each map has one record for each reducer. */
    public static final String SMALL_BLOCKS = "smallblocks";

    /** A value that each executor gets. */
    public static final String BROADCAST = "broadcast";

    /** Jobs that do nothing, one after another. */
    public static final String EMPTY = "empty";

    public Job {
        sizes = Map.copyOf(sizes);
    }

    /**
     * A size.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public int size(String name) {
        Integer size = sizes.get(name);
        if (size == null) {
            throw new IllegalArgumentException("a job " + workload + " needs the size " + name);
        }
        return size;
    }

    /** What {@link #parse} reads. */
    public String text() {
        return new TreeMap<>(sizes)
                .entrySet().stream()
                        .map(size -> " " + size.getKey() + "=" + size.getValue())
                        .collect(Collectors.joining("", workload, ""));
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if that is none
     */
    public static Job parse(String text) {
        String[] words = text.split(" ", -1);
        Map<String, Integer> sizes = new TreeMap<>();
        for (int i = 1; i < words.length; i++) {
            String[] both = words[i].split("=", -1);
            if (both.length != 2) {
                throw new IllegalArgumentException("no size: " + words[i]);
            }
            sizes.put(both[0], Integer.valueOf(both[1]));
        }
        return new Job(words[0], sizes);
    }
}
