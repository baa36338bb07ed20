// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of log and snapshot files are those that were once written down. */
class GoldenFilesTest {
    private static final Path GOLDEN =
            Path.of(System.getProperty("crail.home", ".."), "protocol/src/test/resources/golden");
    private static final long SESSION = 0x0102030405060708L;

    @TempDir Path directory;

    private record SnapshotEntry(int type, String body) {}

    private static byte[] golden(String name) throws IOException {
        StringBuilder hex = new StringBuilder();
        for (String line : Files.readAllLines(GOLDEN.resolve(name))) {
            if (!line.startsWith("#")) {
                hex.append(line.replace(" ", ""));
            }
        }
        return HexFormat.of().parseHex(hex);
    }

    @Test
    void theWriterWritesTheGoldenLog() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory);
                LogWriter writer =
                        opened.openLog(
                                new LogRecovery(4711, 0, null),
                                Durability.PROCESS,
                                DurabilityListener.none())) {
            writer.begin(7, SESSION, 42).string("hello");
            writer.end();
            writer.begin(65535, -1, -2);
            writer.end();
        }
        assertThat(TestDirectory.log(directory, 4711)).hasBinaryContent(golden("log.hex"));
    }

    @Test
    void theReaderReadsTheGoldenLog() throws IOException {
        List<String> records = new ArrayList<>();
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            Files.write(TestDirectory.log(directory, 4711), golden("log.hex"));
            LogRecovery recovery =
                    opened.recoverLog(
                            4711,
                            () -> LogLoss.NONE,
                            (sequence, type, session, requestId, body) ->
                                    records.add(
                                            sequence
                                                    + " "
                                                    + type
                                                    + " "
                                                    + session
                                                    + " "
                                                    + requestId
                                                    + " "
                                                    + (body.remaining() > 0
                                                            ? body.string(10)
                                                            : "")));
            assertThat(recovery).isEqualTo(new LogRecovery(4713, 2, null));
        }
        assertThat(records).containsExactly("4711 7 " + SESSION + " 42 hello", "4712 65535 -1 -2 ");
    }

    @Test
    void theWriterWritesTheGoldenSnapshot() throws Exception {
        CompletableFuture<Long> bytes = new CompletableFuture<>();
        SnapshotListener listener =
                new SnapshotListener() {
                    @Override
                    public void completed(long sequence, long records, long size) {
                        bytes.complete(size);
                    }

                    @Override
                    public void failed(long sequence, IOException cause) {
                        bytes.completeExceptionally(cause);
                    }
                };
        byte[] golden = golden("snapshot.hex");
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            SnapshotWriter writer = opened.beginSnapshot(4711, listener);
            assertThat(writer.hasRoom()).isTrue();
            writer.begin(7).string("hello");
            writer.end();
            writer.begin(65535);
            writer.end();
            writer.finish();
            assertThat(bytes.get(60, TimeUnit.SECONDS)).isEqualTo(golden.length);
        }
        assertThat(TestDirectory.snapshot(directory, 4711)).hasBinaryContent(golden);
    }

    @Test
    void theReaderReadsTheGoldenSnapshot() throws IOException {
        List<SnapshotEntry> entries = new ArrayList<>();
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            Files.write(TestDirectory.snapshot(directory, 4711), golden("snapshot.hex"));
            SnapshotReader reader = opened.newestSnapshot().orElseThrow();
            reader.read(
                    (type, body) ->
                            entries.add(
                                    new SnapshotEntry(
                                            type, body.remaining() > 0 ? body.string(10) : "")));
        }
        assertThat(entries)
                .containsExactly(new SnapshotEntry(7, "hello"), new SnapshotEntry(65535, ""));
    }
}
