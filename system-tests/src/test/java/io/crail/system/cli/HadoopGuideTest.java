// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The commands of docs/hadoop.md, as they stand there, one after the other. */
@Tag("hadoop")
@Timeout(180)
class HadoopGuideTest {
    private static final Path HOME = Path.of(System.getProperty("crail.home"));
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```\\n(.*?)^```$");

    @TempDir private Path directory;
    private State state = new State(Path.of("/"));

    @BeforeEach
    void start() {
        state = new State(directory);
        Command start =
                Command.run(directory, "cluster", "start", "--servers=1", "--capacity=64MiB");
        assertThat(start.status()).as(start.err()).isZero();
    }

    @AfterEach
    void stop() {
        state.removeAll();
    }

    private static List<String> commands() throws IOException {
        String guide = Files.readString(HOME.resolve("docs").resolve("hadoop.md"));
        return BLOCK.matcher(guide).results().flatMap(block -> block.group(1).lines()).toList();
    }

    private String succeed(String command) {
        Command ended = Command.script(directory, "cd '" + HOME + "'; " + command);
        assertThat(ended.status()).as("%s: %s", command, ended.err()).isZero();
        return ended.out();
    }

    @Test
    void everyCommandDoesWhatThePageSays() throws IOException {
        int run = 0;
        for (String command : commands()) {
            if (!command.startsWith("mvn ")) { // this is run by what Maven has built and started
                succeed(command);
                run++;
            }
        }
        assertThat(run).isGreaterThanOrEqualTo(6);
        String page = Files.readString(HOME.resolve("docs").resolve("hadoop.md"));
        assertThat(succeed("bin/crail hadoop fs -cat /docs/hadoop.md")).isEqualTo(page);
        assertThat(succeed("bin/crail fs cat /copy/hadoop.md")).isEqualTo(page);
    }

    @Test
    void whatMavenIsToldExists() throws IOException {
        List<String> told = commands().stream().filter(each -> each.startsWith("mvn ")).toList();
        assertThat(told).isNotEmpty();
        String parent = Files.readString(HOME.resolve("pom.xml"));
        assertThat(told).allMatch(each -> each.startsWith("mvn -pl hdfs-adapter -am "));
        assertThat(parent).contains("<module>hdfs-adapter</module>", "<hadoop.version>");
    }
}
