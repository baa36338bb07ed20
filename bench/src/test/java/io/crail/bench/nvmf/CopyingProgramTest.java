// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.bench.limit.Peer;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
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
    void piecesGoToAnotherProcessAndComeFromThere() throws IOException {
        Path file = MeasuredFile.make(directory.resolve("bench.img"), BYTES).path();
        byte[] before = Files.readAllBytes(file);
        try (Peer peer = Peer.start(PIECE)) {
            Access read = new Access(Access.Kind.READ, PIECE, DEPTH);
            try (CopyingProgram reads = CopyingProgram.to(peer, file, read, BYTES)) {
                assertThat(reads.name()).isEqualTo("pread + send, 4 threads");
                assertThat(reads.run(1)).isPositive();
                assertThat(reads.run(1)).isPositive();
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(before);
            Access write = new Access(Access.Kind.WRITE, PIECE, DEPTH);
            try (CopyingProgram writes = CopyingProgram.to(peer, file, write, BYTES)) {
                assertThat(writes.name()).isEqualTo("receive + pwrite, 4 threads");
                for (int run = 0; run < BYTES / PIECE / DEPTH; run++) {
                    assertThat(writes.run(1)).isPositive();
                }
            }
            ByteBuffer written = ByteBuffer.wrap(Files.readAllBytes(file));
            ByteBuffer sent = written.slice(0, PIECE);
            for (int at = 0; at < BYTES; at += PIECE) {
                assertThat(written.slice(at, PIECE).equals(sent)).as("piece at %d", at).isTrue();
            }
            // As the peer has filled its memory.
            for (int at = 0; at < PIECE; at += Long.BYTES) {
                assertThat(written.getLong(at)).isEqualTo(at * 0x9E3779B97F4A7C15L);
            }
        }
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
