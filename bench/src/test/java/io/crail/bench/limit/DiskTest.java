// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskTest {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final long BYTES = 12L * Disk.PIECE;

    @TempDir private Path directory;

    private long size() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Path only = files.findFirst().orElseThrow();
            return Files.size(only);
        }
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }

    @Test
    void allPiecesAreWrittenAndReadAndNothingIsLeft() throws IOException {
        try (Disk disk = Disk.in(directory, BYTES, BOUND)) {
            assertThat(disk.write(BYTES / 2)).isPositive();
            assertThat(size()).isEqualTo(BYTES / 2);
            assertThat(disk.write(BYTES / 2)).isPositive();
            assertThat(size()).isEqualTo(BYTES);
            assertThat(disk.read(BYTES)).isPositive();
            assertThat(disk.name()).startsWith("disk, ");
            assertThat(disk.isDirect()).isEqualTo(Disk.isDirectIn(directory));
        }
        assertThat(isEmpty()).isTrue();
    }

    @Test
    void whatIsMoreThanTheFileBeginsAgainAtItsStart() throws IOException {
        try (Disk disk = Disk.in(directory, BYTES, BOUND)) {
            disk.write(3 * BYTES);
            disk.read(2 * BYTES);
            assertThat(size()).isEqualTo(BYTES);
        }
    }

    @Test
    void whatWasNotWrittenCannotBeRead() throws IOException {
        try (Disk disk = Disk.in(directory, BYTES, BOUND)) {
            assertThatThrownBy(() -> disk.read(BYTES)).isInstanceOf(IOException.class);
        }
        assertThat(isEmpty()).isTrue();
    }

    @Test
    void aDirectoryThatIsNotThereIsAnError() {
        assertThatThrownBy(() -> Disk.in(directory.resolve("missing"), BYTES, BOUND))
                .isInstanceOf(IOException.class);
    }
}
