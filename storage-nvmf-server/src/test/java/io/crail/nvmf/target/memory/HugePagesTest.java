// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.target.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.crail.nvmf.target.ring.Ring;
import io.netty.channel.unix.Buffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HugePagesTest {
    private static final int BYTES = 2 * HugePages.SIZE;
    private static final int MADV_COLLAPSE = 25;
    private static final int TRIES = 10;
    private static final int MAPPINGS = 10_000;
    private static final Pattern RANGE = Pattern.compile("([0-9a-f]+)-([0-9a-f]+) ");
    private static final Path MEMORY = Path.of("/dev/shm");

    private final List<Path> files = new ArrayList<>();

    @BeforeEach
    void needsMemoryForFiles() {
        assumeThat(MEMORY).isDirectory();
    }

    @AfterEach
    void removeFiles() throws IOException {
        for (Path each : files) {
            Files.deleteIfExists(each);
        }
    }

    private FileChannel file() throws IOException {
        Path path = Files.createTempFile(MEMORY, "crail-test", ".pages");
        files.add(path);
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    private static void fill(FileChannel file, int bytes) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(bytes);
        for (int at = 0; at < bytes; at += Integer.BYTES) {
            content.putInt(at, at * 31);
        }
        while (content.hasRemaining()) {
            file.write(content, content.position());
        }
    }

    /** Whether the kernel of this machine does it at all, asked without what is tested. */
    private static boolean kernelGathers() {
        try {
            Ring ring = new Ring(1, (token, result) -> {});
            try {
                ByteBuffer whole = ByteBuffer.allocateDirect(2 * BYTES);
                int from = HugePages.SIZE - whole.alignmentOffset(0, HugePages.SIZE);
                return ring.advise(whole.slice(from, BYTES), MADV_COLLAPSE) == 0;
            } finally {
                ring.close();
            }
        } catch (IOException e) {
            return false;
        }
    }

    /** KiB in huge pages of the mapping that has this memory. */
    private static long hugeKibibytes(ByteBuffer memory, String kind) throws IOException {
        long address = Buffer.memoryAddress(memory);
        boolean here = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            Matcher range = RANGE.matcher(line);
            if (range.lookingAt()) {
                here =
                        Long.parseUnsignedLong(range.group(1), 16) <= address
                                && address < Long.parseUnsignedLong(range.group(2), 16);
            } else if (here && line.startsWith(kind + ":")) {
                return Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return 0;
    }

    @Test
    void memoryBeginsAtAHugePageAndHasAllBytes() {
        for (int bytes : new int[] {1, 4096, HugePages.SIZE - 1, HugePages.SIZE, BYTES + 4096}) {
            ByteBuffer memory = HugePages.allocate(bytes);
            assertThat(memory.capacity()).isEqualTo(bytes);
            assertThat(memory.alignmentOffset(0, HugePages.SIZE)).isZero();
            memory.put(bytes - 1, (byte) 1);
        }
    }

    @Test
    void theKernelMovesMemoryIntoHugePages() throws IOException {
        assumeThat(kernelGathers()).isTrue();
        ByteBuffer memory = HugePages.allocate(8 * BYTES);
        assertThat(hugeKibibytes(memory, "AnonHugePages"))
                .isGreaterThanOrEqualTo((8 * BYTES) >> 10);
        memory.put(0, (byte) 1); // It is still there.
    }

    @Test
    void mappedFilesAreMovedAndKeepTheirBytes() throws IOException {
        assumeThat(kernelGathers()).isTrue();
        List<ByteBuffer> kept = new ArrayList<>();
        long found = 0;
        // Another thread may map something in between, each time: then it is no huge page.
        for (int i = 0; i < TRIES && found == 0; i++) {
            try (FileChannel file = file();
                    FileChannel filler = file()) {
                fill(file, BYTES);
                ByteBuffer memory = HugePages.map(file, filler, BYTES);
                kept.add(memory);
                for (int at = 0; at < BYTES; at += Integer.BYTES) {
                    assertThat(memory.getInt(at)).isEqualTo(at * 31);
                }
                found = hugeKibibytes(memory, "ShmemPmdMapped");
            }
        }
        assertThat(found).isGreaterThanOrEqualTo(BYTES >> 10);
        assertThat(kept).isNotEmpty();
    }

    @Test
    void othersThatMapAtTheSameTimeCostAnotherTry() throws Exception {
        int maps = 80;
        int aligned = 0;
        AtomicBoolean done = new AtomicBoolean();
        try (FileChannel other = file()) {
            fill(other, Integer.BYTES);
            FutureTask<@Nullable Void> mapper = new FutureTask<>(() -> mapUntil(done, other), null);
            Thread thread = new Thread(mapper, "maps");
            thread.start();
            try {
                for (int i = 0; i < maps; i++) {
                    try (FileChannel file = file();
                            FileChannel filler = file()) {
                        ByteBuffer memory = HugePages.map(file, filler, HugePages.SIZE);
                        aligned += memory.alignmentOffset(0, HugePages.SIZE) == 0 ? 1 : 0;
                    }
                }
            } finally {
                done.set(true);
                thread.join();
            }
            mapper.get();
        }
        // With one try it is about three in four.
        assertThat(aligned).isGreaterThanOrEqualTo(maps - maps / 10);
    }

    private static void mapUntil(AtomicBoolean done, FileChannel file) {
        try {
            for (int i = 1; !done.get(); i++) {
                file.map(FileChannel.MapMode.READ_ONLY, 0, Integer.BYTES);
                if (i % MAPPINGS == 0) {
                    System.gc(); // Linux has a limit of 65,530 by default.
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theFillerTakesNoMemory() throws IOException {
        try (FileChannel file = file();
                FileChannel filler = file()) {
            fill(file, BYTES);
            ByteBuffer memory = HugePages.map(file, filler, BYTES);
            assertThat(memory.capacity()).isEqualTo(BYTES);
            assertThat(Files.size(files.get(1))).isPositive();
            assertThat(blocks(files.get(1))).isZero();
        }
    }

    /** Units of 512 bytes that a file takes, by stat(1): Java does not tell. */
    private static long blocks(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return Long.parseLong(
                new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
                        .strip());
    }
}
