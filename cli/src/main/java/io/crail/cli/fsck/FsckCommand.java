// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.fsck;

import io.crail.cli.command.Command;
import io.crail.cli.command.CommandFailure;
import io.crail.cli.command.ExitCode;
import io.crail.cli.command.Invocation;
import io.crail.cli.terminal.Json;
import io.crail.cli.terminal.Progress;
import io.crail.cli.terminal.Table;
import io.crail.client.CrailClient;
import io.crail.client.audit.AuditReport;
import io.crail.client.audit.Finding;
import io.crail.error.CrailException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@CommandLine.Command(
        name = "fsck",
        description = {
            "Checks blocks and nodes, at the namenode and at the storage servers, while the cluster"
                    + " works.",
            "Every block that is in use must belong to one file, stream, value or writer; every byte"
                    + " of a node to a block that is there; all counters must be right; and each"
                    + " storage server must have its blocks as the namenode takes them. What differs"
                    + " is looked at for five seconds before it is told. Changes nothing unless"
                    + " asked. With permissions on, only the superuser may."
        },
        footer = {
            "",
            "Exit codes: 0 = all is well, or was repaired; 1 = something is not, or could not be"
                    + " checked.",
            "",
            "Findings:",
            "  orphan-block      a block is in use, but nobody has it: memory that is of no use",
            "  shared-block      a block belongs to two extents or writers",
            "  wrong-state       a node or writer has a block that counts as something else",
            "  lost-extent       bytes of a node are gone: their server is dead, or came back empty",
            "  wrong-total       a directory or table sums up what lies below it wrongly",
            "  wrong-counter     a counter of a storage server's blocks is wrong",
            "  wrong-generation  a storage server has another generation of a block: it can be"
                    + " neither read nor written",
            "  stuck-block       a block waits to be freed, and nobody will",
            "  wrong-segment     a segment is known to the namenode or to its storage server only",
            "  stray-pin         a process holds a block in place that it has no right to any more",
            "",
            "Examples:",
            "  crail fsck               check everything",
            "  crail fsck /data         check the nodes at and below /data, and no blocks",
            "  crail fsck --repair      give back orphans, put sums right, have servers report",
            "  crail fsck --delete-lost /data    delete what has lost bytes there",
            "  crail fsck --json"
        })
public final class FsckCommand extends Command {
    /** A wrong sum below hides, or makes, one above: as deep as a path may be. */
    private static final int MAX_ROUNDS = 100;

    @Option(
            names = "--repair",
            description =
                    "Gives back blocks that nobody has, sums up anew what is summed up wrongly, and lets"
                            + " storage servers report their blocks again where the two disagree."
                            + " The namenode looks itself before it changes anything.")
    private boolean repair;

    @Option(
            names = "--delete-lost",
            description =
                    "Deletes every file, stream and value that has lost bytes, also those of servers"
                            + " that are only away for long: what is left of them goes, too.")
    private boolean deleteLost;

    private final List<Finding> repaired = new ArrayList<>();
    private final Set<Integer> reported = new HashSet<>();

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description = "Checks only nodes at and below it. Default: everything")
    private @Nullable String path;

    /** The command. */
    public FsckCommand(Invocation invocation) {
        super(invocation);
    }

    @Override
    protected void run() throws IOException {
        CrailClient client = invocation.client();
        String below = path == null ? null : existing(client, path);
        AuditReport report = check(client, below);
        for (int i = 0; i < MAX_ROUNDS && repair(client, report); i++) {
            report = check(client, below);
        }
        if (invocation.json()) {
            invocation.printJson(json(report));
        } else {
            print(report);
        }
        if (!report.isClean()) {
            long found = report.counts().values().stream().mapToLong(Long::longValue).sum();
            throw new CommandFailure(
                    ExitCode.FAILURE,
                    found
                            + " findings, "
                            + report.unchecked().size()
                            + " things that could not be checked");
        }
    }

    private AuditReport check(CrailClient client, @Nullable String below) throws CrailException {
        try (Progress progress = Progress.ofThings(invocation.console(), "fsck")) {
            progress.expect(expected(client.statistics(), below));
            return client.admin().check(below, progress::add);
        }
    }

    /** Repairs what may be repaired; returns whether anything has changed. */
    private boolean repair(CrailClient client, AuditReport report) throws CrailException {
        boolean changed = false;
        for (Finding finding : report.findings()) {
            if (mayRepair(finding) && client.admin().repair(finding)) {
                changed = true;
                repaired.add(finding);
            }
        }
        return changed;
    }

    /**
     * A server reports all its blocks at once, and what that does not repair, nothing here does.
     */
    private boolean mayRepair(Finding finding) {
        BlockId block = finding.block();
        return switch (finding.kind()) {
            case ORPHAN_BLOCK, WRONG_TOTAL -> repair;
            case LOST_EXTENT -> deleteLost;
            case WRONG_GENERATION, STUCK_BLOCK ->
                    repair && block != null && reported.add(block.server());
            case SHARED_BLOCK, WRONG_STATE, WRONG_COUNTER, WRONG_SEGMENT, STRAY_PIN -> false;
        };
    }

    private static String existing(CrailClient client, String path) throws CrailException {
        client.status(path);
        String trimmed = path.replaceAll("/+$", "");
        return trimmed.isEmpty() ? "/" : trimmed;
    }

    /** All nodes are looked at once for each server's blocks, for losses and for sums. */
    private static long expected(Statistics.Reply now, @Nullable String below)
            throws CrailException {
        long nodes = now.directories() + now.files() + now.tables();
        return nodes * (below == null ? now.servers().size() + 2L : 2);
    }

    private void print(AuditReport report) {
        for (Finding finding : repaired) {
            String what = finding.kind() == Finding.Kind.LOST_EXTENT ? "deleted: " : "repaired: ";
            invocation.out().println(what + finding.kind().label() + ": " + finding.text());
        }
        for (Finding finding : report.findings()) {
            invocation.out().println(finding.kind().label() + ": " + finding.text());
        }
        report.unchecked().forEach(text -> invocation.out().println("not checked: " + text));
        Table table = Table.titled("FINDING", "COUNT>");
        for (Finding.Kind kind : Finding.Kind.values()) {
            table.row(kind.label(), Long.toString(report.count(kind)));
        }
        table.print(invocation.out());
        invocation
                .out()
                .println(
                        report.servers()
                                + " servers, "
                                + report.blocks()
                                + " blocks in use, "
                                + report.looks()
                                + " things looked at"
                                + (report.isClean() ? ": all is well" : ""));
    }

    private Object json(AuditReport report) {
        Map<String, @Nullable Object> counts = new LinkedHashMap<>();
        for (Finding.Kind kind : Finding.Kind.values()) {
            counts.put(kind.label(), report.count(kind));
        }
        return Json.object(
                "clean", report.isClean(),
                "servers", report.servers(),
                "blocks", report.blocks(),
                "looks", report.looks(),
                "counts", counts,
                "findings", json(report.findings()),
                "repaired", json(repaired),
                "unchecked", report.unchecked());
    }

    private static List<Object> json(List<Finding> list) {
        List<Object> findings = new ArrayList<>();
        for (Finding finding : list) {
            BlockId block = finding.block();
            findings.add(
                    Json.object(
                            "kind", finding.kind().label(),
                            "path", finding.path(),
                            "node", finding.node(),
                            "server", block == null ? null : block.server(),
                            "segment", block == null ? null : block.segment(),
                            "record", block == null ? null : block.record(),
                            "bytes", finding.length(),
                            "text", finding.text()));
        }
        return findings;
    }
}
