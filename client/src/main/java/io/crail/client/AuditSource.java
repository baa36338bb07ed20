// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client;

import io.crail.client.audit.ClusterAudit;
import io.crail.client.audit.Finding;
import io.crail.client.data.ServerQuestions;
import io.crail.client.engine.Engine;
import io.crail.client.engine.Strand;
import io.crail.error.CancelledException;
import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.ProtocolException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Repair;
import io.crail.protocol.message.Statistics;
import java.time.Duration;
import java.util.concurrent.CompletionException;

/** Asks namenode and storage servers what a check wants to know. Thread-safe. */
final class AuditSource implements ClusterAudit.Source, AutoCloseable {
    @FunctionalInterface
    private interface Decoder<T> {
        T decode(WireReader reader) throws ProtocolException;
    }

    private static final BlockId NO_BLOCK = new BlockId(0, 0, 0);

    private final ClientCore core;
    private final Caller caller;
    private final ServerQuestions questions;

    AuditSource(ClientCore core, Caller caller) {
        this.core = core;
        this.caller = caller;
        this.questions = core.questions();
    }

    @Override
    public Audit.Reply audit(Audit.Request request) throws CrailException {
        return ask("check the cluster", request, Audit.Reply::decode);
    }

    @Override
    public Statistics.Reply statistics() throws CrailException {
        return ask("read statistics", new Statistics.Request(), Statistics.Reply::decode);
    }

    @Override
    public AuditSegment.Reply segment(int server, AuditSegment.Request request)
            throws CrailException {
        return caller.call(
                "check storage server " + server,
                op ->
                        questions
                                .ask(op, server, request)
                                .thenApply(
                                        control -> {
                                            try {
                                                return AuditSegment.Reply.decode(
                                                        new WireReader(control));
                                            } catch (ProtocolException e) {
                                                throw new CompletionException(e);
                                            }
                                        }));
    }

    @Override
    public void pause(Duration time) throws CancelledException {
        Strand strand = core.engine().newStrand();
        strand.enter();
        try {
            if (caller.await(strand, () -> false, time.toNanos()) == Engine.Outcome.INTERRUPTED) {
                throw new CancelledException("the check was interrupted");
            }
        } finally {
            strand.exit();
        }
    }

    @Override
    public void close() {
        questions.close();
    }

    boolean repair(Finding finding) throws CrailException {
        BlockId block = finding.block();
        Repair.Request request =
                new Repair.Request(
                        step(finding.kind()),
                        finding.node(),
                        block == null ? NO_BLOCK : block,
                        finding.length(),
                        finding.generation());
        try {
            // The namenode looks at some nodes in each turn; other repairs need one.
            while (ask("repair: " + finding.text(), request, Repair.Reply::decode).more()) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new CancelledException("the repair was interrupted");
                }
            }
            return true;
        } catch (ConditionFailedException | NoSuchNodeException e) {
            return false;
        }
    }

    private static int step(Finding.Kind kind) throws InvalidArgumentException {
        return switch (kind) {
            case ORPHAN_BLOCK -> Repair.ORPHAN;
            case LOST_EXTENT -> Repair.LOST;
            case WRONG_TOTAL -> Repair.TOTALS;
            case WRONG_GENERATION, STUCK_BLOCK -> Repair.REPORT;
            case WRONG_SEGMENT, STRAY_PIN ->
                    throw new InvalidArgumentException(
                            "there is no repair for a "
                                    + kind.label()
                                    + ": its text says what to do");
            case SHARED_BLOCK, WRONG_STATE, WRONG_COUNTER ->
                    throw new InvalidArgumentException(
                            "there is no repair for a "
                                    + kind.label()
                                    + ": which of the two is right cannot be known");
        };
    }

    private <T> T ask(String what, Message request, Decoder<T> decoder) throws CrailException {
        return caller.call(
                what,
                op ->
                        core.session()
                                .call(op, request)
                                .thenApply(
                                        reply -> {
                                            try {
                                                return decoder.decode(reply.control());
                                            } catch (ProtocolException e) {
                                                throw new CompletionException(e);
                                            }
                                        }));
    }
}
