// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.compatibility;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A namenode and two storage servers as bin/crail starts them, until they are closed. */
final class ServerProcesses implements AutoCloseable {
    private static final int BOUND_SECONDS = 120; // a build may be needed
    private static final Pattern NAMENODE = Pattern.compile("namenode +(\\S+:\\d+)");

    private final Path state;
    private final URI uri;

    private ServerProcesses(Path state, URI uri) {
        this.state = state;
        this.uri = uri;
    }

    /**
     * Starts them.
     *
     * @param state an empty directory for their files
     */
    static ServerProcesses start(Path state) throws IOException {
        String printed = crail(state, "cluster", "start", "--servers", "2", "--capacity", "256MiB");
        Matcher address = NAMENODE.matcher(printed);
        if (!address.find()) {
            throw new IllegalStateException("no address of a namenode in: " + printed);
        }
        return new ServerProcesses(state, URI.create("crail://" + address.group(1) + "/"));
    }

    private static String crail(Path state, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("crail.home"), "bin", "crail").toString());
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(state, "crail", ".out");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.redirectOutput(output.toFile());
        builder.environment().put("XDG_RUNTIME_DIR", state.toString());
        Process process = builder.start();
        try {
            if (!process.waitFor(BOUND_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " does not end");
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(command + " was interrupted");
        }
        String printed = Files.readString(output);
        if (process.exitValue() != 0) {
            throw new IllegalStateException(command + " failed: " + printed);
        }
        return printed;
    }

    /** {@code crail://host:port/}. */
    URI uri() {
        return uri;
    }

    @Override
    public void close() throws IOException {
        crail(state, "cluster", "stop");
    }
}
