// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster.status;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A strict parser of Prometheus' text format, version 0.0.4
 * (https://prometheus.io/docs/instrumenting/exposition_formats/). It shares no code with the writer
 * under test and refuses whatever the specification does not allow, also where Prometheus itself is
 * lenient: every family has help and type, before its samples, which stand together.
 */
final class Exposition {
    /** One line with a value. */
    record Sample(String name, Map<String, String> labels, double value) {}

    /** All samples of one metric. */
    static final class Family {
        final String name;
        final String type;
        final String help;
        final List<Sample> samples = new ArrayList<>();

        Family(String name, String type, String help) {
            this.name = name;
            this.type = type;
            this.help = help;
        }

        private boolean owns(String sample) {
            return sample.equals(name)
                    || (type.equals("histogram")
                            && Set.of(name + "_bucket", name + "_sum", name + "_count")
                                    .contains(sample));
        }
    }

    private static final Pattern HELP =
            Pattern.compile("# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) ((?:[^\\\\]|\\\\[\\\\n])+)");
    private static final Pattern TYPE =
            Pattern.compile("# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)");
    private static final Pattern LINE =
            Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)\\})? (\\S+)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\\n]|\\\\[\"\\\\n])*)\"(,|$)");
    private static final Pattern NUMBER =
            Pattern.compile("[+-]?Inf|NaN|[+-]?[0-9]+(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?");

    private final Map<String, Family> families = new LinkedHashMap<>();
    private final Set<String> seen = new HashSet<>();

    private Exposition() {}

    static Map<String, Family> parse(String text) {
        require(text.endsWith("\n"), "the last line does not end", text);
        Exposition parser = new Exposition();
        String name = "";
        String help = "";
        Family current = new Family("", "", "");
        for (String line : text.substring(0, text.length() - 1).split("\n", -1)) {
            Matcher helps = HELP.matcher(line);
            Matcher types = TYPE.matcher(line);
            if (helps.matches()) {
                name = helps.group(1);
                help = helps.group(2);
            } else if (types.matches()) {
                require(types.group(1).equals(name), "type without help before it", line);
                current = new Family(name, types.group(2), help);
                require(parser.families.put(name, current) == null, "a second family", line);
            } else {
                parser.sample(current, line);
            }
        }
        parser.families.values().forEach(Exposition::check);
        return parser.families;
    }

    private void sample(Family family, String line) {
        Matcher matcher = LINE.matcher(line);
        require(matcher.matches(), "no sample", line);
        String name = matcher.group(1);
        require(family.owns(name), "not of the family " + family.name, line);
        require(NUMBER.matcher(matcher.group(3)).matches(), "no number", line);
        Map<String, String> labels = labels(matcher.group(2), line);
        require(seen.add(name + labels), "the same series again", line);
        family.samples.add(new Sample(name, labels, number(matcher.group(3))));
    }

    private static Map<String, String> labels(@Nullable String text, String line) {
        Map<String, String> labels = new TreeMap<>();
        if (text == null) {
            return labels;
        }
        Matcher matcher = LABEL.matcher(text);
        int at = 0;
        while (at < text.length()) {
            require(matcher.find(at) && matcher.start() == at, "no label at " + at, line);
            require(
                    labels.put(matcher.group(1), matcher.group(2)) == null,
                    "the same label again",
                    line);
            at = matcher.end();
        }
        return labels;
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static void check(Family family) {
        require(!family.samples.isEmpty(), "a family without samples", family.name);
        if (family.type.equals("counter")) {
            require(family.name.endsWith("_total"), "a counter's name", family.name);
            for (Sample sample : family.samples) {
                require(sample.value() >= 0, "a negative counter", sample.toString());
            }
        } else if (family.type.equals("histogram")) {
            checkHistogram(family);
        }
    }

    private static void checkHistogram(Family family) {
        Map<Map<String, String>, TreeMap<Double, Double>> buckets = new LinkedHashMap<>();
        Map<Map<String, String>, Double> counts = new LinkedHashMap<>();
        Map<Map<String, String>, Double> sums = new LinkedHashMap<>();
        for (Sample sample : family.samples) {
            Map<String, String> labels = new TreeMap<>(sample.labels());
            String bound = labels.remove("le");
            if (sample.name().endsWith("_bucket")) {
                buckets.computeIfAbsent(labels, key -> new TreeMap<>())
                        .put(
                                number(Objects.requireNonNull(bound, sample.toString())),
                                sample.value());
            } else {
                require(bound == null, "a bound", sample.toString());
                (sample.name().endsWith("_count") ? counts : sums).put(labels, sample.value());
            }
        }
        require(counts.keySet().equals(buckets.keySet()), "counts", family.name);
        require(sums.keySet().equals(buckets.keySet()), "sums", family.name);
        buckets.forEach(
                (labels, values) -> {
                    double before = 0;
                    for (double count : values.values()) {
                        require(count >= before, "buckets are cumulative", family.name + labels);
                        before = count;
                    }
                    require(
                            values.lastKey() == Double.POSITIVE_INFINITY
                                    && values.lastEntry().getValue().equals(counts.get(labels)),
                            "the last bucket holds all",
                            family.name + labels);
                });
    }

    private static void require(boolean holds, String what, String where) {
        if (!holds) {
            throw new AssertionError(what + ": " + where);
        }
    }
}
