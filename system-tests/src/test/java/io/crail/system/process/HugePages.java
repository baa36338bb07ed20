// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * A hugetlbfs of the test's own, with pages of 2 MiB that the kernel has cleared for it. One test
 * of the machine has it at a time. Pool and mount table are as before after {@link #close}, which
 * also happens when this JVM is told to end.
 *
 * <p>No test maps files of it in its own JVM, where only the garbage collector could undo the
 * mapping: clients and servers are processes.
 */
public final class HugePages implements AutoCloseable {
    public static final long PAGE = 2L << 20;

    private static final Path POOL = Path.of("/sys/kernel/mm/hugepages/hugepages-2048kB");
    private static final Path COUNT = POOL.resolve("nr_hugepages");
    private static final Path MOUNTS = Path.of("/proc/mounts");
    private static final long BOUND_SECONDS = 20;

    private final FileChannel lock;
    private final long before;
    private final Path directory;
    private final Thread hook = new Thread(this::undo, "huge-pages-undo");

    private HugePages(FileChannel lock, long before, Path directory) {
        this.lock = lock;
        this.before = before;
        this.directory = directory;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Adds pages to the pool and mounts it; a machine that does not allow it skips the test. */
    public static HugePages mount(int pages) throws IOException {
        Assumptions.assumeTrue(
                System.getProperty("user.name").equals("root"), "only root can mount a hugetlbfs");
        Assumptions.assumeTrue(Files.isWritable(COUNT), "this kernel has no huge pages of 2 MiB");
        Path lockFile = Path.of(System.getProperty("java.io.tmpdir"), "crail-test-huge-pages.lock");
        FileChannel lock =
                FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (!take(lock)) {
            lock.close();
            Assumptions.abort("another test of this machine has the huge pages");
        }
        HugePages made =
                new HugePages(lock, number(COUNT), Files.createTempDirectory("crail-huge-pages"));
        String obstacle = made.set(made.before + pages);
        if (obstacle.isEmpty() && made.free() < pages) {
            obstacle = "memory is too fragmented for " + pages + " more huge pages";
        }
        if (obstacle.isEmpty()) {
            // With a size, statvfs tells what this mount uses, whatever others do.
            String options = "pagesize=2M,mode=0700,size=" + 2L * pages * PAGE;
            obstacle = run("mount", "-t", "hugetlbfs", "-o", options, "none", made.directory + "");
        }
        if (!obstacle.isEmpty()) {
            made.close();
            Assumptions.abort("no huge pages here: " + obstacle);
        }
        return made;
    }

    private static boolean take(FileChannel lock) throws IOException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(BOUND_SECONDS);
        while (lock.tryLock() == null) {
            if (System.nanoTime() > until) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50)); // A poll interval.
        }
        return true;
    }

    /** Where it is mounted. */
    public Path directory() {
        return directory;
    }

    /** Pages that files of this mount have. */
    public long used() {
        return (directory.toFile().getTotalSpace() - directory.toFile().getUsableSpace()) / PAGE;
    }

    /** Pages of the pool that nobody has, or has reserved. */
    public long free() {
        return number(POOL.resolve("free_hugepages")) - number(POOL.resolve("resv_hugepages"));
    }

    /** All that is in it. */
    public List<Path> files() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> !path.equals(directory)).sorted().toList();
        }
    }

    @Override
    public void close() {
        Runtime.getRuntime().removeShutdownHook(hook);
        undo();
    }

    private void undo() {
        try {
            if (Files.readString(MOUNTS).contains(" " + directory + " hugetlbfs ")) {
                run("umount", "-l", directory.toString());
            }
            Files.deleteIfExists(directory);
            set(before);
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Sets the size of the pool; what is in the way, or "". */
    private String set(long pages) {
        try {
            Files.writeString(COUNT, Long.toString(pages));
            return "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static long number(Path file) {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a program says when it fails; "" if it does not. */
    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        try {
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return command[0] + " does not end";
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
            return "interrupted";
        }
        String said = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
        return process.exitValue() == 0 ? "" : command[0] + ": " + said;
    }
}
