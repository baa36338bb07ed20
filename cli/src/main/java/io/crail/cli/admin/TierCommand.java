// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import io.crail.cli.command.ClientConfigurations;
import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.command.Leftovers;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Progress;
import io.crail.client.ClientConfig;
import io.crail.client.CrailTiering;
import io.crail.client.CrailTiering.Relocation;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.mover.Mover;
import io.crail.mover.MoverConfig;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.StorageKeys;
import io.crail.protocol.message.TierStatus;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

@CommandLine.Command(
        name = "tier",
        description = {
            "Shows and steers what moves between storage classes.",
            "A class that is used above its high-water mark loses its coldest nodes to the classes"
                    + " behind it, down to the low-water mark; nodes that are read again and again"
                    + " come back as far as they fit below it. Settings outlive restarts."
        },
        footer = {
            "",
            "Without options it shows the state. Examples:",
            "  crail admin tier",
            "  crail admin tier --pause",
            "  crail admin tier --high 90 --low 80",
            "  crail admin tier --rate 512MiB       of each mover and second; 0: as configured",
            "  crail admin tier --now /data/2023 --to 1",
            "  crail admin tier --pin /app/state    is not moved away because it is cold",
            "  crail admin tier --run               a mover in the foreground, beside those of servers"
        })
final class TierCommand extends Command {
    @Option(names = "--pause", description = "Moves nothing by itself any more.")
    private boolean pause;

    @Option(names = "--resume", description = "Moves again.")
    private boolean resume;

    @Option(
            names = "--high",
            paramLabel = "PERCENT",
            description = "High-water mark of all classes; with --low. 0 and 0: as configured.")
    private @Nullable Integer high;

    @Option(
            names = "--low",
            paramLabel = "PERCENT",
            description = "Low-water mark of all classes; with --high.")
    private @Nullable Integer low;

    @Option(
            names = "--rate",
            paramLabel = "SIZE",
            description = "Most bytes that each mover moves in a second; 0: as it is configured.")
    private @Nullable String rate;

    @Option(
            names = "--now",
            paramLabel = "PATH",
            description = "Moves what lies at and below a path, now and from here; with --to.")
    private @Nullable String now;

    @Option(names = "--to", paramLabel = "CLASS", description = "Storage class to move it to.")
    private @Nullable Integer to;

    @Option(
            names = "--pin",
            paramLabel = "PATH",
            description =
                    "Keeps what lies at and below a path from being moved because it is cold.")
    private @Nullable String pin;

    @Option(names = "--unpin", paramLabel = "PATH", description = "Lets it go again.")
    private @Nullable String unpin;

    @Option(
            names = "--run",
            description = "Runs a mover until it is interrupted, for servers that have none.")
    private boolean run;

    TierCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        check();
        CrailTiering tiering = invocation.client().admin().tiering();
        if (now != null && to != null) {
            relocate(tiering, now, to);
        } else if (pin != null || unpin != null) {
            pin(tiering);
        } else if (run) {
            runMover();
        } else {
            steer(tiering);
            new TierReport(invocation).print(tiering.status());
        }
    }

    private void check() throws InvalidArgumentException {
        if (pause && resume) {
            throw new InvalidArgumentException("either --pause or --resume");
        }
        if ((high == null) != (low == null)) {
            throw new InvalidArgumentException("--high and --low are set together");
        }
        if ((now == null) != (to == null)) {
            throw new InvalidArgumentException("--now PATH needs --to CLASS");
        }
        if (to != null && (to < 0 || to > 255)) {
            throw new InvalidArgumentException("--to: storage class " + to + " is outside 0..255");
        }
        boolean steering = pause || resume || high != null || rate != null;
        boolean pinning = pin != null || unpin != null;
        int actions = (steering ? 1 : 0) + (pinning ? 1 : 0) + (now != null ? 1 : 0);
        if (actions + (run ? 1 : 0) > 1) {
            throw new InvalidArgumentException("--now, --run, pins and settings go one at a time");
        }
    }

    private void steer(CrailTiering tiering) throws CrailException {
        long limit = rate == null ? 0 : size(rate);
        if (high != null && low != null) {
            tiering.setMarks(high, low);
        }
        if (rate != null) {
            tiering.setRate(limit);
        }
        if (pause || resume) {
            tiering.pause(pause);
        }
    }

    private void pin(CrailTiering tiering) throws CrailException {
        if (pin != null) {
            tiering.pin(pin, true);
        }
        if (unpin != null) {
            tiering.pin(unpin, false);
        }
    }

    private static long size(String text) throws InvalidArgumentException {
        try {
            return ByteSize.parse(text).bytes();
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--rate: " + e.getMessage(), e);
        }
    }

    private static void checkClass(CrailTiering tiering, int storageClass) throws CrailException {
        List<Integer> classes =
                tiering.status().classes().stream().map(TierStatus.ClassUse::storageClass).toList();
        if (!classes.contains(storageClass)) {
            throw new InvalidArgumentException(
                    "--to "
                            + storageClass
                            + ": no storage server has that class; there are "
                            + classes);
        }
    }

    private void relocate(CrailTiering tiering, String path, int storageClass) throws IOException {
        checkClass(tiering, storageClass);
        Relocation done;
        try (Progress progress = Progress.of(invocation.console(), "move")) {
            long[] before = new long[1];
            done =
                    tiering.relocate(
                            path,
                            storageClass,
                            (blocks, bytes) -> {
                                progress.add(bytes - before[0]);
                                before[0] = bytes;
                            });
        }
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "path", path,
                            "storageClass", storageClass,
                            "movedBlocks", done.movedBlocks(),
                            "movedBytes", done.movedBytes(),
                            "busyBlocks", done.busyBlocks(),
                            "pinnedBlocks", done.pinnedBlocks(),
                            "failedBlocks", done.failedBlocks()));
        } else {
            invocation
                    .out()
                    .println(
                            new ByteSize(done.movedBytes()).rounded()
                                    + " in "
                                    + done.movedBlocks()
                                    + " blocks moved to storage class "
                                    + storageClass
                                    + remarks(done));
        }
        if (done.failedBlocks() > 0) {
            throw new BusyException(
                    done.failedBlocks() + " blocks could not be moved: " + done.failure());
        }
    }

    private static String remarks(Relocation done) {
        StringBuilder text = new StringBuilder();
        if (done.busyBlocks() > 0) {
            text.append("; left: ").append(done.busyBlocks()).append(" of files being written");
        }
        if (done.pinnedBlocks() > 0) {
            text.append("; left: ")
                    .append(done.pinnedBlocks())
                    .append(" of nodes whose own class is behind that one");
        }
        return text.toString();
    }

    private void runMover() throws IOException {
        ClientConfig client =
                ClientConfigurations.of(
                        invocation.configuration(), invocation.namenodes(), "crail-mover");
        long limit = invocation.configuration().get(StorageKeys.MOVER_RATE).bytes();
        try (Mover mover = Mover.start(MoverConfig.of(client, 0, limit))) {
            // A signal starts the shutdown hook, which removes leftovers: this one by closing it.
            Leftovers.Removal close = invocation.leftovers().add(mover::close);
            invocation.out().println("moving until interrupted; crail admin tier shows what");
            invocation.out().flush();
            new CountDownLatch(1).await();
            invocation.leftovers().forget(close);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
