// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.nvmf;

import io.crail.error.InternalException;
import io.crail.nvmf.initiator.NvmeAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of {@link TargetMain}. Not thread-safe. */
final class TargetProcess implements AutoCloseable {
    static final String SUBSYSTEM = "nqn.2026-11.io.crail:bench";

    /** Further flags of its JVM, for those who profile it. */
    private static final String FLAGS = "io.crail.bench.nvmf.target.flags";

    private static final int NATIVE_ACCESS = 22;
    private static final int UNSAFE_WARNS = 23;
    private static final long PATIENCE_SECONDS = 15;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final String LOOPBACK = "127.0.0.1";

    private final Process process;
    private final Path log;
    private final Path memory;
    private final int port;

    private TargetProcess(Process process, Path log, Path memory, int port) {
        this.process = process;
        this.log = log;
        this.memory = memory;
        this.port = port;
    }

    /** Starts it; it serves when this returns. */
    static TargetProcess start(Path file) throws IOException {
        Path log = Files.createTempFile("crail-bench", ".log");
        Path memory =
                Files.isDirectory(SHARED_MEMORY)
                        ? Files.createTempDirectory(SHARED_MEMORY, "crail-bench")
                        : Files.createTempDirectory("crail-bench");
        Process process = null;
        boolean serves = false;
        try {
            process = new ProcessBuilder(command(file, memory)).redirectError(log.toFile()).start();
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            String line = out.readLine();
            if (line == null) {
                throw new InternalException(
                        "the target did not start: " + Files.readString(log).strip());
            }
            TargetProcess target = new TargetProcess(process, log, memory, Integer.parseInt(line));
            serves = true;
            return target;
        } finally {
            if (!serves) {
                if (process != null) {
                    process.destroyForcibly();
                }
                Files.deleteIfExists(log);
                removeAll(memory);
            }
        }
    }

    /** With what a target that was killed has left there. */
    private static void removeAll(Path memory) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(memory)) {
            for (Path each : files) {
                Files.deleteIfExists(each);
            }
        }
        Files.deleteIfExists(memory);
    }

    /** As bin/crail starts storage servers. */
    private static List<String> command(Path file, Path memory) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseG1GC");
        command.add("-XX:+ExitOnOutOfMemoryError");
        command.add("--add-opens=java.base/java.nio=ALL-UNNAMED");
        command.add("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
        command.add("-Dio.netty.tryReflectionSetAccessible=true");
        if (Runtime.version().feature() >= NATIVE_ACCESS) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        if (Runtime.version().feature() >= UNSAFE_WARNS) {
            command.add("--sun-misc-unsafe-memory-access=allow");
        }
        for (String flag : System.getProperty(FLAGS, "").split(" ", -1)) {
            if (!flag.isEmpty()) {
                command.add(flag);
            }
        }
        command.add("-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(TargetMain.class.getName());
        command.add(file.toAbsolutePath().toString());
        command.add(memory.toString());
        return command;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    NvmeAddress address() {
        return new NvmeAddress(LOOPBACK, port, SUBSYSTEM);
    }

    /** Ends it; it is gone when this returns. */
    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            // It has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
            Files.deleteIfExists(log);
            removeAll(memory);
        }
    }
}
