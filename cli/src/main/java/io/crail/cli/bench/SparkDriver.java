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
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    /** Is kept when the machine starts anew, so it is on disk; /tmp may be in memory. */
    private static final Path DISK = Path.of("/var/tmp");

    private static final Duration STARTED = Duration.ofMinutes(2);
    private static final Duration END = Duration.ofSeconds(5);
    private static final Duration JOB = Duration.ofMinutes(10);

    private final ChildProcess process;
    private final Path directory;
    private final Leftovers leftovers;
    private final Leftovers.Removal removal;
    private boolean ready;

    private SparkDriver(
            ChildProcess process, Path directory, Leftovers leftovers, Leftovers.Removal removal) {
        this.process = process;
        this.directory = directory;
        this.leftovers = leftovers;
        this.removal = removal;
    }

    /** Starts one. All its files are in one directory, where its side wants them. */
    static SparkDriver start(Invocation invocation, SparkSettings settings, Side side, Shape shape)
            throws IOException {
        Path directory = Files.createTempDirectory(parent(side), "crail-bench-spark-");
        Leftovers leftovers = invocation.leftovers();
        boolean started = false;
        try {
            Files.createDirectories(directory.resolve("jars"));
            Path log = directory.resolve("log");
            ChildProcess process =
                    ChildProcess.start(
                            leftovers,
                            "the driver of Spark (" + side.text() + ")",
                            program(settings, side, shape, directory),
                            log);
            // Remembered later than the process, so it is the first to be removed by a signal.
            Leftovers.Removal removal = leftovers.add(() -> kill(process, directory));
            started = true;
            return new SparkDriver(process, directory, leftovers, removal);
        } finally {
            if (!started) {
                ScratchDirectory.remove(directory);
            }
        }
    }

    private static Path parent(Side side) {
        Path wanted = side == Side.VANILLA_DISK ? DISK : SHARED_MEMORY;
        return Files.isWritable(wanted) ? wanted : Path.of(System.getProperty("java.io.tmpdir"));
    }

    private static ProcessBuilder program(
            SparkSettings settings, Side side, Shape shape, Path directory) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(SparkSettings.flags(shape));
        command.addAll(List.of("-cp", settings.classPath(), MAIN, directory.toString()));
        settings.of(side, shape, directory).forEach((key, value) -> command.add(key + "=" + value));
        ProcessBuilder program = new ProcessBuilder(command);
        Map<String, String> environment = program.environment();
        // Nothing of a Spark that is installed on this machine.
        environment.keySet().removeIf(name -> name.startsWith("SPARK_"));
        environment.put("SPARK_HOME", directory.toString());
        environment.put("SPARK_SCALA_VERSION", "2.13");
        environment.put("SPARK_LOCAL_IP", "127.0.0.1");
        return program;
    }

    /** At once; executors first would be started anew. */
    private static void kill(ChildProcess process, Path directory) throws IOException {
        List<ProcessHandle> executors = process.handle().descendants().toList();
        process.handle().destroyForcibly();
        remove(executors, directory);
    }

    /** What a driver leaves that was killed, since it did not end in time. */
    private static void remove(List<ProcessHandle> executors, Path directory) throws IOException {
        executors.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle executor : executors) {
            // Until then it may write files.
            executor.onExit()
                    .completeOnTimeout(executor, END.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
        ScratchDirectory.remove(directory);
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
            remove(executors, directory);
        }
    }
}
