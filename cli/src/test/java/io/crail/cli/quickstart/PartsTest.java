// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.cli.ClusterFixture;
import io.crail.cli.Run;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailStream;
import io.crail.client.StreamOptions;
import io.crail.client.StreamReader;
import io.crail.client.StreamRecord;
import io.crail.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What further processes do in a run, here in this one. */
class PartsTest {
    @RegisterExtension static final ClusterFixture CLUSTER = new ClusterFixture();

    private static Run rounds(String input, String... arguments) {
        return CLUSTER.runWithInput(input.getBytes(StandardCharsets.UTF_8), arguments);
    }

    @Test
    void writersMakeMembersWhoseOrderIsThatOfTheContent() throws Exception {
        String path = CLUSTER.directory() + "/multi";
        CLUSTER.client().createMultiFile(path);
        for (int writer = 1; writer >= 0; writer--) {
            Run run =
                    rounds(
                            "go\n",
                            "quickstart",
                            "write-members",
                            "--writer=" + writer,
                            "--bytes=" + (9 << 20),
                            "--rounds=1",
                            path);
            assertThat(run.status()).as(run.err()).isZero();
            assertThat(run.out()).isEqualTo("ready\ndone\n");
        }
        CRC32C expected = new CRC32C();
        for (int writer = 0; writer < 2; writer++) {
            GeneratedFile content = WriteMembersCommand.content(writer, 9 << 20);
            for (long at = 0; at < content.length(); at += GeneratedFile.BLOCK) {
                expected.update(content.block(at));
            }
        }
        CRC32C seen = new CRC32C();
        try (CrailInputStream in = CLUSTER.client().multiFile(path).openStream()) {
            seen.update(in.readAllBytes());
        }
        assertThat(seen.getValue()).isEqualTo(expected.getValue());
    }

    @Test
    void anAppenderGoesOnCountingFromRoundToRound() throws Exception {
        String path = CLUSTER.directory() + "/stream";
        try (CrailStream stream = CLUSTER.client().createStream(path, StreamOptions.DEFAULT);
                StreamReader reader = stream.readerFromEarliest()) {
            String[] many = {"quickstart", "append-records", "--first=0", "--records=50", path};
            String[] singly = {
                "quickstart", "append-records", "--first=100", "--records=5", "--singly", path
            };
            assertThat(rounds("go\ngo\n", many).out()).isEqualTo("ready\ndone\ndone\n");
            assertThat(rounds("go\n", singly).out()).isEqualTo("ready\ndone\n");
            long now = System.nanoTime();
            long next = 0;
            while (next < 105) {
                for (StreamRecord record : reader.poll(200, Duration.ofSeconds(30))) {
                    assertThat(TimedRecord.check(record, next++)).isLessThanOrEqualTo(now);
                }
            }
            assertThat(stream.info().next()).isEqualTo(105);
        }
    }

    @Test
    void aPartEndsWithItsInputAndDoesNothingUnasked() throws Exception {
        String path = CLUSTER.directory() + "/stream";
        try (CrailStream stream = CLUSTER.client().createStream(path, StreamOptions.DEFAULT)) {
            for (String input : List.of("", "nonsense\n")) {
                Run run =
                        rounds(
                                input,
                                "quickstart",
                                "append-records",
                                "--first=0",
                                "--records=5",
                                path);
                assertThat(run.out()).isEqualTo("ready\n");
            }
            assertThat(stream.info().next()).isZero();
        }
    }

    @Test
    void aRecordThatIsNotTheExpectedOneIsFound() throws Exception {
        StreamRecord third = new StreamRecord(3, TimedRecord.of(3));
        assertThat(TimedRecord.check(third, 3)).isLessThanOrEqualTo(System.nanoTime());
        ByteBuffer damaged = TimedRecord.of(3);
        damaged.put(TimedRecord.LENGTH - 1, (byte) ~damaged.get(TimedRecord.LENGTH - 1));
        for (StreamRecord wrong :
                List.of(
                        new StreamRecord(4, TimedRecord.of(3)),
                        new StreamRecord(3, TimedRecord.of(4)),
                        new StreamRecord(3, TimedRecord.of(3).limit(50)),
                        new StreamRecord(3, damaged))) {
            assertThatThrownBy(() -> TimedRecord.check(wrong, 3))
                    .isInstanceOf(CorruptDataException.class);
        }
    }
}
