// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cluster.EmbeddedCluster;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.CrailShuffleSuite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The suite by which Spark tests its own shuffle managers. */
@Tag("spark")
@Tag("long")
@Timeout(value = 900, unit = TimeUnit.SECONDS)
class SparkShuffleSuiteTest {
    private static final long LIMIT_SECONDS = 840;
    private static final Pattern TOTAL =
            Pattern.compile("Tests: succeeded (\\d+), failed (\\d+), canceled (\\d+)");

    @Test
    void sparksOwnSuitePasses(@TempDir Path directory) throws IOException, InterruptedException {
        Path home = Path.of(System.getenv("SPARK_HOME"));
        Files.createDirectories(home.resolve("jars"));
        try (EmbeddedCluster cluster =
                EmbeddedCluster.builder().servers(2).capacity(512L << 20).start()) {
            Path log = directory.resolve("log");
            Process suite = suite(cluster.namenode(), home, directory, log);
            try {
                assertThat(suite.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
            } finally {
                suite.descendants().forEach(ProcessHandle::destroyForcibly);
                suite.destroyForcibly();
            }
            String output = Files.readString(log);
            Matcher total = TOTAL.matcher(output);
            assertThat(total.find()).as(output).isTrue();
            assertThat(Integer.parseInt(total.group(1))).as(output).isGreaterThanOrEqualTo(16);
            assertThat(total.group(2)).as(output).isEqualTo("0");
            assertThat(suite.exitValue()).as(output).isZero();
        }
    }

    private static Process suite(String namenode, Path home, Path directory, Path log)
            throws IOException {
        String classes =
                System.getProperty(
                        "surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(
                List.of(
                        "-Dspark.testing=1",
                        "-Dspark.test.home=" + home,
                        "-Djava.io.tmpdir=" + directory,
                        "-D" + CrailShuffleSuite.NAMENODE + "=" + namenode,
                        "-cp",
                        classes,
                        "org.scalatest.tools.Runner",
                        "-oDW",
                        "-R",
                        Path.of("target", "test-classes").toString(),
                        "-s",
                        CrailShuffleSuite.class.getName()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(log.toFile());
        Map<String, String> environment = builder.environment();
        environment.put("SPARK_TESTING", "1");
        environment.put("SPARK_PREPEND_CLASSES", "1");
        environment.put("SPARK_DIST_CLASSPATH", classes);
        return builder.start();
    }
}
