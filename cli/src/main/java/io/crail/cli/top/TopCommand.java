// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.top;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.cli.probe.StatusPage;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.LiveTerminal;
import io.crail.cli.terminal.Stty;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.authentication.AuthenticationConfig;
import io.crail.protocol.config.DurationText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "top",
        description = {
            "Shows what the cluster does, again and again: requests of the namenode with their"
                    + " times, bytes in and out and blocks by state of each storage server.",
            "q or Ctrl-C ends it. Without a terminal it prints one picture after the other."
        },
        footer = {
            "",
            "IN/S and OUT/S are bytes that a server moves: what clients of the same host read and"
                    + " write in its memory passes no server. GRANT, DATA, FREEING and LOST are bytes of"
                    + " blocks by state; PINS are blocks that clients of the server's host hold."
                    + " P50 and P99 are times in the namenode's engine.",
            "",
            "Numbers come from the status pages of the servers (see 'Metrics' in"
                    + " docs/operations.md), which the namenode tells; a server whose page cannot"
                    + " be had within a second is shown as 'no answer'.",
            "",
            "Examples:",
            "  crail top",
            "  crail top --once",
            "  crail top -b --interval 10s > activity.txt",
            "  crail top --json | jq .sessions      one object for each picture"
        })
public final class TopCommand extends Command {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final long LOOK_AT_KEYS_MILLIS = 50;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "1s",
            description = "Time between two pictures. Default: ${DEFAULT-VALUE}")
    private String interval = "";

    @Option(names = "--once", description = "Prints one picture and ends.")
    private boolean once;

    @Option(
            names = {"-b", "--batch"},
            description = "Prints pictures below each other, without control characters.")
    private boolean batch;

    /** The command. */
    public TopCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Duration pause = interval();
        ExecutorService executor = Executors.newCachedThreadPool(TopCommand::thread);
        try {
            Sampler sampler = sampler(executor);
            boolean live =
                    !once && !batch && !invocation.json() && invocation.console().outIsTerminal();
            if (live) {
                live(sampler, pause);
            } else {
                print(sampler, pause);
            }
        } finally {
            executor.shutdownNow();
        }
    }

    private Duration interval() throws InvalidArgumentException {
        try {
            Duration parsed = DurationText.parse(interval);
            if (parsed.toMillis() < LOOK_AT_KEYS_MILLIS || parsed.toHours() >= 24) {
                throw new InvalidArgumentException("--interval: must be within 50 ms and a day");
            }
            return parsed;
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--interval: " + e.getMessage(), e);
        }
    }

    private Sampler sampler(ExecutorService executor) throws CrailException {
        StatusPage pages =
                new StatusPage(
                        AuthenticationConfig.of(invocation.configuration())
                                .forCaller()
                                .statusToken(),
                        executor,
                        PATIENCE);
        String host;
        try {
            host = InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            host = "localhost";
        }
        return new Sampler(
                new ConnectedSource(
                        invocation.client().withDeadline(PATIENCE.multipliedBy(2)), host),
                pages,
                PATIENCE,
                System::nanoTime);
    }

    private static Thread thread(Runnable task) {
        Thread thread = new Thread(task, "crail-top");
        thread.setDaemon(true);
        return thread;
    }

    private void print(Sampler sampler, Duration pause) throws CancelledException {
        Screen screen = new Screen(invocation.console());
        Snapshot before = sampler.take();
        do {
            sleep(pause.toMillis());
            Snapshot now = sampler.take();
            Activity activity = Activity.between(before, now);
            before = now;
            if (invocation.json()) {
                invocation.out().println(Json.write(TopJson.of(activity)));
            } else {
                screen.lines(activity).forEach(invocation.out()::println);
                if (!once) {
                    invocation.out().println();
                }
            }
            invocation.out().flush();
        } while (!once);
    }

    /** The terminal is given back on every path: at the end, and by the hook that signals start. */
    private void live(Sampler sampler, Duration pause) throws CancelledException {
        Screen screen = new Screen(invocation.console());
        LiveTerminal terminal = LiveTerminal.open(invocation.console(), Stty.ofProcess());
        Leftovers.Removal restore = invocation.leftovers().add(terminal::close);
        try (terminal) {
            Snapshot before = sampler.take();
            Duration wait = Duration.ofMillis(LOOK_AT_KEYS_MILLIS); // The first picture comes soon.
            while (!isOver(terminal, wait)) {
                Snapshot now = sampler.take();
                List<String> lines = screen.lines(Activity.between(before, now));
                terminal.show(lines);
                before = now;
                wait = pause;
            }
        } finally {
            invocation.leftovers().forget(restore);
        }
    }

    /** Waits until the next picture is due; true if it shall not be drawn any more. */
    private static boolean isOver(LiveTerminal terminal, Duration pause) throws CancelledException {
        long end = System.nanoTime() + pause.toNanos();
        while (!terminal.pressed('q')) {
            long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (left <= 0) {
                return false;
            }
            sleep(Math.min(left, LOOK_AT_KEYS_MILLIS));
        }
        return true;
    }

    private static void sleep(long millis) throws CancelledException {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted", e);
        }
    }
}
