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
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jar handed to spark-submit, as docs/hadoop.md says. */
@Tag("hadoop")
@Tag("long")
@Timeout(180)
class SparkSubmitTest {
    private static final String JAR = System.getProperty("crail.hadoop.jar");
    private static final int BOUND_SECONDS = 120;

    @TempDir private static Path state;

    private static ServerProcesses servers;

    @BeforeAll
    static void start() throws IOException {
        servers = ServerProcesses.start(state);
    }

    @AfterAll
    static void stop() throws IOException {
        servers.close();
    }

    private static String submit(String... options) throws IOException, InterruptedException {
        String classPath =
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(each -> !each.equals(JAR))
                        .collect(Collectors.joining(File.pathSeparator));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Flags that Spark's own launcher gives.
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> flag.startsWith("--add-") || flag.startsWith("-XX:+Ignore"))
                .forEach(command::add);
        command.addAll(List.of("-cp", classPath, "-XX:TieredStopAtLevel=1", "-Xmx512m"));
        command.addAll(List.of("org.apache.spark.deploy.SparkSubmit", "--master", "local[1]"));
        command.addAll(List.of("--conf", "spark.ui.enabled=false"));
        command.addAll(List.of("--conf", "spark.local.dir=" + state));
        command.addAll(List.of(options));
        command.addAll(List.of("--class", SubmittedJob.class.getName(), "spark-internal"));
        command.add(servers.uri() + "submitted");
        Path output = Files.createTempFile(state, "submit", ".out");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    /** Hadoop has looked for file systems before Spark adds the jar, and does not look again. */
    @Test
    void theJarAmongThoseOfAJobIsNamed() throws IOException, InterruptedException {
        assertThat(
                        submit(
                                "--jars",
                                JAR,
                                "--conf",
                                "spark.hadoop.fs.crail.impl=io.crail.hadoop.CrailFileSystem"))
                .contains("rows: 900");
    }
}
