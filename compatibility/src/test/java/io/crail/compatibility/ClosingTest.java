// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Hadoop's cache of file systems, many threads, and what is left of them: threads, sockets, and the
 * memory of servers that was mapped. Nothing else of this JVM has a connection to the servers.
 */
@Tag("hadoop")
@Timeout(120)
class ClosingTest {
    private static final int THREADS = 8;

    @TempDir private static Path state;

    private static ServerProcesses servers;

    @BeforeAll
    static void start() throws IOException {
        servers = ServerProcesses.start(state);
    }

    @AfterAll
    static void stop() throws IOException {
        servers.close();
    }

    /** What the clients of this JVM hold. */
    private record Held(List<String> threads, List<String> segments, long sockets) {
        static Held now() {
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"));
                    Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
                return new Held(
                        Thread.getAllStackTraces().keySet().stream()
                                .map(Thread::getName)
                                .filter(name -> name.startsWith("crail-"))
                                .toList(),
                        maps.filter(line -> line.contains("/dev/shm/")).toList(),
                        files.filter(Held::isSocket).count());
            } catch (IOException e) {
                throw new IllegalStateException("what this process holds is not to be read", e);
            }
        }

        private static boolean isSocket(Path file) {
            try {
                return Files.readSymbolicLink(file).toString().startsWith("socket:");
            } catch (IOException e) {
                return false; // closed meanwhile
            }
        }
    }

    private static void writeAndRead(FileSystem fs, String name) throws IOException {
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/closing", name);
        byte[] content = name.repeat(20_000).getBytes(UTF_8);
        try (FSDataOutputStream out = fs.create(file)) {
            out.write(content);
        }
        try (FSDataInputStream in = fs.open(file)) {
            assertThat(in.readAllBytes()).isEqualTo(content);
        }
        assertThat(fs.delete(file, false)).isTrue();
    }

    /** All at once. */
    private static void inThreads(Callable<?> work)
            throws InterruptedException, ExecutionException {
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            CountDownLatch together = new CountDownLatch(THREADS);
            List<Future<?>> done = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                done.add(
                        pool.submit(
                                () -> {
                                    together.countDown();
                                    together.await();
                                    return work.call();
                                }));
            }
            for (Future<?> each : done) {
                each.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    /**
     * Java unmaps memory when nobody refers to it any more and garbage is collected, not before.
     */
    private static void assertNothingIsLeftOf(Held before) {
        Awaitility.await()
                .untilAsserted(
                        () -> {
                            System.gc();
                            Held now = Held.now();
                            assertThat(now.threads()).isEmpty();
                            assertThat(now.segments()).isEmpty();
                            assertThat(now.sockets()).isEqualTo(before.sockets());
                        });
    }

    @Test
    void theLastCloseReleasesEverything()
            throws IOException, InterruptedException, ExecutionException {
        URI uri = servers.uri();
        Held before = Held.now();
        try (FileSystem one = FileSystem.newInstance(uri, new Configuration())) {
            writeAndRead(one, "one");
            Held open = Held.now();
            assertThat(open.threads()).isNotEmpty();
            assertThat(open.segments()).isNotEmpty();
            assertThat(open.sockets()).isGreaterThan(before.sockets());
            inThreads(
                    () -> {
                        for (int round = 0; round < 20; round++) {
                            try (FileSystem fs = FileSystem.newInstance(uri, new Configuration())) {
                                writeAndRead(fs, Thread.currentThread().getName() + round);
                            }
                        }
                        return null;
                    });
            assertThat(Held.now().threads()).hasSameSizeAs(open.threads());
        }
        assertNothingIsLeftOf(before);
        // Clients that come and go with each use.
        inThreads(
                () -> {
                    for (int round = 0; round < 10; round++) {
                        try (FileSystem fs = FileSystem.newInstance(uri, new Configuration())) {
                            writeAndRead(fs, Thread.currentThread().getName() + round);
                        }
                    }
                    return null;
                });
        assertNothingIsLeftOf(before);
    }

    @Test
    void theCacheHasOneForAllThreadsUntilItIsEmptied()
            throws IOException, InterruptedException, ExecutionException {
        URI uri = servers.uri();
        Held before = Held.now();
        FileSystem cached = FileSystem.get(uri, new Configuration());
        inThreads(
                () -> {
                    FileSystem fs = FileSystem.get(uri, new Configuration());
                    assertThat(fs).isSameAs(cached);
                    writeAndRead(fs, Thread.currentThread().getName());
                    return null;
                });
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/closing/late");
        FSDataOutputStream out = cached.create(file);
        out.write(1);
        FileSystem.closeAll();
        assertThatThrownBy(() -> cached.getFileStatus(file))
                .isInstanceOf(IOException.class)
                .hasMessage("Filesystem closed");
        assertThatThrownBy(() -> cached.create(file))
                .isInstanceOf(IOException.class)
                .hasMessage("Filesystem closed");
        assertThatThrownBy(() -> cached.listStatus(file.getParent()))
                .isInstanceOf(IOException.class)
                .hasMessage("Filesystem closed");
        assertThatThrownBy(out::close).isInstanceOf(IOException.class);
        cached.close();
        assertNothingIsLeftOf(before);
        FileSystem again = FileSystem.get(uri, new Configuration());
        assertThat(again).isNotSameAs(cached);
        writeAndRead(again, "again");
        again.close();
        assertNothingIsLeftOf(before);
    }

    @Test
    void closingWhileOthersReadFailsThemAndNobodyHangs()
            throws IOException, InterruptedException, ExecutionException {
        Held before = Held.now();
        org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/closing/read");
        FileSystem fs = FileSystem.newInstance(servers.uri(), new Configuration());
        try (FSDataOutputStream out = fs.create(file)) {
            out.write(new byte[1 << 20]);
        }
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        try {
            CountDownLatch reading = new CountDownLatch(THREADS);
            List<Future<Throwable>> ends = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                ends.add(
                        pool.submit(
                                () -> {
                                    byte[] buffer = new byte[4096];
                                    boolean first = true;
                                    try (FSDataInputStream in = fs.open(file)) {
                                        while (true) {
                                            in.readFully(12345, buffer);
                                            if (first) {
                                                reading.countDown();
                                                first = false;
                                            }
                                        }
                                    } catch (IOException e) {
                                        return e;
                                    }
                                }));
            }
            reading.await();
            fs.close();
            for (Future<Throwable> each : ends) {
                assertThat(each.get()).isInstanceOf(IOException.class);
            }
        } finally {
            pool.shutdownNow();
        }
        assertNothingIsLeftOf(before);
    }
}
