// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.nvmf.target.memory.HugePages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the buffers of fio, in huge pages where the kernel has some. What fio allocates by
 * itself is scattered in another way each time, and a virtual disk is two to three times as fast
 * for memory that lies together: such a limit would tell about fio's luck, not about the device.
 *
 * <p>A file in memory, which fio maps. Not thread-safe.
 */
final class FioMemory implements AutoCloseable {
    private static final Path DIRECTORY = Path.of("/dev/shm");

    /** 8 pieces of 1 MiB, and what fio needs to align them. */
    private static final int BYTES = 16 << 20;

    private static final int STEP = 1 << 20;

    private final @Nullable Path path;

    private FioMemory(@Nullable Path path) {
        this.path = path;
    }

    /** Makes it, if this machine has a file system in memory, and room there. */
    static FioMemory make() throws IOException {
        if (!Files.isWritable(DIRECTORY)) {
            return new FioMemory(null);
        }
        FioMemory memory = new FioMemory(Files.createTempFile(DIRECTORY, "crail-bench", ".fio"));
        try {
            memory.fill();
            return memory;
        } catch (IOException e) {
            memory.close(); // No room: containers often have 64 MiB there.
            return new FioMemory(null);
        }
    }

    private void fill() throws IOException {
        Path file = Objects.requireNonNull(path);
        Path filler = Files.createTempFile(DIRECTORY, "crail-bench", ".filler");
        try (FileChannel channel = open(file);
                FileChannel other = open(filler)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(STEP);
            for (int at = 0; at < BYTES; at += STEP) {
                zeros.clear();
                while (zeros.hasRemaining()) {
                    channel.write(zeros);
                }
            }
            // Once gathered, pages stay together without this mapping, too.
            MappedByteBuffer mapped = HugePages.map(channel, other, BYTES);
            mapped.put(0, (byte) 1);
        } finally {
            Files.deleteIfExists(filler);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(file, Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    /** The file; null if there is none. */
    @Nullable Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        if (path != null) {
            Files.deleteIfExists(path);
        }
    }
}
