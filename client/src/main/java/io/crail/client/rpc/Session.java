// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.client.engine.Engine;
import io.crail.client.engine.Operation;
import io.crail.client.engine.Outcomes;
import io.crail.client.engine.Strand;
import io.crail.client.hello.SetupExchange;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.error.SessionExpiredException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.SessionClose;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The client's session at the namenode, and the calls made in it.
 *
 * <p>A call is answered exactly once, on the strand of its operation. What can be repeated without
 * harm is repeated here, within the operation's deadline: after a broken connection (same id, so a
 * mutation takes effect once), after {@code BUSY}, and after the session expired if it is certain
 * that the call did not take effect and nothing of the old session is involved.
 *
 * <p>Thread-safe. {@link #answered} comes from the polling thread; it only sorts, and leaves
 * decoding to the strand.
 */
public final class Session {
    private static final Logger LOG = LoggerFactory.getLogger(Session.class);
    private static final long BUSY_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long LONGEST_BUSY_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final Engine engine;
    private final SessionSettings settings;
    private final CallTable table = new CallTable();
    private final Link link;
    private final Leftovers leftovers;
    private volatile long serverTableVersion;

    /** A keep-alive is under way; of a client without threads only. */
    private boolean keepsAlive;

    public Session(Engine engine, SessionSettings settings) {
        this.engine = engine;
        this.settings = settings;
        this.link = new Link(engine, settings, table, this);
        this.leftovers = new Leftovers(this);
    }

    /** Begins to connect. */
    public void start() {
        link.connect();
        engine.housekeeper().every(Identity.NONE.keepAliveMillis(), this::keepAlive);
    }

    /** A call that depends on no handle. */
    public CompletableFuture<Reply> call(Operation operation, Message message) {
        return call(operation, message, null, Call.ANY_SESSION);
    }

    /**
     * Makes a call.
     *
     * @param payload on the heap, not changed any more; or null
     * @param boundTo incarnation of the session whose handle or grants are named, 0 = none
     */
    public CompletableFuture<Reply> call(
            Operation operation, Message message, @Nullable ByteBuffer payload, int boundTo) {
        return begin(
                new Call(this, operation, message, message.type().isMutation(), payload, boundTo));
    }

    /**
     * As {@link #call(Operation, Message, ByteBuffer, int)}, but the answer {@code BUSY} is told at
     * once: nothing took place, and the caller may have something better to do than to wait.
     */
    public CompletableFuture<Reply> callOnce(Operation operation, Message message, int boundTo) {
        boolean mutation = message.type().isMutation();
        return begin(new Call(this, operation, message, mutation, null, boundTo).impatient());
    }

    private CompletableFuture<Reply> begin(Call call) {
        call.operation().waitingFor(link::describe);
        call.operation().add(call);
        submit(call);
        return call.future();
    }

    private void submit(Call call) {
        CrailException closed = link.closedWith();
        if (closed != null) {
            call.fail(closed);
            return;
        }
        Identity identity = link.identity();
        if (call.boundTo() != Call.ANY_SESSION
                && (!identity.isOpen() || call.boundTo() != identity.incarnation())) {
            call.fail(lostWithSession(call));
            return;
        }
        Attempt attempt = table.admit(call, this);
        if (attempt == null) {
            return;
        }
        call.attempt(attempt);
        if (call.isCancelled()) {
            abandoned(call, attempt);
            return;
        }
        link.send(attempt);
        if (link.closedWith() != null) {
            failAll();
        }
    }

    private static SessionExpiredException lostWithSession(Call call) {
        return new SessionExpiredException(
                call.operation().what()
                        + ": the session expired at the namenode and with it what was open; open"
                        + " it again");
    }

    /** The answer to an attempt; on the polling thread. */
    void answered(Attempt attempt, int status, long epoch, byte[] control) {
        try {
            link.checkEpoch("of this session", epoch);
        } catch (VersionMismatchException e) {
            LOG.warn("An answer was dropped: {}", e.getMessage());
            link.distrust(attempt, e);
            return;
        }
        int sends = link.sends(attempt);
        int incarnation = link.identity().incarnation();
        if (!table.remove(attempt)) {
            return;
        }
        admitWaiting();
        engine.counters().rpcCalls.increment();
        Call call = attempt.call();
        if (status == 0) {
            Reply reply =
                    new Reply(
                            new WireReader(control),
                            attempt.received(),
                            attempt.requestId(),
                            incarnation);
            if (call.isCancelled()) {
                leftovers.giveBack(call.message(), reply);
            } else {
                call.succeed(reply);
            }
            return;
        }
        CrailException error = error(status, control);
        if (error.code() == ErrorCode.SESSION_EXPIRED) {
            boolean unharmed = call.boundTo() == Call.ANY_SESSION && sends <= 1;
            link.expired(attempt.channel());
            again(call, unharmed || !call.isMutation(), 0, error);
        } else {
            boolean patient = error.code() == ErrorCode.BUSY && !call.isImpatient();
            again(call, patient, busyPause(call), error);
        }
    }

    /** What the namenode said, in its own words: it knows what failed, on which path, and why. */
    private static CrailException error(int status, byte[] control) {
        try {
            return SetupExchange.refusal(status, new WireReader(control));
        } catch (CrailException e) {
            return e;
        }
    }

    private void again(Call call, boolean worthwhile, long pause, CrailException error) {
        if (call.isCancelled()) {
            return;
        }
        if (!worthwhile || pause >= call.operation().remainingNanos()) {
            call.fail(error);
            return;
        }
        engine.counters().rpcRetries.increment();
        if (pause == 0) {
            submit(call);
        } else {
            engine.schedule(pause, () -> submitUnlessCancelled(call));
        }
    }

    private void submitUnlessCancelled(Call call) {
        if (!call.isCancelled()) {
            submit(call);
        }
    }

    private long busyPause(Call call) {
        long longest = Math.min(LONGEST_BUSY_PAUSE, BUSY_PAUSE << Math.min(call.countBusy(), 10));
        return longest / 2 + settings.random().nextLong(longest / 2 + 1);
    }

    private void admitWaiting() {
        for (Call next = table.nextWaiting(); next != null; next = table.nextWaiting()) {
            submitUnlessCancelled(next);
        }
    }

    /** Nobody waits for the call any more. */
    void abandoned(Call call, @Nullable Attempt attempt) {
        table.removeWaiting(call);
        if (attempt == null) {
            return;
        }
        boolean sent = link.withdraw(attempt);
        if (!sent || !call.isMutation()) {
            if (table.remove(attempt) && !sent && call.boundTo() == incarnation()) {
                leftovers.neverSent(call.message());
            }
            admitWaiting();
        }
    }

    /**
     * Whether an attempt should be sent again after a reconnect. What nobody waits for any more is
     * not, lest it take effect long after its caller gave up; except if that is how to learn what
     * must be given back.
     */
    boolean isWorthRepeating(Attempt attempt) {
        if (!attempt.call().isCancelled() || Leftovers.concerns(attempt.call().message())) {
            return true;
        }
        table.remove(attempt);
        admitWaiting();
        return false;
    }

    /** A session was opened; on the polling thread. */
    void opened(Identity identity) {
        engine.counters().sessions.increment();
        engine.housekeeper().every(identity.keepAliveMillis(), this::keepAlive);
    }

    /** The session is gone; on the polling thread. */
    void expired(int incarnation) {
        leftovers.forget();
        for (Attempt attempt : table.inOrder()) {
            Call call = attempt.call();
            boolean lost = call.boundTo() == incarnation;
            boolean unknown = call.isMutation() && link.sends(attempt) > 0;
            if ((lost || unknown) && table.remove(attempt) && !call.isCancelled()) {
                call.fail(
                        lost
                                ? lostWithSession(call)
                                : new SessionExpiredException(
                                        call.operation().what()
                                                + ": the session expired before the answer came;"
                                                + " whether it took place is unknown"));
            }
        }
    }

    /** No connection will come: calls that were never sent need not wait for their deadline. */
    void failUnsent(CrailException cause) {
        for (Attempt attempt : table.inOrder()) {
            if (link.sends(attempt) == 0 && table.remove(attempt)) {
                attempt.call().fail(cause);
            }
        }
    }

    private void failAll() {
        CrailException cause = link.closedWith();
        if (cause == null) {
            return;
        }
        for (Attempt attempt : table.inOrder()) {
            if (table.remove(attempt) && !attempt.call().isCancelled()) {
                attempt.call().fail(cause);
            }
        }
        table.drainWaiting().forEach(call -> call.fail(cause));
    }

    /**
     * A handle for reading is no longer needed. Rides on the next keep-alive, which comes soon
     * then: the blocks of a removed file are held until its last handle is closed.
     */
    public void closeHandle(long handle, int incarnation) {
        if (incarnation == incarnation()) {
            leftovers.closeHandle(handle);
            engine.housekeeper().hurry(leftovers.isMuch());
        }
    }

    /** Granted blocks will not be used. They ride on the next keep-alive, which comes soon then. */
    public void returnBlocks(List<BlockId> blocks, int incarnation) {
        if (incarnation == incarnation() && !blocks.isEmpty()) {
            leftovers.returnBlocks(blocks);
            engine.housekeeper().hurry(leftovers.isMuch());
        }
    }

    /** Gives granted blocks back at once: completes when they are no longer this session's. */
    public CompletableFuture<Reply> returnNow(
            Operation operation, List<BlockId> blocks, int incarnation) {
        KeepAlive.Request message = new KeepAlive.Request(new long[0], blocks);
        return begin(new Call(this, operation, message, true, null, incarnation));
    }

    /** On the housekeeper's thread, which waits; a client without threads goes on meanwhile. */
    private void keepAlive() {
        if (link.closedWith() != null || keepsAlive) {
            return;
        }
        int interval = link.identity().keepAliveMillis();
        int incarnation = incarnation();
        KeepAlive.Request request = leftovers.next();
        boolean mutation = Leftovers.givesBack(request);
        Strand strand = engine.newStrand();
        Operation operation =
                engine.newOperation(
                        strand, "keep-alive", TimeUnit.MILLISECONDS.toNanos(2L * interval));
        strand.enter();
        try {
            Call call =
                    new Call(
                                    this,
                                    operation,
                                    request,
                                    mutation,
                                    null,
                                    mutation ? incarnation : Call.ANY_SESSION)
                            .urgent();
            operation.waitingFor(link::describe);
            operation.add(call);
            submit(call);
            if (engine.hasThreads()) {
                keptAlive(operation.join(call.future(), true));
            } else {
                keepAliveMeanwhile(operation, call);
            }
        } catch (CrailException e) {
            LOG.debug("Keep-alive failed: {}", e.getMessage());
        } finally {
            strand.exit();
        }
    }

    private void keepAliveMeanwhile(Operation operation, Call call) {
        keepsAlive = true;
        engine.watch(operation);
        Outcomes.whenDone(
                call.future(),
                (reply, cause) -> {
                    keepsAlive = false;
                    engine.unwatch(operation);
                    try {
                        if (reply != null) {
                            keptAlive(reply);
                        }
                    } catch (ProtocolException e) {
                        LOG.debug("Keep-alive failed: {}", e.getMessage());
                    }
                });
    }

    private void keptAlive(Reply reply) throws ProtocolException {
        serverTableVersion = KeepAlive.Reply.decode(reply.control()).serverTableVersion();
        if (!leftovers.isEmpty()) {
            engine.housekeeper().hurry(leftovers.isMuch());
        }
    }

    /** Calls a mutation that nobody waits for. */
    void callAndForget(Message message, int boundTo) {
        Operation operation =
                engine.newOperation(engine.newStrand(), "give back", settings.callTimeoutNanos());
        Call call = new Call(this, operation, message, true, null, boundTo).urgent();
        submit(call);
    }

    long id() {
        return link.identity().id();
    }

    long acknowledged() {
        return table.acknowledged();
    }

    /** Id of the session; what is sealed for it is good while this is the same. */
    public long sessionId() {
        return link.identity().id();
    }

    /** Counts the sessions of this client. */
    public int incarnation() {
        return link.identity().incarnation();
    }

    /** Version of the server table as of the last keep-alive. */
    public long serverTableVersion() {
        return serverTableVersion;
    }

    /** Largest value that the namenode takes inline. */
    public int inlineLimit() {
        return link.namenode().inlineLimit();
    }

    /** Largest page of the namenode. */
    public int maxPage() {
        return Math.max(1, link.namenode().maxPage());
    }

    /** Where calls go at present; empty while there is no connection. */
    public String peer() {
        return link.peer();
    }

    public UUID cluster() {
        return link.namenode().cluster();
    }

    public long epoch() {
        return link.highestEpoch();
    }

    /** Ends the session, waiting for the namenode for a short time only; calls fail. */
    public void close() {
        ClosedException cause = new ClosedException("the client is closed");
        if (link.identity().isOpen() && link.isReady()) {
            Strand strand = engine.newStrand();
            Operation operation = engine.newOperation(strand, "close session", CLOSE_NANOS);
            strand.enter();
            try {
                operation.join(call(operation, new SessionClose.Request()), false);
            } catch (CrailException e) {
                LOG.debug("The namenode was not told of the end of the session.", e);
            } finally {
                strand.exit();
            }
        }
        link.close(cause);
        failAll();
    }
}
