// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program handed to spark-submit, in a process of its own: nothing of crail is on its class path
 * but what spark-submit is told of.
 */
final class SparkSubmission {
    private static final int BOUND_SECONDS = 150;

    private final Path directory;
    private final Map<String, String> settings = new TreeMap<>();
    private final List<String> options = new ArrayList<>();

    /**
     * A submission with nothing but what every test needs.
     *
     * @param directory for its files
     */
    SparkSubmission(Path directory) {
        this.directory = directory;
        set("spark.ui.enabled", "false");
        set("spark.local.dir", directory.toString());
        set("spark.executor.extraClassPath", classPath());
    }

    SparkSubmission set(String key, String value) {
        settings.put(key, value);
        return this;
    }

    SparkSubmission option(String name, String value) {
        options.addAll(List.of(name, value));
        return this;
    }

    /** Runs it to its end, and returns what it printed. */
    String run(Class<?> program, String... arguments) throws IOException, InterruptedException {
        // Executors find their classes by the class path; Spark wants the directory nevertheless.
        Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Flags that Spark's own launcher gives.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--add-") || flag.startsWith("-XX:+Ignore"))
                .forEach(command::add);
        command.addAll(List.of("-cp", classPath(), "-XX:TieredStopAtLevel=1", "-Xmx512m"));
        command.add("org.apache.spark.deploy.SparkSubmit");
        command.addAll(options);
        settings.forEach((key, value) -> command.addAll(List.of("--conf", key + "=" + value)));
        command.addAll(List.of("--class", program.getName(), "spark-internal"));
        command.addAll(List.of(arguments));
        return printedBy(command);
    }

    private String printedBy(List<String> command) throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "submit", ".out");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            boolean ended = process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS);
            assertThat(ended).as("it ends; printed: %s", Files.readString(output)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> !each.equals(JarContents.hadoop().path().toString()))
                .collect(Collectors.joining(File.pathSeparator));
    }
}
