// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.error.CrailException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.Statistics;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * What a check says of a namenode whose answers disagree with each other, as only a damaged one's
 * do: of one server, which is dead, so that only the namenode is asked.
 */
final class ClusterAuditTest {
    private static final int SERVER = 7;
    private static final int LENGTH = 4096;
    private static final long GENERATION = 1L << 32;
    private static final long[] NONE = {};
    private static final long[] COUNTED = {100, 20, 30, 0, 0, 0};

    private final Namenode namenode = new Namenode();

    /** Answers each part of the audit by the pages it was given, then by the last of them. */
    private static final class Namenode implements ClusterAudit.Source {
        private final Map<Integer, Deque<Audit.Reply>> pages = new HashMap<>();
        private final List<Audit.Request> asked = new ArrayList<>();

        void page(int part, List<Audit.Claim> claims, long[] kept, long[] found) {
            pages.computeIfAbsent(part, key -> new ArrayDeque<>())
                    .add(
                            new Audit.Reply(
                                    true,
                                    Audit.Position.START,
                                    claims.size(),
                                    claims,
                                    List.of(),
                                    List.of(),
                                    kept,
                                    found,
                                    0));
        }

        @Override
        public Audit.Reply audit(Audit.Request request) {
            asked.add(request);
            Deque<Audit.Reply> left = pages.getOrDefault(request.part(), new ArrayDeque<>());
            if (left.isEmpty()) {
                page(request.part(), List.of(), NONE, NONE);
                left = pages.getOrDefault(request.part(), left);
            }
            return left.size() == 1 ? left.element() : left.remove();
        }

        @Override
        public Statistics.Reply statistics() {
            return new Statistics.Reply(
                    1,
                    1,
                    1,
                    1,
                    1,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    false,
                    List.of(),
                    List.of(
                            new Statistics.ServerCapacity(
                                    SERVER,
                                    ServerState.DEAD.wire(),
                                    "host",
                                    0,
                                    150,
                                    100,
                                    0,
                                    0,
                                    20,
                                    30,
                                    0,
                                    0,
                                    0,
                                    "crail 1",
                                    "")),
                    new UUID(1, 2),
                    1,
                    0,
                    0,
                    "crail 1",
                    "",
                    0);
        }

        @Override
        public AuditSegment.Reply segment(int server, AuditSegment.Request request) {
            throw new AssertionError("a dead server is not asked");
        }

        @Override
        public void pause(Duration time) {
            throw new AssertionError("there is nothing to wait for");
        }
    }

    private static Audit.Claim claim(long owner, long offset, int record, int state) {
        return new Audit.Claim(owner, offset, GENERATION, 0, record, LENGTH, state);
    }

    private AuditReport check() throws CrailException {
        return new ClusterAudit(namenode, null, looks -> {}).run();
    }

    private void blocks(Audit.Claim... blocks) {
        namenode.page(Audit.BLOCKS, List.of(blocks), COUNTED, COUNTED);
    }

    @Test
    void aBlockOfTwoNodesIsShared() throws CrailException {
        blocks(claim(0, 0, 4, Audit.COMMITTED));
        namenode.page(
                Audit.NODES,
                List.of(claim(11, 0, 4, Audit.COMMITTED), claim(12, 8192, 4, Audit.COMMITTED)),
                NONE,
                NONE);
        AuditReport report = check();
        assertThat(report.counts()).containsExactly(Map.entry(Finding.Kind.SHARED_BLOCK, 1L));
        Finding shared = report.findings().get(0);
        assertThat(shared.block()).isEqualTo(new BlockId(SERVER, 0, 4));
        assertThat(shared.text()).contains("nodes 11 (at offset 0) and 12 (at offset 8192)");
        assertThat(report.isClean()).isFalse();
    }

    @Test
    void aBlockGrantedToTwoSessionsIsSharedEvenIfItWasNotSeenBefore() throws CrailException {
        blocks();
        namenode.page(
                Audit.GRANTS,
                List.of(claim(1, 0, 4, Audit.GRANTED), claim(2, 0, 4, Audit.GRANTED)),
                NONE,
                NONE);
        AuditReport report = check();
        assertThat(report.counts()).containsExactly(Map.entry(Finding.Kind.SHARED_BLOCK, 1L));
        assertThat(report.findings().get(0).text()).contains("sessions 1").contains("and 2");
    }

    @Test
    void aClaimThatIsShownTwiceAndAGrantThatIsCommittedMeanwhileAreNoFindings()
            throws CrailException {
        blocks(claim(0, 0, 4, Audit.GRANTED), claim(0, 0, 5, Audit.COMMITTED));
        namenode.page(
                Audit.NODES,
                List.of(
                        claim(11, 0, 5, Audit.COMMITTED),
                        claim(11, 0, 5, Audit.COMMITTED),
                        claim(12, 0, 4, Audit.COMMITTED)),
                NONE,
                NONE);
        namenode.page(Audit.GRANTS, List.of(claim(1, 0, 4, Audit.GRANTED)), NONE, NONE);
        assertThat(check().isClean()).isTrue();
    }

    @Test
    void aBlockThatPassesToAnotherFileDuringAWalkIsNoFinding() throws CrailException {
        Audit.Claim before = claim(11, 0, 4, Audit.COMMITTED);
        Audit.Claim after = claim(12, 8192, 4, Audit.COMMITTED);
        Audit.Claim missed = claim(12, 0, 5, Audit.COMMITTED);
        blocks(claim(0, 0, 4, Audit.COMMITTED), claim(0, 0, 5, Audit.COMMITTED));
        namenode.page(Audit.NODES, List.of(before, after), NONE, NONE);
        namenode.page(Audit.NODES, List.of(missed, after), NONE, NONE);
        assertThat(check().isClean()).isTrue();
    }

    @Test
    void aBlockThatNobodyHasInAnyWalkIsAnOrphan() throws CrailException {
        blocks(claim(0, 0, 4, Audit.COMMITTED));
        AuditReport report = check();
        assertThat(report.counts()).containsExactly(Map.entry(Finding.Kind.ORPHAN_BLOCK, 1L));
        assertThat(namenode.asked).filteredOn(request -> request.part() == Audit.NODES).hasSize(4);
    }

    @Test
    void aCounterThatDiffersFromTheCountIsWrong() throws CrailException {
        long[] kept = COUNTED.clone();
        kept[1] += LENGTH;
        namenode.page(Audit.BLOCKS, List.of(), kept, COUNTED);
        AuditReport report = check();
        assertThat(report.counts()).containsExactly(Map.entry(Finding.Kind.WRONG_COUNTER, 1L));
        assertThat(report.findings().get(0).text())
                .isEqualTo("storage server 7 counts " + kept[1] + " bytes as granted, but has 20");
    }

    @Test
    void aCountThatWasDisturbedIsRepeated() throws CrailException {
        namenode.page(Audit.BLOCKS, List.of(), COUNTED, NONE);
        namenode.page(Audit.BLOCKS, List.of(), COUNTED, COUNTED);
        assertThat(check().isClean()).isTrue();
        assertThat(namenode.asked).filteredOn(request -> request.part() == Audit.BLOCKS).hasSize(2);
    }

    @Test
    void aCountThatIsAlwaysDisturbedIsToldAsUnchecked() throws CrailException {
        AuditReport report = check();
        assertThat(report.counts()).isEmpty();
        assertThat(report.unchecked())
                .singleElement()
                .asString()
                .contains("counters of storage server 7")
                .contains("run the check again");
        assertThat(report.isClean()).isFalse();
    }
}
