// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.admin;

import io.crail.cli.command.Command;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Progress;
import io.crail.client.CrailAdmin;
import io.crail.client.CrailAdmin.Evacuation;
import io.crail.error.BusyException;
import io.crail.error.CancelledException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.protocol.config.ByteSize;
import io.crail.protocol.config.DurationText;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "drain",
        description = {
            "Empties a storage server, so that it can be stopped without loss.",
            "The server gets no new blocks from now on, also after restarts, until 'undrain'. What it"
                    + " holds is copied to other servers, verified; it stays readable meanwhile."
        },
        footer = {
            "",
            "Blocks that are being written, and blocks that somebody has mapped, are waited for. The"
                    + " command may be interrupted and run again.",
            "",
            "Examples:",
            "  crail admin drain 2",
            "  crail admin drain --wait 30min 2",
            "  crail admin drain --wait 10s --force 2    do not wait for writers and readers any longer",
            "  crail admin drain --no-move 2    no new blocks, leave what is there"
        })
final class DrainCommand extends Command {
    private static final long PAUSE_MILLIS = 100;

    /** For what was taken back to become free. */
    private static final Duration SETTLING = Duration.ofSeconds(5);

    /** For writers that come again and again. */
    private static final Duration FORCED_PATIENCE = Duration.ofMinutes(1);

    @Option(
            names = "--wait",
            paramLabel = "DURATION",
            defaultValue = "5 min",
            description = "How long to wait for what cannot be moved yet (default: 5 min).")
    private String wait = "5 min";

    @Option(
            names = "--force",
            description =
                    "After --wait, takes from clients what they hold of the server. Writers of values"
                            + " and streams go on elsewhere; files that are being written there end at"
                            + " what was synced, and their writers fail. What readers have mapped they"
                            + " keep; it is not waited for.")
    private boolean force;

    @Option(names = "--no-move", description = "Moves nothing: only keeps new blocks away.")
    private boolean noMove;

    @Parameters(paramLabel = "SERVER", description = "Id of the server; crail fs df shows all.")
    private int server;

    private long blocks;
    private long bytes;
    private long revokedBytes;
    private int endedLeases;
    private long mapped;

    DrainCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        Duration patience = patience();
        CrailAdmin admin = invocation.client().admin();
        admin.drain(server);
        if (noMove) {
            print("storage server " + server + " gets no new blocks", 0);
            return;
        }
        Evacuation last = empty(admin, patience);
        if (!last.isEmpty() && force) {
            last = takeBack(admin);
        }
        if (!last.isEmpty() && (!force || last.failedBlocks() > 0 || last.busyBlocks() > 0)) {
            throw left(last, patience);
        }
        if (!last.isEmpty()) {
            mapped = last.usedBytes();
        }
        if (force) {
            print(givenUp(), mapped);
            return;
        }
        print("storage server " + server + " is empty and can be stopped", 0);
    }

    /** Writers that come in between are sent away, too. */
    private Evacuation takeBack(CrailAdmin admin) throws CrailException {
        Evacuation last;
        long end = System.nanoTime() + FORCED_PATIENCE.toNanos();
        do {
            CrailAdmin.Revocation taken = admin.revoke(server);
            revokedBytes += taken.bytes();
            endedLeases += taken.leases();
            last = empty(admin, SETTLING);
        } while (last.busyBlocks() > 0 && System.nanoTime() - end < 0);
        return last;
    }

    private String givenUp() {
        StringBuilder text = new StringBuilder("storage server " + server);
        text.append(mapped == 0 ? " is empty and can be stopped" : " can be stopped");
        if (revokedBytes > 0 || endedLeases > 0) {
            text.append("; taken from writers: ")
                    .append(new ByteSize(revokedBytes))
                    .append(" of granted blocks, ")
                    .append(endedLeases)
                    .append(" leases of files");
        }
        if (mapped > 0) {
            text.append("; not waited for: ")
                    .append(new ByteSize(mapped))
                    .append(" that clients have mapped, of which there are copies elsewhere");
        }
        return text.toString();
    }

    private Duration patience() throws InvalidArgumentException {
        try {
            return DurationText.parse(wait);
        } catch (IllegalArgumentException e) {
            throw new InvalidArgumentException("--wait: " + e.getMessage(), e);
        }
    }

    /**
     * Passes until the server is empty, or nothing has changed for as long as the patience lasts.
     */
    private Evacuation empty(CrailAdmin admin, Duration patience) throws CrailException {
        try (Progress progress = Progress.of(invocation.console(), "drain")) {
            progress.expect(used());
            long quietSince = System.nanoTime();
            while (true) {
                long[] before = {0};
                Evacuation pass =
                        admin.evacuate(
                                server,
                                (count, sum) -> {
                                    progress.add(sum - before[0]);
                                    before[0] = sum;
                                });
                blocks += pass.movedBlocks();
                bytes += pass.movedBytes();
                if (pass.movedBlocks() > 0) {
                    quietSince = System.nanoTime();
                }
                if (pass.isEmpty() || System.nanoTime() - quietSince > patience.toNanos()) {
                    return pass;
                }
                pause();
            }
        }
    }

    private long used() throws CrailException {
        for (Statistics.ServerCapacity each : invocation.client().statistics().servers()) {
            if (each.id() == server) {
                return each.capacity() - each.free();
            }
        }
        return 0;
    }

    /** Freeing takes its time: storage server and namenode have to agree on each block. */
    private static void pause() throws CancelledException {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancelledException("interrupted; what was moved is moved");
        }
    }

    private BusyException left(Evacuation last, Duration patience) {
        StringBuilder why = new StringBuilder();
        if (last.failedBlocks() > 0) {
            why.append(last.failedBlocks())
                    .append(" blocks could not be moved (")
                    .append(last.failure())
                    .append("); ");
        }
        if (last.busyBlocks() > 0) {
            why.append(last.busyBlocks()).append(" blocks are of files that are being written; ");
        }
        return new BusyException(
                "storage server "
                        + server
                        + " still holds "
                        + new ByteSize(last.usedBytes())
                        + " after "
                        + DurationText.format(patience)
                        + " without progress; "
                        + why
                        + "run the command again later, or with a longer --wait");
    }

    private void print(String text, long left) {
        if (invocation.json()) {
            invocation.printJson(
                    Json.object(
                            "server", server,
                            "state", "draining",
                            "movedBlocks", blocks,
                            "movedBytes", bytes,
                            "revokedBytes", revokedBytes,
                            "endedLeases", endedLeases,
                            "mappedBytes", mapped,
                            "empty", !noMove && left == 0));
        } else {
            invocation.out().println(text);
        }
    }
}
