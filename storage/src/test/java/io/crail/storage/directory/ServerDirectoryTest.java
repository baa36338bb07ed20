// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CorruptDataException;
import io.crail.error.CrailException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServerDirectoryTest {
    private static final UUID CLUSTER = new UUID(1, 2);

    @TempDir Path temporary;
    private Path path;

    @BeforeEach
    void name() {
        path = temporary.resolve("a/b");
    }

    @Test
    void identityAndEpochOutliveTheProcess() throws CrailException {
        UUID identity;
        try (ServerDirectory directory = ServerDirectory.open(path, false)) {
            identity = directory.identity();
            assertThat(directory.highestEpoch(CLUSTER)).isZero();
            directory.raiseEpoch(CLUSTER, 7);
            directory.raiseEpoch(CLUSTER, 6);
        }
        try (ServerDirectory directory = ServerDirectory.open(path, false)) {
            assertThat(directory.identity()).isEqualTo(identity);
            assertThat(directory.highestEpoch(CLUSTER)).isEqualTo(7);
            assertThat(directory.highestEpoch(new UUID(3, 4))).isZero();
            directory.raiseEpoch(new UUID(3, 4), 1);
            assertThat(directory.highestEpoch(new UUID(3, 4))).isEqualTo(1);
        }
    }

    @Test
    void formattingMakesANewServer() throws IOException {
        UUID identity;
        try (ServerDirectory directory = ServerDirectory.open(path, false)) {
            identity = directory.identity();
            directory.raiseEpoch(CLUSTER, 7);
        }
        Files.write(path.resolve("segment-0"), new byte[10]);
        try (ServerDirectory directory = ServerDirectory.open(path, true)) {
            assertThat(directory.identity()).isNotEqualTo(identity);
            assertThat(directory.highestEpoch(CLUSTER)).isZero();
            assertThat(path.resolve("segment-0")).doesNotExist();
        }
    }

    @Test
    void isPrivate() throws IOException {
        Files.createDirectories(path);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (ServerDirectory directory = ServerDirectory.open(path, false)) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
            assertThat(
                            PosixFilePermissions.toString(
                                    Files.getPosixFilePermissions(
                                            directory.path().resolve("identity"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void isUsedOnceAtATime() throws CrailException {
        ServerDirectory directory = ServerDirectory.open(path, false);
        assertThatThrownBy(() -> ServerDirectory.open(path, false))
                .isInstanceOf(BusyException.class);
        directory.close();
        ServerDirectory.open(path, false).close();
    }

    @Test
    void aLinkIsNotFollowed() throws IOException {
        Files.createSymbolicLink(temporary.resolve("link"), temporary);
        assertThatThrownBy(() -> ServerDirectory.open(temporary.resolve("link"), false))
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void damagedFilesAreNamed() throws IOException {
        ServerDirectory.open(path, false).close();
        Files.writeString(path.resolve("epoch"), "seven");
        assertThatThrownBy(() -> ServerDirectory.open(path, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("epoch");
        Files.writeString(path.resolve("identity"), "me");
        assertThatThrownBy(() -> ServerDirectory.open(path, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("identity");
    }

    @Test
    void canBeRemovedAsAWhole() throws IOException {
        ServerDirectory directory = ServerDirectory.open(path, false);
        Files.write(path.resolve("segment-0"), new byte[10]);
        directory.removeAndClose();
        assertThat(path).doesNotExist();
    }
}
