// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyingProgramTest {
    private static final int BYTES = 16 << 20;
    private static final int PIECE = 1 << 20;
    private static final int DEPTH = 4;

    @TempDir private Path directory;

    private CopyingProgram program(Access.Kind kind) throws IOException {
        return CopyingProgram.on(
                directory.resolve("bench.img"), new Access(kind, PIECE, DEPTH), BYTES);
    }

    @Test
    void readingChangesNothingAndWritingWritesEveryPiece() throws IOException {
        Path file = MeasuredFile.make(directory.resolve("bench.img"), BYTES).path();
        byte[] before = Files.readAllBytes(file);
        try (CopyingProgram reads = program(Access.Kind.READ)) {
            assertThat(reads.name()).isEqualTo("pread + copy, 4 threads");
            assertThat(reads.run(1)).isPositive();
            assertThat(reads.run(1)).isPositive();
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        try (CopyingProgram writes = program(Access.Kind.WRITE)) {
            assertThat(writes.name()).isEqualTo("copy + pwrite, 4 threads");
            for (int run = 0; run < BYTES / PIECE / DEPTH; run++) {
                assertThat(writes.run(1)).isPositive();
            }
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(new byte[BYTES]);
    }

    @Test
    void aFileThatIsCutOffIsToldOf() throws IOException {
        Path file = MeasuredFile.make(directory.resolve("bench.img"), BYTES).path();
        try (CopyingProgram reads = program(Access.Kind.READ);
                FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(0);
            assertThatThrownBy(() -> reads.run(1))
                    .isInstanceOf(IOException.class)
                    .hasCauseInstanceOf(EOFException.class);
        }
    }
}
