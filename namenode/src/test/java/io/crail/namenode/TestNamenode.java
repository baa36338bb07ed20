// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.engine.Engine;
import io.crail.namenode.log.MetadataFiles;
import io.crail.namenode.rpc.LoopEnvironment;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A namenode in this process whose time, files and boot id belong to the test. Time stands still
 * unless the test lets it pass.
 */
final class TestNamenode implements Closeable {
    /** Less than what the engine takes for a pause of its own. */
    private static final Duration STEP = Duration.ofMillis(900);

    private final Path directory;
    private final UnaryOperator<NamenodeConfig.Builder> options;
    private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
    private MetadataFiles files = MetadataFiles.ofSystem();
    private String bootId = "boot-1";
    private NamenodeServer server;

    private TestNamenode(
            Path directory, UnaryOperator<NamenodeConfig.Builder> options, MetadataFiles files)
            throws IOException {
        this.directory = directory;
        this.options = options;
        this.files = files;
        this.server = startServer();
    }

    static TestNamenode start(Path directory) throws IOException {
        return start(directory, builder -> builder);
    }

    static TestNamenode start(Path directory, UnaryOperator<NamenodeConfig.Builder> options)
            throws IOException {
        return new TestNamenode(directory, options, MetadataFiles.ofSystem());
    }

    static TestNamenode start(
            Path directory, UnaryOperator<NamenodeConfig.Builder> options, MetadataFiles files)
            throws IOException {
        return new TestNamenode(directory, options, files);
    }

    private NamenodeServer startServer() throws IOException {
        NamenodeConfig.Builder builder = NamenodeConfig.builder(directory).inlineMemory(64 << 20);
        return NamenodeServer.start(
                options.apply(builder).build(),
                new HostEnvironment(
                        files,
                        new TestClock(nanos),
                        nanos::get,
                        new SecureRandom(),
                        bootId,
                        LoopEnvironment.SYSTEM));
    }

    /** Makes a connection without hello. */
    WireConnection connect() throws IOException {
        return new WireConnection(server.address());
    }

    NamenodeServer server() {
        return server;
    }

    Path directory() {
        return directory;
    }

    TestSession session(String name) throws IOException {
        return new TestSession(WireClient.open(this::connect, name));
    }

    /** A registered storage server of class 0 with one segment of so many MiB. */
    FakeStorage storage(int mebibytes) throws IOException {
        FakeStorage storage = new FakeStorage(UUID.randomUUID(), 0, "storage.test");
        storage.format(0, (long) mebibytes << 20, 0x1001);
        storage.register(this::connect);
        return storage;
    }

    /** Lets time pass in steps, with a tick of the engine after each. */
    void advance(Duration time) throws IOException {
        long rest = time.toNanos();
        while (rest > 0) {
            long step = Math.min(rest, STEP.toNanos());
            nanos.addAndGet(step);
            rest -= step;
            tick();
        }
    }

    /** Lets time pass at once, as if the namenode's process had been stopped. */
    void pause(Duration time) throws IOException {
        nanos.addAndGet(time.toNanos());
        tick();
    }

    /** Lets time pass that the engine does not notice yet: no tick. */
    void passUnnoticed(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    void tick() throws IOException {
        ask(engine -> engine.tick(0));
    }

    /** Ticks until removed trees are taken apart and closed members released. */
    void settle() throws IOException {
        while (ask(
                engine ->
                        engine.state().tree().nextDetached() != null
                                || !engine.state().released().isEmpty())) {
            tick();
        }
    }

    <T> T ask(Function<Engine, T> question) throws IOException {
        return server.inEngine(question);
    }

    void run(Consumer<Engine> action) throws IOException {
        ask(
                engine -> {
                    action.accept(engine);
                    return true;
                });
    }

    /** Throws if a block is counted twice or not at all. */
    void checkConservation() throws IOException {
        run(engine -> engine.state().blocks().checkConservation());
    }

    /** What a namenode remembers at one time. */
    record Memory(List<String> lines, Map<Long, Long> acknowledged) {}

    Memory memory() throws IOException {
        return ask(
                engine ->
                        new Memory(
                                StateDump.of(engine.state()).lines(),
                                StateDump.acknowledged(engine.state())));
    }

    /** Fails with the first difference if this namenode does not remember exactly this. */
    void assertRemembers(Memory expected) throws IOException {
        assertRemembers(expected, line -> true);
    }

    /** As {@link #assertRemembers(Memory)}, of some lines only. */
    void assertRemembers(Memory expected, Predicate<String> relevant) throws IOException {
        List<String> actual =
                ask(engine -> StateDump.of(engine.state(), expected.acknowledged).lines());
        compare(
                actual.stream().filter(relevant).toList(),
                expected.lines.stream().filter(relevant).toList());
    }

    /** Fails with the first line that differs. */
    static void compare(List<String> actual, List<String> expected) {
        for (int i = 0; i < Math.max(actual.size(), expected.size()); i++) {
            String is = i < actual.size() ? actual.get(i) : "(nothing)";
            String should = i < expected.size() ? expected.get(i) : "(nothing)";
            if (!is.equals(should)) {
                throw new AssertionError(
                        "line %d differs%nis:     %.2000s%nshould: %.2000s"
                                .formatted(i, is, should));
            }
        }
    }

    /** Makes a snapshot and waits until it is complete. */
    void snapshot() throws IOException {
        run(Engine::requestSnapshot);
        awaitSnapshot();
    }

    /** Waits until the snapshot that was asked for is complete. */
    void awaitSnapshot() throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (ask(Engine::isSnapshotPending)) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("no snapshot within 30 s");
            }
            tick();
        }
    }

    /** Stops and starts again. */
    void restart() throws IOException {
        server.close();
        server = startServer();
    }

    /** As {@link #restart()}, after the host was started again. */
    void restartAfterReboot() throws IOException {
        bootId = bootId + "'";
        restart();
    }

    /** Goes on from older metadata, as if the host had lost the rest of the log, and rebooted. */
    void rebootFrom(Path older) throws IOException {
        server.close();
        copy(older, directory);
        bootId = bootId + "'";
        server = startServer();
    }

    /** Copies the metadata as kill -9 would leave them now, and starts a namenode from the copy. */
    TestNamenode recoverCopy(Path to) throws IOException {
        copy(directory, to);
        return new TestNamenode(to, options, MetadataFiles.ofSystem());
    }

    /** Again from the start when a snapshot is completed meanwhile. */
    static void copy(Path from, Path to) throws IOException {
        for (int attempt = 0; !tryCopy(from, to); attempt++) {
            if (attempt == 10) {
                throw new IOException("cannot copy " + from + ": its files keep changing");
            }
        }
    }

    private static boolean tryCopy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        for (Path old : entries(to)) {
            Files.delete(old);
        }
        for (Path entry : entries(from)) {
            try {
                Files.copy(entry, to.resolve(entry.getFileName().toString()));
            } catch (NoSuchFileException e) {
                return false;
            }
        }
        return true;
    }

    private static List<Path> entries(Path directory) throws IOException {
        try (Stream<Path> list = Files.list(directory)) {
            return list.toList();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /** A wall clock that goes with the monotonic one. */
    private static final class TestClock extends Clock {
        private static final long BASE_MILLIS =
                Instant.parse("2025-01-01T00:00:00Z").toEpochMilli();
        private final AtomicLong nanos;

        TestClock(AtomicLong nanos) {
            this.nanos = nanos;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(BASE_MILLIS + nanos.get() / 1_000_000);
        }
    }
}
