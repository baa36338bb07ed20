// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.bench;

import io.crail.bench.load.Member;
import io.crail.bench.load.MetadataJob;
import io.crail.bench.stage.Servers;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.error.InvalidArgumentException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** A further client process of a benchmark; {@link Helpers} tells it, line by line, what to do. */
@CommandLine.Command(
        name = MemberCommand.NAME,
        hidden = true,
        description = "Takes part in a benchmark; a benchmark starts it.")
final class MemberCommand extends Command {
    static final String NAME = "member";

    static final String JOIN = "join";
    static final String PREPARE = "prepare";
    static final String LIMIT = "limit";
    static final String PRODUCT = "product";
    static final String LEAVE = "leave";

    /** How each answer begins. */
    static final String DONE = "done";

    @Option(
            names = "--log",
            description = "File that is removed in the end if the starter is gone.")
    private @Nullable Path log;

    private final Optional<ProcessHandle> starter = ProcessHandle.current().parent();
    private @Nullable Member member;

    MemberCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(invocation.console().in(), StandardCharsets.UTF_8));
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                int space = line.indexOf(' ');
                String what = space < 0 ? line : line.substring(0, space);
                invocation
                        .out()
                        .println((DONE + " " + act(what, line.substring(space + 1))).strip());
                invocation.out().flush();
            }
        } finally {
            removeLogOfNobody();
            leave();
        }
    }

    /** Whoever has started this process reads the log, and removes it unless it has been killed. */
    private void removeLogOfNobody() throws IOException {
        boolean starterGone = !ProcessHandle.current().parent().equals(starter);
        if (log != null && starterGone) {
            Files.deleteIfExists(log);
        }
    }

    private String act(String what, String about) throws IOException {
        switch (what) {
            case JOIN -> {
                leave();
                Servers servers =
                        new Servers(
                                LoadRun.connector(
                                        invocation.configuration(), invocation.namenodes()),
                                List.of());
                member = MetadataJob.parse(about).join(servers);
                return "";
            }
            case LEAVE -> {
                leave();
                return "";
            }
            default -> {
                return batch(what, about);
            }
        }
    }

    private String batch(String what, String about) throws IOException {
        Member joined = member;
        if (joined == null) {
            throw new InvalidArgumentException("'" + what + "': no part in a benchmark yet");
        }
        long nanos = Long.parseLong(about);
        switch (what) {
            case PREPARE -> {
                joined.prepare(nanos);
                return "";
            }
            case LIMIT -> {
                return joined.limit(nanos).text();
            }
            case PRODUCT -> {
                return joined.product(nanos).text();
            }
            default -> throw new InvalidArgumentException("'" + what + "' is nothing to do");
        }
    }

    private void leave() throws IOException {
        Member joined = member;
        member = null;
        if (joined != null) {
            joined.close();
        }
    }
}
