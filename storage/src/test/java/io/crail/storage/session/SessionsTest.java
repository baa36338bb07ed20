// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.segment.SessionLayout;
import io.crail.storage.block.Pins;
import io.crail.storage.testing.TestSegments;
import io.crail.storage.testing.TestSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionsTest {
    private static final UUID CLUSTER = TestSegments.CLUSTER;
    private static final String NAME = "session-0000000000000009-1-1";
    private static final long GENERATION = (5L << 32) | 3;

    @TempDir Path directory;
    private Sessions sessions;

    @BeforeEach
    void open() throws CrailException {
        sessions = Sessions.open(directory);
    }

    @AfterEach
    void close() {
        sessions.close();
    }

    private TestSession client(String name) throws IOException {
        return new TestSession(directory, name, 9, CLUSTER, 8);
    }

    @Test
    void pinsOfAnAttachedSessionCount() throws IOException {
        try (TestSession client = client(NAME)) {
            sessions.attach(NAME, 9, CLUSTER);
            client.pin(7, 2, 33, GENERATION);
            assertThat(sessions.isPinned(2, 33, GENERATION)).isTrue();
            assertThat(sessions.isPinned(2, 33, GENERATION + 1)).isFalse();
            assertThat(sessions.isPinned(2, 34, GENERATION)).isFalse();
            assertThat(sessions.isPinned(1, 33, GENERATION)).isFalse();
            assertThat(sessions.all(2)).containsExactly(new Pins.Pin(33, GENERATION));
            assertThat(sessions.pinned()).isEqualTo(1);
            client.unpin(7);
            assertThat(sessions.isPinned(2, 33, GENERATION)).isFalse();
        }
    }

    @Test
    void aSessionStaysUntilItsLockIsFreeHoweverItsConnectionsEnd() throws IOException {
        try (TestSession client = client(NAME)) {
            sessions.attach(NAME, 9, CLUSTER);
            client.pin(0, 0, 1, GENERATION);
            sessions.disconnected(NAME);
            assertThat(sessions.sweep()).isFalse();
            assertThat(sessions.isPinned(0, 1, GENERATION)).isTrue();
            client.unlock();
            assertThat(sessions.sweep()).isTrue();
            assertThat(sessions.isPinned(0, 1, GENERATION)).isFalse();
            assertThat(client.path()).doesNotExist();
        }
    }

    @Test
    void aConnectedSessionIsNotAskedForItsLock() throws IOException {
        try (TestSession client = client(NAME)) {
            sessions.attach(NAME, 9, CLUSTER);
            client.unlock();
            assertThat(sessions.sweep()).isFalse();
            sessions.attach(NAME, 9, CLUSTER);
            sessions.disconnected(NAME);
            assertThat(sessions.sweep()).isFalse();
            sessions.disconnected(NAME);
            assertThat(sessions.sweep()).isTrue();
        }
    }

    @Test
    void detachingRemovesTheFileAtOnce() throws IOException {
        try (TestSession client = client(NAME)) {
            sessions.attach(NAME, 9, CLUSTER);
            sessions.detach(NAME);
            assertThat(client.path()).doesNotExist();
            assertThat(sessions.sessions()).isZero();
        }
    }

    @Test
    void pinsOutliveTheServer() throws IOException {
        try (TestSession client = client(NAME)) {
            sessions.attach(NAME, 9, CLUSTER);
            client.pin(3, 0, 1, GENERATION);
            sessions.close();
            sessions = Sessions.open(directory);
            assertThat(sessions.isPinned(0, 1, GENERATION)).isTrue();
            sessions.attach(NAME, 9, CLUSTER);
            assertThat(sessions.sessions()).isEqualTo(1);
        }
    }

    @Test
    void filesThatNobodyHoldsAreRemovedAtTheStart() throws IOException {
        Path half = directory.resolve(SessionLayout.DIRECTORY).resolve("session-1-1");
        Files.writeString(half, "half a file");
        try (TestSession client = client(NAME)) {
            client.unlock();
            sessions.close();
            sessions = Sessions.open(directory);
            assertThat(client.path()).doesNotExist();
        }
        assertThat(half).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"session-2", "../segment-0", "", "session-/etc/passwd"})
    void whatIsNoSessionFileIsRefused(String name) {
        assertThatThrownBy(() -> sessions.attach(name, 9, CLUSTER))
                .isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        try (TestSession client = client(NAME)) {
            Files.createSymbolicLink(client.path().resolveSibling("session-3"), client.path());
            assertThatThrownBy(() -> sessions.attach("session-3", 9, CLUSTER))
                    .isInstanceOf(InvalidArgumentException.class);
        }
    }

    @Test
    void aFileOfAnotherSessionClusterOrWithoutLockIsRefused() throws IOException {
        try (TestSession client = client(NAME)) {
            assertThat(client.path()).exists();
            assertThatThrownBy(() -> sessions.attach(NAME, 8, CLUSTER))
                    .isInstanceOf(InvalidArgumentException.class);
            assertThatThrownBy(() -> sessions.attach(NAME, 9, new UUID(1, 1)))
                    .isInstanceOf(InvalidArgumentException.class);
            sessions.attach(NAME, 9, CLUSTER);
            assertThatThrownBy(() -> sessions.attach(NAME, 8, CLUSTER))
                    .isInstanceOf(InvalidArgumentException.class);
        }
        try (TestSession client = client("session-5")) {
            client.unlock();
            assertThatThrownBy(() -> sessions.attach("session-5", 9, CLUSTER))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("not locked");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 12, 16, 48, 60, 72})
    void aDamagedHeaderIsRefused(int at) throws IOException {
        try (TestSession client = client(NAME);
                FileChannel channel = FileChannel.open(client.path(), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {77}), at);
            assertThatThrownBy(() -> sessions.attach(NAME, 9, CLUSTER))
                    .isInstanceOf(CrailException.class);
        }
        assertThat(sessions.sessions()).isZero();
    }
}
