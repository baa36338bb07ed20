// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import io.crail.error.AccessDeniedException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.ServerLostException;
import io.crail.error.TimeoutException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks a cluster from both sides. The namenode's: every block that is granted or committed
 * belongs to exactly one extent or grant, every extent to a block that is there, and all sums are
 * right. The storage servers': each block is there under the generation, and in the state, that the
 * namenode takes it for ({@link MemoryCheck}). The cluster works meanwhile: docs/protocol.md, AUDIT
 * and AUDIT_SEGMENT, says why this misleads nobody.
 *
 * <p>Memory is bounded by the blocks of one server. Used by one thread, once.
 */
public final class ClusterAudit {
    /** Counts that a segment that came or went disturbs are repeated so often. */
    private static final int ATTEMPTS = 5;

    /**
     * Walks over all holders of blocks that agree before something is told of one: files that are
     * joined or cut pass blocks on to others, which a walk may have been at already, or come to.
     */
    private static final int WALKS = 3;

    /** A server that has just lost its connection is back, or dead, within some seconds. */
    private static final int WAITS = 50;

    private static final Duration WAIT = Duration.ofMillis(200);

    private static final List<String> COUNTERS =
            List.of("directories", "files", "tables", "values", "length", "bytes of blocks");

    private static final List<String> STATES =
            List.of("free", "granted", "committed", "revoking", "quarantined", "retired");

    /** Who answers. */
    public interface Source {
        Audit.Reply audit(Audit.Request request) throws CrailException;

        Statistics.Reply statistics() throws CrailException;

        /** Asks a storage server itself. */
        AuditSegment.Reply segment(int server, AuditSegment.Request request) throws CrailException;

        /** Lets time pass. */
        void pause(Duration time) throws CrailException;
    }

    private final Source source;
    private final @Nullable String below;
    private final LongConsumer progress;
    private final Map<Finding.Kind, Long> counts = new EnumMap<>(Finding.Kind.class);
    private final List<Finding> findings = new ArrayList<>();
    private final List<String> unchecked = new ArrayList<>();
    private int servers;
    private long blocks;
    private long looks;

    /**
     * A check.
     *
     * @param source who answers
     * @param path only nodes at and below this path are checked, and no blocks; null = everything
     * @param progress hears how many things were looked at since it was called last
     */
    public ClusterAudit(Source source, @Nullable String path, LongConsumer progress) {
        this.source = source;
        this.below = path == null || path.equals("/") ? null : path;
        this.progress = progress;
    }

    /** Checks everything; blocks until then. */
    public AuditReport run() throws CrailException {
        if (below == null) {
            for (Statistics.ServerCapacity server : source.statistics().servers()) {
                compare(server.id());
                new ServerSide(server.id()).check();
                servers++;
            }
            each(0, Audit.GRANTS, page -> page.problems().forEach(this::problem));
        }
        each(0, Audit.NODES, page -> page.problems().forEach(this::problem));
        each(0, Audit.TOTALS, page -> page.mistakes().forEach(this::mistake));
        return new AuditReport(servers, blocks, looks, counts, findings, unchecked);
    }

    /** Passes all pages of a part; returns the last one. */
    private Audit.Reply each(int server, int part, Consumer<Audit.Reply> out)
            throws CrailException {
        Audit.Position at = Audit.Position.START;
        while (true) {
            Audit.Reply page = source.audit(new Audit.Request(server, part, at));
            looks += page.looks();
            progress.accept(page.looks());
            out.accept(page);
            if (page.end()) {
                return page;
            }
            at = page.next();
        }
    }

    private void compare(int server) throws CrailException {
        Audit.Reply[] last = new Audit.Reply[1];
        ServerComparison first = new ServerComparison(server);
        List<Finding> differences = holders(server, first, last);
        boolean counted = counters(server, last[0]);
        blocks += first.size();
        for (int i = 1; i < WALKS && !differences.isEmpty(); i++) {
            List<Finding> again = holders(server, new ServerComparison(server), last);
            differences.removeIf(
                    one -> again.stream().noneMatch(other -> isOfOneBlock(one, other)));
        }
        differences.forEach(this::found);
        for (int i = 1; i < ATTEMPTS && !counted; i++) {
            counted = counters(server, each(server, Audit.BLOCKS, page -> {}));
        }
        if (!counted) {
            unchecked.add(
                    "counters of storage server "
                            + server
                            + ": its segments changed, or somebody else checked, during every count;"
                            + " run the check again");
        }
    }

    /** Blocks without a holder, or with two: in a walk over all, during which some may change. */
    private List<Finding> holders(int server, ServerComparison comparison, Audit.Reply[] last)
            throws CrailException {
        List<Finding> differences = new ArrayList<>();
        last[0] = each(server, Audit.BLOCKS, page -> page.claims().forEach(comparison::block));
        for (int part : new int[] {Audit.NODES, Audit.REMOVED, Audit.GRANTS}) {
            each(
                    server,
                    part,
                    page -> {
                        for (Audit.Claim claim : page.claims()) {
                            Finding shared = comparison.claim(claim);
                            if (shared != null) {
                                differences.add(shared);
                            }
                        }
                    });
        }
        lookAgain(server, comparison, differences);
        return differences;
    }

    private static boolean isOfOneBlock(Finding one, Finding other) {
        return one.kind() == other.kind()
                && one.generation() == other.generation()
                && Objects.equals(one.block(), other.block());
    }

    /** What the server says itself. */
    private final class ServerSide {
        private final int server;

        ServerSide(int server) {
            this.server = server;
        }

        /** Of a dead server all is lost, and nobody can be asked. */
        void check() throws CrailException {
            String why = "it is away";
            for (int i = 0; i < ATTEMPTS; i++) {
                ServerState state = settled();
                if (state == ServerState.DEAD) {
                    return;
                }
                if (state == ServerState.EXPECTED) {
                    break;
                }
                MemoryCheck check = new MemoryCheck(source, server, this::looked);
                try {
                    List<Finding> differences = check.run();
                    if (isThere(state())) {
                        differences.forEach(ClusterAudit.this::found);
                        why = check.isCut() ? "too much differs to be told at once" : "";
                        break;
                    }
                    why = "it came and went";
                } catch (ServerLostException
                        | TimeoutException
                        | AccessDeniedException
                        | ProtocolException e) {
                    why = String.valueOf(e.getMessage());
                }
            }
            if (!why.isEmpty()) {
                unchecked.add(
                        "what storage server "
                                + server
                                + " says of its blocks: "
                                + why
                                + "; run the check again");
            }
        }

        private void looked(long count) {
            looks += count;
            progress.accept(count);
        }

        /** Its state, when it is back, or as it is after some time of waiting. */
        private ServerState settled() throws CrailException {
            ServerState state = state();
            for (int i = 0; i < WAITS && state == ServerState.EXPECTED; i++) {
                source.pause(WAIT);
                state = state();
            }
            return state;
        }

        private ServerState state() throws CrailException {
            for (Statistics.ServerCapacity each : source.statistics().servers()) {
                if (each.id() == server) {
                    return ServerState.ofWire(each.state());
                }
            }
            return ServerState.DEAD;
        }

        private static boolean isThere(ServerState state) {
            return state == ServerState.LIVE || state == ServerState.DRAINING;
        }
    }

    /** Whether the last page of a count had a result, which was compared then. */
    private boolean counters(int server, Audit.Reply last) {
        long[] kept = last.kept();
        long[] found = last.found();
        if (found.length == 0) {
            return false;
        }
        for (int i = 0; i < Math.min(kept.length, found.length); i++) {
            if (kept[i] != found[i]) {
                found(
                        new Finding(
                                Finding.Kind.WRONG_COUNTER,
                                "",
                                0,
                                null,
                                0,
                                0,
                                "storage server "
                                        + server
                                        + " counts "
                                        + kept[i]
                                        + " bytes as "
                                        + (i < STATES.size() ? STATES.get(i) : "state " + i)
                                        + ", but has "
                                        + found[i]));
            }
        }
        return true;
    }

    /** What nobody claimed may have been freed or committed since: then it is no orphan. */
    private void lookAgain(int server, ServerComparison comparison, List<Finding> differences)
            throws CrailException {
        for (Map.Entry<Long, List<Audit.Claim>> slab : comparison.unclaimed().entrySet()) {
            Audit.Position at = Audit.Position.of(slab.getKey());
            List<Audit.Claim> now =
                    source.audit(new Audit.Request(server, Audit.BLOCKS, at)).claims();
            for (Audit.Claim block : slab.getValue()) {
                if (now.contains(block)) {
                    differences.add(comparison.orphan(block));
                }
            }
        }
    }

    private void problem(Audit.Problem problem) {
        BlockId id = problem.block();
        if (!isBelow(problem.path())) {
            return;
        }
        String who = problem.path().isEmpty() ? "session " + problem.owner() : problem.path();
        String block = ServerComparison.describe(id);
        String text =
                problem.lost()
                        ? who
                                + " has lost "
                                + problem.length()
                                + " bytes at offset "
                                + problem.offset()
                                + ": "
                                + block
                                + " is gone with its server, or its memory"
                        : who + " has " + block + ", which the namenode does not count as its own";
        found(
                new Finding(
                        problem.lost() ? Finding.Kind.LOST_EXTENT : Finding.Kind.WRONG_STATE,
                        problem.path(),
                        problem.owner(),
                        id,
                        problem.length(),
                        problem.generation(),
                        text));
    }

    private void mistake(Audit.Mistake mistake) {
        if (!isBelow(mistake.path())) {
            return;
        }
        int counter = mistake.counter();
        String what = counter < COUNTERS.size() ? COUNTERS.get(counter) : "counter " + counter;
        found(
                new Finding(
                        Finding.Kind.WRONG_TOTAL,
                        mistake.path(),
                        mistake.container(),
                        null,
                        0,
                        0,
                        mistake.path()
                                + " sums up "
                                + mistake.kept()
                                + " "
                                + what
                                + (counter == COUNTERS.size() - 1
                                        ? " of class " + mistake.storageClass()
                                        : "")
                                + ", but has "
                                + mistake.found()));
    }

    private boolean isBelow(String path) {
        return below == null || path.equals(below) || path.startsWith(below + "/");
    }

    private void found(@Nullable Finding finding) {
        if (finding == null) {
            return;
        }
        counts.merge(finding.kind(), 1L, Long::sum);
        if (findings.size() < AuditReport.MAX_FINDINGS) {
            findings.add(finding);
        }
    }
}
