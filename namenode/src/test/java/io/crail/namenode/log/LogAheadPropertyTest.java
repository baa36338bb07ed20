// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** However a log is written, fast or slowly, in small or large pieces: it is read back. */
final class LogAheadPropertyTest {
    private static final long BYTES = 12 << 20;

    @Property(tries = 20)
    void whatIsAppendedIsReplayedAfterACrashAndAfterTheEnd(
            @ForAll long seed, @ForAll Durability durability) throws IOException {
        Path directory = Files.createTempDirectory("ahead");
        Path image = Files.createTempDirectory("image");
        try {
            long written;
            long flushed = 0;
            try (MetadataDirectory opened = TestDirectory.open(directory);
                    LogWriter writer = TestDirectory.writer(opened, durability)) {
                write(writer, seed);
                written = writer.position();
                copy(directory, image);
                if (durability != Durability.NONE) {
                    flushed = written;
                }
            }
            assertThat(replay(image, seed)).isBetween(flushed, written);
            assertThat(replay(directory, seed)).isEqualTo(written);
        } finally {
            remove(directory);
            remove(image);
        }
    }

    private static void write(LogWriter writer, long seed) throws IOException {
        Random random = new Random(seed);
        for (long total = 0; total < BYTES; ) {
            int records = 1 + random.nextInt(random.nextInt(10) == 0 ? 3000 : 100);
            for (int i = 0; i < records && total < BYTES; i++) {
                byte[] body = body(seed, writer.position() + 1);
                writer.begin(1, seed, i).raw(body);
                writer.end();
                total += LogLayout.BODY + body.length;
            }
            if (random.nextInt(100) == 0) {
                writer.roll();
            } else {
                writer.flush();
            }
        }
    }

    /** A third of the bodies are zeros, which must not be taken for what is prepared. */
    private static byte[] body(long seed, long sequence) {
        Random random = new Random(seed + 31 * sequence);
        int limit =
                switch (random.nextInt(4000)) {
                    case 0 -> LogLayout.MAX_RECORD - LogLayout.BODY;
                    case 1, 2, 3 -> 100_000;
                    default -> 300;
                };
        byte[] body = new byte[random.nextInt(limit)];
        if (random.nextInt(3) > 0) {
            random.nextBytes(body);
        }
        return body;
    }

    private static long replay(Path directory, long seed) throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            LogRecovery recovery =
                    opened.recoverLog(
                            1,
                            () -> LogLoss.NONE,
                            (sequence, type, session, requestId, body) -> {
                                byte[] found = body.raw(body.remaining());
                                assertThat(Arrays.equals(found, body(seed, sequence)))
                                        .as("record %d", sequence)
                                        .isTrue();
                            });
            assertThat(recovery.cut()).isNull();
            return recovery.records();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        for (Path each : list(from)) {
            if (!each.endsWith("lock")) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }

    private static void remove(Path directory) throws IOException {
        for (Path each : list(directory)) {
            Files.delete(each);
        }
        Files.delete(directory);
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.toList();
        }
    }
}
