// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StreamCommandsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private String stream = "";

    @BeforeEach
    void makeStream() throws CrailException {
        stream = CLUSTER.directory() + "/stream";
        assertThat(run("create", stream).err()).isEmpty();
    }

    private static Run run(String... arguments) {
        return CLUSTER.run(all(arguments));
    }

    private static String[] all(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "stream";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return all;
    }

    private void append(String text) {
        assertThat(
                        CLUSTER.runWithInput(
                                        text.getBytes(StandardCharsets.UTF_8),
                                        all("append", stream))
                                .err())
                .isEmpty();
    }

    @Test
    void linesAreRecords() {
        append("one\n\nthree\nlast without end");
        assertThat(run("read", stream).out()).isEqualTo("one\n\nthree\nlast without end\n");
        assertThat(run("read", "--from", "2", "-n", "1", "--offsets", stream).out())
                .isEqualTo("2\tthree\n");
        assertThat(run("tail", "-n", "2", stream).out()).isEqualTo("three\nlast without end\n");
        assertThat(run("tail", "-f", "-n", "0", "--until", "4", stream).out()).isEmpty();
    }

    @Test
    void filesAreCutIntoRecordsAndComeBackWhole(@TempDir Path local) throws IOException {
        byte[] content = new byte[1_000_003];
        new Random(1).nextBytes(content);
        Path file = Files.write(local.resolve("file"), content);
        Run append =
                run("append", "--json", "--file", file + "", "--record-bytes", "10000 B", stream);
        assertThat(append.out()).contains("\"records\": 101").contains("\"last\": 100");
        assertThat(run("read", "--raw", stream).bytes()).isEqualTo(content);
        assertThat(run("append", "--record-bytes", "65 MiB", stream).status()).isEqualTo(2);
    }

    @Test
    void resultsForPrograms() {
        append("text\n");
        CLUSTER.runWithInput(new byte[] {(byte) 0xff, 0}, all("append", stream));
        assertThat(run("read", "--json", stream).out())
                .isEqualTo(
                        """
                        {"offset": 0, "text": "text"}
                        {"offset": 1, "hex": "ff00"}
                        """);
        assertThat(run("info", "--json", stream).out())
                .contains("\"first\": 0")
                .contains("\"next\": 2")
                .contains("\"bytes\": 22");
        assertThat(run("info", stream).out()).contains("first").contains(stream);
    }

    @Test
    void whatWasTrimmedIsAnErrorThatNamesTheFirstRecord() {
        append("a\nb\nc\n");
        assertThat(run("trim", "--json", stream, "2").out()).contains("\"first\": 2");
        assertThat(run("read", stream).out()).isEqualTo("c\n");
        Run early = run("read", "--from", "0", stream);
        assertThat(early.status()).isNotZero();
        assertThat(early.err()).contains("go on at 2");
        assertThat(run("trim", stream, "9").status()).isNotZero();
    }

    @Test
    void limitsAreKept() {
        String kept = stream + "-kept";
        run("create", "--max-records", "2", "--max-bytes", "1 MiB", "--max-age", "1 h", kept);
        for (String text : new String[] {"a", "b", "c"}) {
            String line = text.repeat(900);
            CLUSTER.runWithInput(
                    (line + "\n").repeat(9).getBytes(StandardCharsets.UTF_8), all("append", kept));
        }
        assertThat(run("read", kept).out()).doesNotContain("a").contains("c");
        assertThat(run("create", "--max-age", "soon", kept + "2").status()).isEqualTo(2);
        assertThat(run("create", kept).status()).isNotZero();
        assertThat(run("create", "-p", kept).status()).isZero();
    }
}
