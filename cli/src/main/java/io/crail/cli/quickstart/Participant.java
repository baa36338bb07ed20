// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.cli.command.ChildProcess;
import io.crail.error.InternalException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Another process of crail that takes part in a step; {@link Rounds} is its side. Not thread-safe.
 */
final class Participant implements AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(60);

    /** Modest: several processes share the machine. */
    private static final String JVM_FLAGS =
            "-XX:+UseSerialGC -XX:-UsePerfData -Xms32m -Xmx128m -XX:MaxDirectMemorySize=128m";

    private final String name;
    private final ChildProcess process;

    private Participant(String name, ChildProcess process) {
        this.name = name;
        this.process = process;
    }

    /**
     * Starts a process; returns without waiting for it.
     *
     * @param name for messages and for its log, which lies beside those of the servers
     * @param arguments of the command {@code quickstart}
     */
    static Participant start(Stage stage, String name, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add("quickstart");
        command.addAll(arguments);
        command.add("--namenode=" + stage.cluster().namenode());
        Path log = stage.cluster().directory().resolve(name + ".log");
        return new Participant(
                name, ChildProcess.start(stage.invocation(), name, command, JVM_FLAGS, log));
    }

    /** Waits until it is connected and has prepared itself. */
    void awaitReady() throws IOException {
        await(Rounds.READY);
    }

    /** Lets it do its next round. */
    void go() throws IOException {
        process.say(Rounds.GO);
    }

    /** Waits until its round is done. */
    void awaitDone() throws IOException {
        await(Rounds.DONE);
    }

    private void await(String expected) throws IOException {
        String line = process.hear(BOUND);
        if (!line.equals(expected)) {
            throw new InternalException(name + " said '" + line + "', not " + expected);
        }
    }

    /** Ends the process; it is gone when this returns. */
    @Override
    public void close() throws IOException {
        process.close();
    }
}
