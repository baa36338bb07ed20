// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
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

    /** Hadoop has looked for file systems before Spark adds the jar, and does not look again. */
    @Test
    void theJarAmongThoseOfAJobIsNamed() throws IOException, InterruptedException {
        assertThat(
                        new SparkSubmission(state)
                                .option("--master", "local[1]")
                                .option("--jars", JarContents.hadoop().path().toString())
                                .set(
                                        "spark.hadoop.fs.crail.impl",
                                        "io.crail.hadoop.CrailFileSystem")
                                .run(SubmittedJob.class, servers.uri() + "submitted"))
                .contains("rows: 900");
    }
}
