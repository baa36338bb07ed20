// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.ReadOnlyException;
import io.crail.namenode.log.LogWriter;
import io.crail.namenode.rpc.Connection;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.Mutation;
import io.crail.namenode.state.PassTime;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.Lifetimes;
import io.crail.namenode.tree.Node;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import java.time.Clock;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the handlers of requests share: state, log, clock. And the one way in which state changes:
 * {@link #commit}.
 *
 * <p>State and log are replaced together when the log has failed: handlers ask for them anew in
 * every request.
 */
final class Core {
    private static final byte[] NO_BYTES = {};

    /** A tick that comes later than this was held up by a pause, not by work. */
    static final long PAUSE_NANOS = 1_000_000_000L;

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long CLOCK_STEP_MILLIS = 50;
    private static final long CLOCK_STEP_NANOS = CLOCK_STEP_MILLIS * NANOS_PER_MILLI;

    /** So much is granted to a session even if others use up the memory for answers. */
    private static final int ALWAYS_UNACKNOWLEDGED = 8;

    private final EngineConfig config;
    private final UUID cluster;
    private final Clock clock;
    private final LongSupplier nanoTime;
    private final LongSupplier workNanos;
    private State state;
    private LogWriter log;
    private @Nullable ReadOnlyException readOnly;
    private final long startNanos;
    private long nowNanos;
    private long livedNanos;

    Core(
            EngineConfig config,
            UUID cluster,
            Clock clock,
            LongSupplier nanoTime,
            LongSupplier workNanos,
            State state,
            LogWriter log) {
        this.config = config;
        this.cluster = cluster;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.workNanos = workNanos;
        this.state = state;
        this.log = log;
        this.nowNanos = nanoTime.getAsLong();
        this.startNanos = nowNanos;
        state.tree().useClock().advance(1);
    }

    EngineConfig config() {
        return config;
    }

    UUID cluster() {
        return cluster;
    }

    State state() {
        return state;
    }

    LogWriter log() {
        return log;
    }

    /** From now on the state is another one, and no mutation is accepted. */
    void becomeReadOnly(State recovered, ReadOnlyException cause) {
        state = recovered;
        readOnly = cause;
    }

    boolean isReadOnly() {
        return readOnly != null;
    }

    void checkWritable() throws ReadOnlyException {
        if (readOnly != null) {
            throw new ReadOnlyException(String.valueOf(readOnly.getMessage()), readOnly);
        }
    }

    long epoch() {
        return state.epoch();
    }

    /** Wall clock for times that users see. */
    long millis() {
        return clock.millis();
    }

    /** Monotonic time as of the current batch. */
    long nanos() {
        return nowNanos;
    }

    /** Somebody begins to read the bytes of a node. */
    void read(Node node) {
        state.tree().useClock().read(node, config.tiers().promoteReads());
    }

    /** The bytes of a node are used in the course of something else. */
    void used(Node node) {
        state.tree().useClock().used(node);
    }

    /** Monotonic time as of now, by which long work is cut into slices. */
    long workNanos() {
        return workNanos.getAsLong();
    }

    /**
     * Lets time pass. Lifetimes go on in steps, so that a busy namenode does not log the time with
     * every mutation; and not while the namenode itself stood still.
     *
     * @return nanoseconds since the last call
     */
    long tickNanos() {
        long before = nowNanos;
        nowNanos = nanoTime.getAsLong();
        long passed = nowNanos - before;
        state.tree().useClock().advance(1 + (nowNanos - startNanos) / NANOS_PER_SECOND);
        if (passed <= PAUSE_NANOS) {
            livedNanos += passed;
            state.tree().lifetimes().pass(livedNanos / CLOCK_STEP_NANOS * CLOCK_STEP_MILLIS);
            livedNanos %= CLOCK_STEP_NANOS;
        }
        return passed;
    }

    /**
     * The clock of lifetimes, brought up to this very moment: a time to live that were counted from
     * the last step, or from the last tick, would end before it is over.
     */
    long lifetimeMillis() {
        long passed = nanoTime.getAsLong() - nowNanos;
        long lived = livedNanos + (passed <= PAUSE_NANOS ? passed : 0);
        // Rounded up; the next ticks have so much less to add.
        long millis = Math.max(0, -Math.floorDiv(-lived, NANOS_PER_MILLI));
        livedNanos -= millis * NANOS_PER_MILLI;
        state.tree().lifetimes().pass(millis);
        return state.tree().lifetimes().now();
    }

    /**
     * Answers a mutation that was executed before from the session's memory.
     *
     * @return whether it was; if not, the request is new and may be executed
     */
    boolean answeredBefore(Request request) throws CrailException {
        Session session = request.session();
        Session.Result known = session.result(request.id());
        if (known != null) {
            if (known.type() != request.type()) {
                throw new ProtocolException(
                        "request " + request.id() + " was of another type before");
            }
            request.beginReply().raw(known.control());
            request.connection().endReply(0, epoch());
            return true;
        }
        if (request.id() <= session.acknowledged()) {
            throw new ProtocolException(
                    "request "
                            + request.id()
                            + " was acknowledged already (up to "
                            + session.acknowledged()
                            + "): an old duplicate");
        }
        checkWritable();
        checkUnacknowledged(session);
        return false;
    }

    /** One session may keep so many answers; all together may take so much memory. */
    private void checkUnacknowledged(Session session) throws BusyException {
        long bytes = state.sessions().resultBytes();
        if (session.unacknowledged() >= ProtocolLimits.MAX_UNACKNOWLEDGED
                || (bytes > config.maxResultBytes()
                        && session.unacknowledged() >= ALWAYS_UNACKNOWLEDGED)) {
            throw new BusyException(
                    "session "
                            + session.id()
                            + " has "
                            + session.unacknowledged()
                            + " unacknowledged mutations, and those of all sessions take "
                            + bytes
                            + " bytes; acknowledge some first");
        }
    }

    /** Applies and logs a mutation a client asked for, answers it and remembers the answer. */
    void commit(Request request, Mutation mutation) throws ReadOnlyException {
        Session session = request.session();
        Mutation.Origin origin = new Mutation.Origin(session.id(), request.id());
        record(mutation, origin, session.acknowledged());
        WireWriter reply = request.beginReply();
        int start = reply.position();
        mutation.reply(state, origin, reply);
        remember(session, request.id(), mutation, reply, start);
        request.connection().endReply(0, epoch());
    }

    private void remember(
            Session session, long id, Mutation mutation, WireWriter reply, int start) {
        int length = reply.position() - start;
        byte[] control = length == 0 ? NO_BYTES : new byte[length];
        reply.buffer().get(start, control);
        state.sessions().remember(session, id, new Session.Result(mutation.replyType(), control));
    }

    /** Applies and logs a mutation that the namenode itself wants. */
    void commit(Mutation mutation) throws ReadOnlyException {
        record(mutation, Mutation.Origin.NAMENODE, 0);
    }

    private void record(Mutation mutation, Mutation.Origin origin, long acknowledged)
            throws ReadOnlyException {
        checkWritable();
        Lifetimes lifetimes = state.tree().lifetimes();
        if (lifetimes.isUnrecorded()) {
            // What is answered below may say how long a node has to live: a replay must, too.
            append(new PassTime(lifetimes.now()), Mutation.Origin.NAMENODE, 0);
        }
        append(mutation, origin, acknowledged);
    }

    private void append(Mutation mutation, Mutation.Origin origin, long acknowledged)
            throws ReadOnlyException {
        WireWriter record = log.begin(mutation.code(), origin.session(), origin.requestId());
        record.i64(acknowledged);
        mutation.encode(record);
        try {
            mutation.apply(state, origin);
        } catch (RuntimeException e) {
            // The state is in doubt and the log is not: stop, and recover from the log.
            log.abandon();
            throw new AssertionError("applying " + mutation + " failed", e);
        }
        log.end();
    }

    /** Answers a request that changed nothing and has no fields to answer. */
    void replyEmpty(Request request) {
        request.beginReply();
        request.connection().endReply(0, epoch());
    }

    void endReply(Connection connection) {
        connection.endReply(0, epoch());
    }
}
