// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.backing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.crail.nvmf.target.memory.DataPool;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class BackingFileTest {
    private static final Path TMPFS = Path.of("/dev/shm");

    @TempDir Path directory;

    @Test
    void readsAndWritesUnitsAtTheirPositions() throws IOException {
        Path file = directory.resolve("f");
        NewBackingFile.ensure(file, 1 << 20, Allocation.WRITTEN);
        try (BackingFile medium = BackingFile.open(file, DirectIo.PREFERRED)) {
            assertThat(medium.bytes()).isEqualTo(1 << 20);
            ByteBuffer data = DataPool.aligned(8192);
            byte[] random = new byte[8192];
            new Random(1).nextBytes(random);
            medium.write(65536, data.put(0, random));
            medium.flush();
            ByteBuffer back = DataPool.aligned(8192);
            medium.read(65536, back);
            byte[] read = new byte[8192];
            back.get(0, read);
            assertThat(read).isEqualTo(random);
        }
        assertThat(Files.readAllBytes(file)).hasSize(1 << 20);
    }

    @Test
    void writtenFilesHaveTheirSpaceAndSparseOnesDoNot() throws Exception {
        Path written = directory.resolve("written");
        Path sparse = directory.resolve("sparse");
        NewBackingFile.ensure(written, 4 << 20, Allocation.WRITTEN);
        NewBackingFile.ensure(sparse, 4 << 20, Allocation.SPARSE);
        assertThat(blocks(written)).isGreaterThanOrEqualTo((4 << 20) / 512);
        assertThat(blocks(sparse)).isLessThan(64);
        assertThat(Files.size(sparse)).isEqualTo(4 << 20);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).as("nothing unfinished is left").hasSize(2);
        }
    }

    private static long blocks(Path file) throws IOException {
        return Long.parseLong(
                new String(
                                new ProcessBuilder("stat", "-c", "%b", file.toString())
                                        .start()
                                        .getInputStream()
                                        .readAllBytes(),
                                java.nio.charset.StandardCharsets.US_ASCII)
                        .strip());
    }

    @Test
    void keepsWhatIsThereAndRefusesAnotherSize() throws IOException {
        Path file = directory.resolve("f");
        NewBackingFile.ensure(file, 8192, Allocation.WRITTEN);
        Files.write(file, new byte[] {1, 2, 3}, java.nio.file.StandardOpenOption.WRITE);
        NewBackingFile.ensure(file, 8192, Allocation.WRITTEN);
        assertThat(Files.readAllBytes(file)).startsWith(1, 2, 3);
        assertThatThrownBy(() -> NewBackingFile.ensure(file, 16384, Allocation.WRITTEN))
                .isInstanceOf(BackingException.class)
                .hasMessageContaining("8192")
                .hasMessageContaining("16384");
    }

    @Test
    void replacesAFileThatWasNeverFinished() throws IOException {
        Path file = directory.resolve("f");
        Files.write(directory.resolve("f.unfinished"), new byte[100]);
        NewBackingFile.ensure(file, 8192, Allocation.WRITTEN);
        assertThat(Files.size(file)).isEqualTo(8192);
        assertThat(directory.resolve("f.unfinished")).doesNotExist();
    }

    @Test
    void ofSeveralThatMakeAFileOneDoes() throws Exception {
        Path file = directory.resolve("f");
        int makers = 4;
        for (int round = 0; round < 50; round++) {
            CyclicBarrier together = new CyclicBarrier(makers);
            List<Future<?>> results = new ArrayList<>();
            ExecutorService threads = Executors.newFixedThreadPool(makers);
            for (int index = 0; index < makers; index++) {
                results.add(
                        threads.submit(
                                () -> {
                                    together.await();
                                    NewBackingFile.ensure(file, 1 << 20, Allocation.WRITTEN);
                                    return Files.size(file);
                                }));
            }
            int made = 0;
            for (Future<?> each : results) {
                try {
                    assertThat(each.get(60, TimeUnit.SECONDS)).isEqualTo(1L << 20);
                    made++;
                } catch (ExecutionException e) {
                    assertThat(e.getCause())
                            .isInstanceOf(BackingException.class)
                            .hasMessageContaining("is being made");
                }
            }
            threads.shutdown();
            assertThat(made).isPositive();
            assertThat(Files.size(file)).isEqualTo(1 << 20);
            try (Stream<Path> files = Files.list(directory)) {
                assertThat(files).as("nothing unfinished is left").containsExactly(file);
            }
            Files.delete(file);
        }
    }

    @Test
    void aFileThatMayNotBeWrittenIsRefusedAsSuch() throws IOException {
        Path file = directory.resolve("f");
        NewBackingFile.ensure(file, 8192, Allocation.WRITTEN);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
        assumeThat(Files.isWritable(file)).as("everybody but root may not").isFalse();
        assertThatThrownBy(() -> BackingFile.open(file, DirectIo.PREFERRED))
                .isInstanceOf(BackingException.class)
                .hasMessageContaining("it must be readable and writable");
    }

    @Test
    void refusesMoreThanTheFileSystemHas() {
        long tooMuch = (directory.toFile().getUsableSpace() & -4096) + (1L << 40);
        assertThatThrownBy(
                        () ->
                                NewBackingFile.ensure(
                                        directory.resolve("f"), tooMuch, Allocation.WRITTEN))
                .isInstanceOf(BackingException.class)
                .hasMessageContaining(Long.toString(tooMuch));
        assertThat(directory.resolve("f")).doesNotExist();
    }

    @Test
    void servesAFileOnce() throws IOException {
        Path file = directory.resolve("f");
        NewBackingFile.ensure(file, 8192, Allocation.SPARSE);
        try (BackingFile first = BackingFile.open(file, DirectIo.PREFERRED)) {
            assertThat(first.bytes()).isEqualTo(8192);
            assertThatThrownBy(() -> BackingFile.open(file, DirectIo.PREFERRED))
                    .isInstanceOf(BackingException.class)
                    .hasMessageContaining("already served");
        }
        BackingFile.open(file, DirectIo.PREFERRED).close();
    }

    @Test
    void saysWhatIsMissing() {
        assertThatThrownBy(() -> BackingFile.open(directory.resolve("none"), DirectIo.PREFERRED))
                .isInstanceOf(BackingException.class)
                .hasMessageContaining("none");
    }

    static boolean hasTmpfs() throws IOException {
        return Files.isWritable(TMPFS) && Files.getFileStore(TMPFS).type().equals("tmpfs");
    }

    /** Newer kernels have direct I/O there, too; then there is nothing to fall back from. */
    @Test
    @EnabledIf("hasTmpfs")
    void servesFromTmpfsWithOrWithoutDirectIo() throws IOException {
        Path file = Files.createTempFile(TMPFS, "crail-nvmf-test", "");
        try {
            Files.write(file, new byte[8192]);
            try (BackingFile medium = BackingFile.open(file, DirectIo.PREFERRED)) {
                ByteBuffer data = DataPool.aligned(4096);
                medium.write(4096, data.put(0, (byte) 5));
            }
            assertThat(Files.readAllBytes(file)[4096]).isEqualTo((byte) 5);
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void withoutDirectIoAnyPositionGoes() throws IOException {
        Path file = directory.resolve("f");
        NewBackingFile.ensure(file, 8192, Allocation.SPARSE);
        try (BackingFile medium = BackingFile.open(file, DirectIo.OFF)) {
            assertThat(medium.alignment()).isEqualTo(1);
            medium.write(5, ByteBuffer.wrap(new byte[] {7, 8}));
            ByteBuffer back = ByteBuffer.allocate(3);
            medium.read(5, back);
            assertThat(back.array()).containsExactly(7, 8, 0);
        }
    }

    @Test
    void aFileThatIsShortenedWhileServedGivesAnError() throws IOException {
        Path file = directory.resolve("f");
        NewBackingFile.ensure(file, 8192, Allocation.SPARSE);
        try (BackingFile medium = BackingFile.open(file, DirectIo.PREFERRED)) {
            try (var other = Files.newByteChannel(file, java.nio.file.StandardOpenOption.WRITE)) {
                other.truncate(4096);
            }
            assertThatThrownBy(() -> medium.read(4096, DataPool.aligned(4096)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("shortened");
        }
    }
}
