// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.spark.Conversation;
import io.crail.bench.spark.Job;
import io.crail.bench.spark.Round;
import io.crail.bench.spark.ScratchDirectory;
import io.crail.bench.spark.Shape;
import io.crail.bench.spark.Side;
import io.crail.bench.spark.SparkApplication;
import io.crail.cli.command.ChildProcess;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The driver of an application, a process of its own; {@code DriverMain} of the module spark-bench
 * is its side. Its executors are its children.
 */
final class SparkDriver implements SparkApplication {
    private static final String MAIN = "io.crail.bench.spark.work.DriverMain";
    private static final String PREFIX = "crail-bench-spark-";
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Is kept when the machine starts anew, so it is on disk; /tmp may be in memory. */
    private static final Path DISK = Path.of("/var/tmp");

    private static final Duration STARTED = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(5);
    private static final Duration JOB = Duration.ofMinutes(10);

    private final ChildProcess process;
    private final Directories directories;
    private final Leftovers leftovers;
    private final Leftovers.Removal removal;
    private boolean ready;

    private SparkDriver(
            ChildProcess process,
            Directories directories,
            Leftovers leftovers,
            Leftovers.Removal removal) {
        this.process = process;
        this.directories = directories;
        this.leftovers = leftovers;
        this.removal = removal;
    }

    /**
     * Where an application has all that it leaves.
     *
     * @param files its own, where its side wants them
     * @param temporary of its JVMs: not in shared memory, from where native libraries cannot be
     *     loaded on many machines
     */
    private record Directories(Path files, Path temporary) {
        static Directories create(Side side) throws IOException {
            Path temporary = Files.createTempDirectory(PREFIX);
            boolean created = false;
            try {
                Path files = Files.createTempDirectory(parent(side), PREFIX);
                created = true;
                return new Directories(files, temporary);
            } finally {
                if (!created) {
                    ScratchDirectory.remove(temporary);
                }
            }
        }

        private static Path parent(Side side) {
            Path wanted = side == Side.VANILLA_DISK ? DISK : SHARED_MEMORY;
            return Files.isWritable(wanted)
                    ? wanted
                    : Path.of(System.getProperty("java.io.tmpdir"));
        }

        void remove() throws IOException {
            ScratchDirectory.removeAll(List.of(files, temporary));
        }
    }

    /** Starts one. */
    static SparkDriver start(Invocation invocation, SparkSettings settings, Side side, Shape shape)
            throws IOException {
        Directories directories = Directories.create(side);
        Leftovers leftovers = invocation.leftovers();
        boolean started = false;
        try {
            Files.createDirectories(directories.files.resolve("jars"));
            Path log = directories.files.resolve("log");
            ChildProcess process =
                    ChildProcess.start(
                            leftovers,
                            "the driver of Spark (" + side.text() + ")",
                            program(settings, side, shape, directories),
                            log);
            // Remembered later than the process, so it is the first to be removed by a signal.
            Leftovers.Removal removal = leftovers.add(() -> kill(process, directories));
            started = true;
            return new SparkDriver(process, directories, leftovers, removal);
        } finally {
            if (!started) {
                directories.remove();
            }
        }
    }

    private static ProcessBuilder program(
            SparkSettings settings, Side side, Shape shape, Directories directories) {
        Path files = directories.files;
        Path temporary = directories.temporary;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SparkSettings.flags(shape, temporary));
        command.addAll(List.of("-cp", settings.classPath(), MAIN));
        command.addAll(List.of(files.toString(), temporary.toString()));
        settings.of(side, shape, files, temporary)
                .forEach((key, value) -> command.add(key + "=" + value));
        ProcessBuilder program = new ProcessBuilder(command);
        Map<String, String> environment = program.environment();
        // Nothing of a Spark that is installed on this machine.
        environment.keySet().removeIf(name -> name.startsWith("SPARK_"));
        environment.put("SPARK_HOME", files.toString());
        environment.put("SPARK_SCALA_VERSION", "2.13");
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        return program;
    }

    /** At once; executors first would be started anew. */
    private static void kill(ChildProcess process, Directories directories) throws IOException {
        List<ProcessHandle> executors = process.handle().descendants().toList();
        process.handle().destroyForcibly();
        remove(executors, directories);
    }

    /** What a driver leaves that was killed, since it did not end in time. */
    private static void remove(List<ProcessHandle> executors, Directories directories)
            throws IOException {
        executors.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle executor : executors) {
            // Until then it may write files.
            executor.onExit()
                    .completeOnTimeout(executor, END.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
        directories.remove();
    }

    @Override
    public void prepare(Job job) throws IOException {
        if (!ready) {
            hear(STARTED, Conversation.READY);
            ready = true;
        }
        process.say(Conversation.PREPARE + " " + job.text());
        hear(JOB, Conversation.DONE);
    }

    @Override
    public Round round(boolean check) throws IOException {
        process.say(check ? Conversation.CHECK : Conversation.ROUND);
        return Round.parse(hear(JOB, Conversation.DONE));
    }

    @Override
    public void clean() throws IOException {
        process.say(Conversation.CLEAN);
        hear(JOB, Conversation.DONE);
    }

    private String hear(Duration bound, String word) throws IOException {
        String line = process.hear(bound);
        if (!line.startsWith(word)) {
            throw new InternalException(
                    "an application of Spark says '" + line + "' where '" + word + "' was due");
        }
        return line.substring(word.length()).strip();
    }

    @Override
    public List<ProcessHandle> processes() {
        ProcessHandle driver = process.handle();
        return Stream.concat(Stream.of(driver), driver.descendants()).toList();
    }

    @Override
    public void close() throws IOException {
        List<ProcessHandle> executors = process.handle().descendants().toList();
        try {
            process.close();
        } finally {
            leftovers.forget(removal);
            remove(executors, directories);
        }
    }
}
