// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CorruptDataException;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.index.NameHash;
import io.crail.namenode.inline.InlineMemory;
import io.crail.namenode.log.Durability;
import io.crail.namenode.log.LogLoss;
import io.crail.namenode.log.LogRecovery;
import io.crail.namenode.log.LogVisitor;
import io.crail.namenode.log.MetadataDirectory;
import io.crail.namenode.log.SnapshotReader;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.Mutation;
import io.crail.namenode.state.SnapshotLoader;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.Attributes;
import io.crail.namenode.tree.Tree;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.frame.WireWriter;
import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds the state from the newest snapshot and the log behind it. */
public final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final int ROOT_MODE = 0755;

    private final MetadataDirectory directory;
    private final RandomGenerator random;
    private final long inlineMemory;

    /** What was found. */
    public record Result(State state, LogRecovery log, long snapshotSequence) {
        /** Whether records that may have been acknowledged were given up. */
        public boolean hasLostRecords() {
            LogRecovery.Cut cut = log.cut();
            return cut != null && cut.lostRecords() > 0;
        }
    }

    public Recovery(MetadataDirectory directory, RandomGenerator random, long inlineMemory) {
        this.directory = directory;
        this.random = random;
        this.inlineMemory = inlineMemory;
    }

    /**
     * Recovers. A corrupt log is refused unless the operator has accepted to cut it, or the host
     * has crashed since and the level was not {@code sync}: then it may end in a hole.
     *
     * @param bootId identity of the host's boot, "" = unknown
     */
    public Result recover(boolean cutAtCorruption, String bootId) throws IOException {
        State state = emptyState();
        return recover(
                state,
                (from, visitor) ->
                        directory.recoverLog(
                                from, () -> accepted(state, cutAtCorruption, bootId), visitor));
    }

    private static LogLoss accepted(State state, boolean cutAtCorruption, String bootId) {
        if (cutAtCorruption) {
            return LogLoss.ANY;
        }
        boolean booted = state.epoch() > 0 && !bootId.isEmpty() && !bootId.equals(state.bootId());
        return booted && state.durability() != Durability.SYNC ? LogLoss.LAST_FILE : LogLoss.NONE;
    }

    /** The state that snapshot and log hold now; changes no file. */
    public State reread() throws IOException {
        State state = emptyState();
        return recover(state, directory::replayLog).state();
    }

    /** One of the ways to read the log. */
    @FunctionalInterface
    private interface LogSource {
        LogRecovery replay(long from, LogVisitor visitor) throws IOException;
    }

    private Result recover(State state, LogSource source) throws IOException {
        long start = System.nanoTime();
        long from = LogLayout.FIRST_SEQUENCE;
        long snapshotSequence = 0;
        Optional<SnapshotReader> snapshot = directory.newestSnapshot();
        if (snapshot.isPresent()) {
            SnapshotLoader loader = new SnapshotLoader(state);
            snapshot.get().read(loader::record);
            loader.finish();
            snapshotSequence = snapshot.get().sequence();
            from = snapshotSequence + 1;
        }
        Replay replay = new Replay(state);
        LogRecovery log = source.replay(from, replay::record);
        state.inline().setLimit(inlineMemory);
        LOG.info(
                "recovered {} nodes from snapshot {} and {} log records in {} ms",
                state.tree().nodes(),
                snapshotSequence,
                log.records(),
                (System.nanoTime() - start) / 1_000_000);
        return new Result(state, log, snapshotSequence);
    }

    /**
     * Recovery needs what it needs: values lie otherwise in memory than before, and the limit may
     * have been lowered. Only new values are held to it.
     */
    State emptyState() {
        InlineMemory inline = new InlineMemory(Long.MAX_VALUE, "namenode.inline_memory");
        Attributes root = new Attributes(ROOT_MODE, 0, true, "crail", "crail", "");
        Tree tree = new Tree(NameHash.of(random), inline, root);
        return new State(tree, new BlockMap(random));
    }

    /** Applies log records; also restores the answers that clients may ask for again. */
    private static final class Replay {
        private final State state;
        private final WireWriter scratch = new WireWriter(4096, ProtocolLimits.MAX_CONTROL);

        Replay(State state) {
            this.state = state;
        }

        void record(long sequence, int type, long session, long requestId, WireReader body)
                throws IOException {
            long acknowledged = body.i64();
            Mutation mutation = Mutation.decode(type, body);
            Mutation.Origin origin = new Mutation.Origin(session, requestId);
            try {
                mutation.apply(state, origin);
                if (session != 0) {
                    restoreAnswer(mutation, origin, acknowledged);
                }
            } catch (RuntimeException e) {
                throw new CorruptDataException(
                        "log record "
                                + sequence
                                + " does not fit the state before it: "
                                + e.getMessage()
                                + "; please report this with the metadata directory",
                        e);
            }
        }

        private void restoreAnswer(Mutation mutation, Mutation.Origin origin, long acknowledged) {
            Session session = state.session(origin.session());
            if (session == null) {
                return;
            }
            state.sessions().acknowledge(session, acknowledged);
            scratch.rewindTo(0);
            mutation.reply(state, origin, scratch);
            byte[] control = new byte[scratch.position()];
            scratch.buffer().get(0, control);
            Session.Result result = new Session.Result(mutation.replyType(), control);
            state.sessions().remember(session, origin.requestId(), result);
        }
    }
}
