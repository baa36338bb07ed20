// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.protocol.segment.SessionLayout;
import io.crail.storage.session.Sessions;
import io.crail.storage.testing.TestSegments;
import io.crail.storage.testing.TestSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Headers of segment files and session files with random changes: each is used or refused with an
 * error, and whatever a session's slots hold, scanning them ends. Times and seeds as of the other
 * fuzzers.
 */
@Tag("faults")
class SegmentFuzzTest {
    private static final Duration TIME =
            Duration.ofSeconds(Integer.getInteger("crail.fuzz.seconds", 60)).dividedBy(2);

    @TempDir Path directory;
    private final long seed = Long.getLong("crail.seed", System.nanoTime());
    private final Random random = new Random(seed);

    private void change(Path file, int limit) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                byte[] bytes = new byte[1 + random.nextInt(8)];
                random.nextBytes(bytes);
                channel.write(ByteBuffer.wrap(bytes), random.nextInt(limit));
            }
        }
    }

    @Test
    @Timeout(600)
    void changedSegmentHeadersAreRefusedOrHarmless() throws IOException {
        Segment segment = TestSegments.create(directory, 0, 1 << 20);
        Path file = directory.resolve("segment-0");
        byte[] header = new byte[SegmentLayout.CHECKED_TO];
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            channel.read(ByteBuffer.wrap(header), 0);
        }
        long refused = 0;
        long end = System.nanoTime() + TIME.toNanos();
        while (System.nanoTime() < end) {
            change(file, SegmentLayout.CHECKED_TO);
            try {
                TestSegments.files(directory).attach(TestSegments.CLUSTER);
            } catch (CrailException e) {
                refused++;
            }
            if (!file.toFile().exists()) { // Without its magic it was never completed: removed.
                segment = TestSegments.create(directory, 0, 1 << 20);
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
                    channel.read(ByteBuffer.wrap(header), 0);
                }
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(header), 0);
            }
        }
        assertThat(refused).as("seed " + seed).isPositive();
        assertThat(segment.number()).isZero();
    }

    @Test
    @Timeout(600)
    void changedSessionFilesAreRefusedOrScanned() throws IOException {
        long refused = 0;
        long end = System.nanoTime() + TIME.toNanos();
        for (int i = 0; System.nanoTime() < end; i++) {
            Sessions sessions = Sessions.open(directory);
            String name = "session-" + Integer.toHexString(i);
            try (TestSession client =
                    new TestSession(directory, name, 9, TestSegments.CLUSTER, 16)) {
                boolean header = random.nextBoolean();
                change(
                        client.path(),
                        header ? SessionLayout.CHECKED_TO : (int) SessionLayout.fileSize(16));
                try {
                    sessions.attach(name, 9, TestSegments.CLUSTER);
                    assertThat(sessions.isPinned(0, 1, 2)).isFalse();
                    assertThat(sessions.all(random.nextInt()).size()).isLessThanOrEqualTo(16);
                    assertThat(sessions.pinned()).isBetween(0, 16);
                } catch (CrailException e) {
                    refused++;
                }
                client.unlock();
            }
            sessions.close();
        }
        assertThat(refused).as("seed " + seed).isPositive();
    }
}
