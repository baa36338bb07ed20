// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.CorruptDataException;
import io.crail.error.VersionMismatchException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Identity, lock, permissions. */
class MetadataDirectoryTest {
    @TempDir Path parent;

    private Path directory() {
        return parent.resolve("some/metadata");
    }

    /** Holds the lock in a process of its own until its standard input ends. */
    static final class Holder {
        private Holder() {}

        public static void main(String[] args) throws IOException {
            try (MetadataDirectory held = TestDirectory.open(Path.of(args[0]))) {
                System.out.println("holding " + held.path());
                while (System.in.read() >= 0) {}
            }
        }
    }

    @Test
    void aNewDirectoryIsForItsOwnerOnlyAndKeepsItsCluster() throws IOException {
        try (MetadataDirectory created = TestDirectory.open(directory())) {
            assertThat(created.isNew()).isTrue();
            assertThat(created.cluster()).isEqualTo(TestDirectory.CLUSTER);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                .isEqualTo("rwx------");
        try (MetadataDirectory again =
                MetadataDirectory.open(
                        directory(), MetadataFiles.ofSystem(), java.util.UUID::randomUUID)) {
            assertThat(again.isNew()).isFalse();
            assertThat(again.cluster()).isEqualTo(TestDirectory.CLUSTER);
        }
    }

    @Test
    void aSecondUseInTheSameProcessIsRefusedAndDoesNotBreakTheLock() throws IOException {
        try (MetadataDirectory first = TestDirectory.open(directory())) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> TestDirectory.open(directory()))
                        .isInstanceOf(AccessDeniedException.class)
                        .hasMessageContaining(directory().toString())
                        .hasMessageContaining(String.valueOf(ProcessHandle.current().pid()));
            }
            assertThat(first.snapshots()).isEmpty();
        }
        TestDirectory.open(directory()).close();
    }

    @Test
    void aSecondProcessIsRefusedNamingTheFirstUntilThatIsKilled() throws Exception {
        Process holder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Holder.class.getName(),
                                directory().toString())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try {
            assertThat(holder.inputReader().readLine()).startsWith("holding");
            assertThatThrownBy(() -> TestDirectory.open(directory()))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("process " + holder.pid());
            // Having looked must not have taken the lock away.
            assertThatThrownBy(() -> TestDirectory.open(directory()))
                    .isInstanceOf(AccessDeniedException.class);
        } finally {
            holder.destroyForcibly();
            assertThat(holder.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
        TestDirectory.open(directory()).close();
    }

    @Test
    void aDirectoryOfANewerVersionIsRefused() throws IOException {
        TestDirectory.open(directory()).close();
        Path identity = directory().resolve("identity");
        String text = Files.readString(identity, StandardCharsets.ISO_8859_1);
        Files.writeString(identity, text.replace("format=1", "format=2"));

        assertThatThrownBy(() -> TestDirectory.open(directory()))
                .isInstanceOf(VersionMismatchException.class)
                .hasMessageContaining("format 2");
        Files.writeString(identity, text);
        TestDirectory.open(directory()).close();
    }

    @Test
    void aBrokenIdentityIsRefused() throws IOException {
        TestDirectory.open(directory()).close();
        for (String text :
                new String[] {"", "hello", "crail namenode metadata\nformat=x\ncluster=y\n"}) {
            Files.writeString(directory().resolve("identity"), text);
            assertThatThrownBy(() -> TestDirectory.open(directory()))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("identity");
        }
    }

    @Test
    void aLogWithoutAnIdentityIsRefused() throws IOException {
        TestDirectory.write(directory(), 3);
        Files.delete(directory().resolve("identity"));

        assertThatThrownBy(() -> TestDirectory.open(directory()))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("log-00000000000000000001");
    }
}
