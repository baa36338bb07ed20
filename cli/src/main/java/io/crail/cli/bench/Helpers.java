// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.load.Arena;
import io.crail.bench.load.Member;
import io.crail.bench.load.MetadataJob;
import io.crail.bench.load.Pace;
import io.crail.bench.load.Tally;
import io.crail.cli.command.ChildProcess;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.error.InternalException;
import io.crail.protocol.config.Endpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Further client processes, started when they are first needed; {@link MemberCommand} is their
 * side. Not thread-safe, but different helpers may be used by different threads.
 */
final class Helpers implements Arena.Processes, AutoCloseable {
    /** As that of this process: what bin/crail gives to benchmarks, with less memory. */
    private static final String JVM_FLAGS =
            "-XX:+UseSerialGC -XX:-UsePerfData -Xms64m -Xmx256m -XX:MaxDirectMemorySize=256m";

    private static final Duration STARTED = Duration.ofSeconds(60);

    private final Invocation invocation;
    private final List<Endpoint> namenodes;
    private final Duration bound;
    private final List<Helper> helpers = new ArrayList<>();

    Helpers(Invocation invocation, List<Endpoint> namenodes, Pace pace) {
        this.invocation = invocation;
        this.namenodes = namenodes;
        this.bound = STARTED.plus(pace.batch());
    }

    @Override
    public Arena.Helper helper(int number) throws IOException {
        while (helpers.size() < number) {
            helpers.add(start(helpers.size() + 1));
        }
        return helpers.get(number - 1);
    }

    private Helper start(int number) throws IOException {
        Path log = Files.createTempFile("crail-bench", ".log");
        boolean started = false;
        // Remembered before the process: a signal ends that first.
        Leftovers.Removal removal = invocation.leftovers().add(() -> Files.deleteIfExists(log));
        try {
            String name = "client process " + number;
            ChildProcess process =
                    ChildProcess.start(invocation, name, command(log), JVM_FLAGS, log);
            started = true;
            return new Helper(process, log, bound);
        } finally {
            if (!started) {
                Files.deleteIfExists(log);
                invocation.leftovers().forget(removal);
            }
        }
    }

    private List<String> command(Path log) {
        List<String> endpoints = namenodes.stream().map(Endpoint::toString).toList();
        return List.of(
                "bench",
                MemberCommand.NAME,
                "--namenode=" + String.join(",", endpoints),
                "--log=" + log);
    }

    @Override
    public void close() throws IOException {
        for (Helper helper : helpers) {
            helper.close();
        }
    }

    /** One process, which takes part in one row after another. */
    private record Helper(ChildProcess child, Path log, Duration bound)
            implements Arena.Helper, AutoCloseable {
        @Override
        public Member join(MetadataJob job) throws IOException {
            ask(MemberCommand.JOIN, job.text());
            return new Part(this);
        }

        @Override
        public ProcessHandle process() {
            return child.handle();
        }

        String ask(String what, String about) throws IOException {
            child.say(what + " " + about);
            String answer = child.hear(bound);
            if (!answer.startsWith(MemberCommand.DONE)) {
                throw new InternalException("a client process says '" + answer + "'");
            }
            return answer.substring(MemberCommand.DONE.length()).strip();
        }

        @Override
        public void close() throws IOException {
            try {
                child.close();
            } finally {
                Files.deleteIfExists(log);
            }
        }
    }

    /** Its part in one row. */
    private record Part(Helper helper) implements Member {
        @Override
        public void prepare(long nanos) throws IOException {
            helper.ask(MemberCommand.PREPARE, Long.toString(nanos));
        }

        @Override
        public Tally limit(long nanos) throws IOException {
            return Tally.parse(helper.ask(MemberCommand.LIMIT, Long.toString(nanos)));
        }

        @Override
        public Tally product(long nanos) throws IOException {
            return Tally.parse(helper.ask(MemberCommand.PRODUCT, Long.toString(nanos)));
        }

        @Override
        public void close() throws IOException {
            helper.ask(MemberCommand.LEAVE, "");
        }
    }
}
