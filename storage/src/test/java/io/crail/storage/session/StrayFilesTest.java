// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.segment.SessionLayout;
import io.crail.storage.testing.TestSegments;
import io.crail.storage.testing.TestSession;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Session files that were never attached. */
final class StrayFilesTest {
    private static final String NAME = "session-0000000000000009-1-1";

    /** Wall time, and what the test adds to it. */
    private static final class TestClock extends Clock {
        private Duration ahead = Duration.ZERO;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }
    }

    /** Makes and locks a session file, and waits to be killed. */
    static final class Client {
        private Client() {}

        public static void main(String[] args) throws IOException {
            try (TestSession made =
                    new TestSession(Path.of(args[0]), NAME, 9, TestSegments.CLUSTER, 8)) {
                System.out.println(made.path());
                while (System.in.read() >= 0) {
                    // Until killed, or until the test has gone.
                }
            }
        }
    }

    @TempDir private Path directory;
    private final TestClock clock = new TestClock();
    private Sessions sessions;
    private Path files;

    @BeforeEach
    void open() throws IOException {
        sessions = Sessions.open(directory, clock);
        files = directory.resolve(SessionLayout.DIRECTORY);
    }

    @AfterEach
    void close() {
        sessions.close();
    }

    private void passTime() {
        clock.ahead = clock.ahead.plus(StrayFiles.AGE).plusSeconds(1);
        sessions.sweep();
    }

    @Test
    void aFileWhoseProcessWasKilledBeforeItAttachedIsRemoved()
            throws IOException, InterruptedException {
        Process client =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx32m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Client.class.getName(),
                                directory.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (BufferedReader output = client.inputReader(StandardCharsets.UTF_8)) {
            Path file = Path.of(output.readLine());
            passTime();
            passTime();
            assertThat(file).exists();
            client.destroyForcibly();
            assertThat(client.waitFor(60, TimeUnit.SECONDS)).isTrue();
            passTime();
            assertThat(file).doesNotExist();
        } finally {
            client.destroyForcibly();
        }
    }

    @Test
    void aHalfMadeFileIsLeftAloneUntilItIsOld() throws IOException {
        Path half = Files.writeString(files.resolve("session-1-1"), "half a file");
        sessions.sweep();
        assertThat(half).exists();
        passTime();
        assertThat(half).doesNotExist();
    }

    @Test
    void theLockOfAClientInThisJvmIsNotTouchedAndItMayAttachLater() throws IOException {
        try (TestSession client = new TestSession(directory, NAME, 9, TestSegments.CLUSTER, 8)) {
            passTime();
            passTime();
            assertThat(client.path()).exists();
            sessions.attach(NAME, 9, TestSegments.CLUSTER);
            passTime();
            assertThat(sessions.sessions()).isEqualTo(1);
        }
    }

    @Test
    void whatIsNoSessionFileStaysAndSoDoesWhatALinkLeadsTo() throws IOException {
        Path other = Files.writeString(files.resolve("notes"), "of the operator");
        Path target = Files.writeString(directory.resolve("target"), "elsewhere");
        Path link = Files.createSymbolicLink(files.resolve("session-2-2"), target);
        passTime();
        assertThat(other).exists();
        assertThat(target).exists();
        assertThat(link).exists();
    }

    @Test
    void manyAreRemovedSomeInEachTurn() throws IOException {
        for (int i = 0; i < StrayFiles.MAX_OPENED + 10; i++) {
            Files.writeString(files.resolve("session-" + Integer.toHexString(i)), "half a file");
        }
        passTime();
        try (var left = Files.list(files)) {
            assertThat(left).hasSize(10);
        }
        passTime();
        assertThat(files).isEmptyDirectory();
    }
}
