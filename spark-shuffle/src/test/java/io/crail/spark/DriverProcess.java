// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@link DriverMain} in a process that can be stopped and killed. */
final class DriverProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    /**
     * How a job ended.
     *
     * @param sum of the numbers
     * @param mapTasks that ran
     * @param failedTasks that failed
     */
    record Result(long sum, int mapTasks, int failedTasks) {
        /** What comes out when nothing is lost or doubled. */
        static final long RIGHT_SUM = (long) DriverMain.NUMBERS * (DriverMain.NUMBERS - 1) / 2;
    }

    private final Process process;
    private final Path log;
    private final Path reduce;
    private final Path end;

    private DriverProcess(Process process, Path log, Path reduce, Path end) {
        this.process = process;
        this.log = log;
        this.reduce = reduce;
        this.end = end;
    }

    /**
     * Starts an application.
     *
     * @param directory an empty one for its files
     */
    static DriverProcess start(
            Path directory, String master, String namenode, Map<String, String> settings)
            throws IOException {
        Path log = directory.resolve("log");
        Path reduce = directory.resolve("reduce");
        Path end = directory.resolve("end");
        List<String> command = command(DriverMain.class, directory);
        command.addAll(List.of(master, namenode, reduce.toString(), end.toString()));
        settings.forEach((key, value) -> command.add(key + "=" + value));
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        return new DriverProcess(process, log, reduce, end);
    }

    /**
     * Begins a command: a JVM as this one, which runs a class and has a directory for its files.
     */
    static List<String> command(Class<?> main, Path directory) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(
                List.of(
                        "-Xmx512m",
                        "-Djava.io.tmpdir=" + directory,
                        "-cp",
                        System.getProperty(
                                "surefire.test.class.path", System.getProperty("java.class.path")),
                        main.getName()));
        return command;
    }

    /** What the process has said and logged. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<String> said(String beginning) {
        return log().lines()
                .filter(line -> line.startsWith(beginning))
                .map(line -> line.substring(beginning.length()))
                .findFirst();
    }

    /** Waits for a line; returns what follows its beginning. */
    private String awaitLine(String beginning) {
        await().atMost(LIMIT).until(() -> said(beginning).isPresent() || !process.isAlive());
        return said(beginning).orElseThrow(() -> new AssertionError(log()));
    }

    /** The application's directory, when it is there. */
    String directory() {
        return awaitLine(DriverMain.DIRECTORY);
    }

    /** Returns when a task has read the first part of a broadcast, and waits. */
    void awaitReader() {
        awaitLine(BroadcastJob.READING);
    }

    /** Returns when all map tasks have run, and the reduce tasks wait. */
    void awaitMaps() {
        awaitLine(DriverMain.MAPS_DONE);
    }

    /** Lets the reduce tasks, or the reader of a broadcast, go on. */
    void letReduce() throws IOException {
        Files.createFile(reduce);
    }

    /** How the job ended. */
    Result result() {
        String[] numbers = awaitLine(DriverMain.RESULT).split(" ", -1);
        return new Result(
                Long.parseLong(numbers[0]),
                Integer.parseInt(numbers[1]),
                Integer.parseInt(numbers[2]));
    }

    /** Ends the application in order. */
    void end() throws IOException {
        Files.createFile(end);
        awaitLine(DriverMain.STOPPED);
    }

    /** SIGSTOP. */
    void pause() {
        Signals.stop(process);
    }

    /** SIGCONT. */
    void resume() {
        Signals.resume(process);
    }

    /** SIGKILL. */
    void kill() {
        process.destroyForcibly();
    }

    /** The processes of its executors. */
    List<ProcessHandle> executors() {
        return process.descendants().filter(DriverProcess::isExecutor).toList();
    }

    /** By what the kernel says: Java does not tell of command lines as long as these. */
    private static boolean isExecutor(ProcessHandle process) {
        Path commandLine = Path.of("/proc", Long.toString(process.pid()), "cmdline");
        try {
            return Files.readString(commandLine).contains("CoarseGrainedExecutorBackend");
        } catch (IOException e) {
            return false; // It has ended meanwhile.
        }
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
