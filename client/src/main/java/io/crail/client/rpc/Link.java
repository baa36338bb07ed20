// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.rpc;

import io.crail.client.engine.Engine;
import io.crail.client.hello.Greeting;
import io.crail.client.hello.SetupExchange;
import io.crail.client.spi.RpcChannel;
import io.crail.error.ClosedException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.error.SessionExpiredException;
import io.crail.error.TimeoutException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.SessionOpen;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection to the namenode, made again and again: connect, hello, open the session if there
 * is none, then everything unanswered is sent again with its old ids.
 *
 * <p>Steps run on the polling thread; state is guarded by the lock, which is never held while a
 * channel, the call table or a call is entered, except to give an attempt to the ready channel.
 * There is at most one channel that counts; what an older one still says is ignored.
 *
 * <p>Where the namenode is on this host, the connection over the network goes no further than the
 * hello: the link leaves it for the Unix socket that the answer tells of ({@link Shortcuts}) before
 * a session is opened or joined, so nothing ever has to be moved. If the socket fails before it is
 * ready, the network is next, at once.
 *
 * <p>Pauses between attempts grow from 10 ms to 1 s, with jitter, so that many clients do not meet
 * a restarted namenode all at once. The first attempt after a loss comes at once.
 */
final class Link implements RpcChannel.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(Link.class);
    private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long LONGEST_PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** What the namenode says of itself. */
    record Namenode(UUID cluster, int inlineLimit, int maxPage) {}

    private final Engine engine;
    private final SessionSettings settings;
    private final CallTable table;
    private final Session session;
    private final Routes routes;
    private final ReentrantLock lock = new ReentrantLock();
    private final int setupMillis;

    /** Guarded by the lock, as are those below. */
    private @Nullable RpcChannel channel;

    private boolean ready;
    private int failures;
    private boolean everReady;
    private volatile @Nullable CrailException closed;
    private volatile @Nullable CrailException lastFailure;
    private volatile Identity identity = Identity.NONE;
    private volatile long highestEpoch;
    private volatile Namenode namenode = new Namenode(new UUID(0, 0), 0, 0);

    Link(Engine engine, SessionSettings settings, CallTable table, Session session) {
        this.engine = engine;
        this.settings = settings;
        this.table = table;
        this.session = session;
        this.routes = new Routes(engine, settings);
        this.setupMillis = (int) TimeUnit.NANOSECONDS.toMillis(engine.connectTimeoutNanos());
    }

    Identity identity() {
        return identity;
    }

    Namenode namenode() {
        return namenode;
    }

    long highestEpoch() {
        return highestEpoch;
    }

    /** For the message of a timeout. */
    String describe() {
        CrailException failure = lastFailure;
        return "the namenode "
                + settings.namenodes()
                + (failure == null || ready ? "" : "; last attempt: " + failure.getMessage());
    }

    /** Makes a connection unless there is one. */
    void connect() {
        lock.lock();
        try {
            if (closed == null && channel == null) {
                channel = routes.open(this);
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void opened(RpcChannel opened) {
        Identity current = identity;
        Hello.Request hello =
                new Hello.Request(
                        ProtocolLimits.HELLO_MAGIC,
                        ProtocolLimits.MIN_VERSION,
                        ProtocolLimits.VERSION,
                        Hello.ROLE_CLIENT,
                        Hello.AUTHENTICATION_NONE,
                        0,
                        namenode.cluster(),
                        highestEpoch,
                        current.id(),
                        0,
                        current.token(),
                        0,
                        settings.clientName());
        Greeting.say(
                opened,
                settings.credentials(),
                Party.NAMENODE,
                hello,
                table::nextId,
                setupMillis,
                new Welcome(opened));
        engine.schedule(engine.connectTimeoutNanos(), () -> giveUpSetup(opened));
    }

    private final class Welcome implements Greeting.Outcome {
        private final RpcChannel opened;

        Welcome(RpcChannel opened) {
            this.opened = opened;
        }

        @Override
        public void greeted(Hello.Reply reply) throws CrailException {
            Link.this.greeted(opened, reply);
        }

        @Override
        public void refused(CrailException cause, boolean believable) {
            Link.this.refused(opened, cause, believable);
        }
    }

    private void giveUpSetup(RpcChannel opened) {
        if (opened == current() && !ready) {
            opened.close(
                    new TimeoutException(
                            "namenode " + opened.peer() + " did not answer the hello in time"));
        }
    }

    private @Nullable RpcChannel current() {
        lock.lock();
        try {
            return channel;
        } finally {
            lock.unlock();
        }
    }

    private void greeted(RpcChannel opened, Hello.Reply reply) throws CrailException {
        checkEpoch(opened.peer(), reply.epoch());
        UUID known = namenode.cluster();
        if (!known.equals(new UUID(0, 0)) && !known.equals(reply.cluster())) {
            throw new ProtocolException(
                    "namenode "
                            + opened.peer()
                            + " belongs to cluster "
                            + reply.cluster()
                            + ", this client to "
                            + known);
        }
        namenode = new Namenode(reply.cluster(), reply.inlineLimit(), reply.maxPage());
        table.maxUnacknowledged(
                Math.min(reply.maxUnacknowledged(), ProtocolLimits.MAX_UNACKNOWLEDGED));
        String target;
        LocalEndpoint told;
        lock.lock();
        try {
            if (opened != channel) {
                return;
            }
            target = routes.target();
            told = routes.isShort() ? LocalEndpoint.NONE : reply.local();
        } finally {
            lock.unlock();
        }
        routes.shortcuts().explore(target, told, () -> leave(opened), () -> stay(opened));
    }

    private void stay(RpcChannel opened) {
        if (identity.isOpen()) {
            becomeReady(opened);
        } else if (opened == current()) {
            openSession(opened);
        }
    }

    /** There is a shortcut, and nothing but a hello went over this channel. */
    private void leave(RpcChannel network) {
        lock.lock();
        try {
            if (network != channel || closed != null) {
                return;
            }
            channel = null;
        } finally {
            lock.unlock();
        }
        connect();
        network.close(new ClosedException("calls go over the Unix socket of the namenode"));
    }

    /** Refuses answers of a namenode that lives in the past; remembers the newest epoch. */
    void checkEpoch(String peer, long epoch) throws VersionMismatchException {
        if (epoch < highestEpoch) {
            throw new VersionMismatchException(
                    "namenode "
                            + peer
                            + " is of epoch "
                            + epoch
                            + ", but epoch "
                            + highestEpoch
                            + " has been seen: it is a stale one and must be stopped");
        }
        if (epoch > highestEpoch) {
            highestEpoch = epoch;
        }
    }

    private void openSession(RpcChannel opened) {
        SessionOpen.Request request =
                new SessionOpen.Request(
                        settings.clientName(),
                        0,
                        settings.user(),
                        settings.group(),
                        settings.locationClass(),
                        settings.timeoutMillis());
        opened.send(
                new SetupExchange(
                        table.nextId(),
                        request,
                        0,
                        setupMillis,
                        (control, epoch) -> {
                            SessionOpen.Reply reply = SessionOpen.Reply.decode(control);
                            identity =
                                    new Identity(
                                            identity.incarnation() + 1,
                                            reply.session(),
                                            reply.token(),
                                            reply.keepAliveMillis());
                            session.opened(identity);
                            becomeReady(opened);
                        },
                        refusal -> refused(opened, refusal, true)));
    }

    private void becomeReady(RpcChannel opened) {
        lock.lock();
        try {
            if (opened != channel) {
                return;
            }
            ready = true;
            if (everReady) {
                engine.counters().reconnects.increment();
            }
            everReady = true;
            failures = 0;
            lastFailure = null;
        } finally {
            lock.unlock();
        }
        for (Attempt attempt : table.inOrder()) {
            if (session.isWorthRepeating(attempt)) {
                send(attempt);
            }
        }
    }

    /** Sends an attempt if the connection is ready and has not got it yet. */
    void send(Attempt attempt) {
        RpcChannel usable;
        lock.lock();
        try {
            usable = channel;
            if (!ready || usable == null || attempt.channel() == usable) {
                return;
            }
            if (attempt.sends() > 0) {
                engine.counters().rpcRetries.increment();
            }
            attempt.givenTo(usable);
        } finally {
            lock.unlock();
        }
        usable.send(attempt);
    }

    /** Cuts an attempt off from its buffers; true if it may have reached the namenode. */
    boolean withdraw(Attempt attempt) {
        RpcChannel holder;
        lock.lock();
        try {
            holder = attempt.channel();
        } finally {
            lock.unlock();
        }
        boolean unsent = holder != null && holder.withdraw(attempt) == RpcChannel.Withdrawn.UNSENT;
        lock.lock();
        try {
            if (unsent) {
                attempt.givenBack();
            }
            return attempt.sends() > 0;
        } finally {
            lock.unlock();
        }
    }

    int sends(Attempt attempt) {
        lock.lock();
        try {
            return attempt.sends();
        } finally {
            lock.unlock();
        }
    }

    /**
     * @param believable whether the peer has proved that it is a namenode of the cluster: a
     *     stranger at its address must not be able to end the session
     */
    private void refused(RpcChannel opened, CrailException cause, boolean believable) {
        LOG.debug("Namenode {} refuses: {}", opened.peer(), cause.getMessage());
        boolean forgotten =
                believable
                        && (cause.code() == ErrorCode.SESSION_EXPIRED
                                || (cause.code() == ErrorCode.ACCESS_DENIED && identity.isOpen()));
        if (forgotten) {
            expired(opened);
            return;
        }
        boolean hopeless =
                cause.code() == ErrorCode.VERSION_MISMATCH
                        || cause.code() == ErrorCode.ACCESS_DENIED;
        if (hopeless && settings.namenodes().size() == 1 && !isShort(opened)) {
            session.failUnsent(cause);
        }
        opened.close(cause);
    }

    private boolean isShort(RpcChannel opened) {
        lock.lock();
        try {
            return opened == channel && routes.isShort();
        } finally {
            lock.unlock();
        }
    }

    /** The peer that answered this attempt is not the namenode it should be. */
    void distrust(Attempt attempt, CrailException cause) {
        RpcChannel told;
        lock.lock();
        try {
            told = attempt.channel();
        } finally {
            lock.unlock();
        }
        if (told != null) {
            told.close(cause);
        }
    }

    /** The namenode knows the session no more. Calls that hang on it fail; a new one is opened. */
    void expired(@Nullable RpcChannel told) {
        Identity old;
        lock.lock();
        try {
            if (told == null || told != channel || !identity.isOpen()) {
                return;
            }
            old = identity;
            identity = new Identity(old.incarnation(), 0, new byte[16], old.keepAliveMillis());
            ready = false;
        } finally {
            lock.unlock();
        }
        LOG.warn(
                "Session {} of client {} has expired at the namenode: its leases and open handles"
                        + " are lost. A new session is opened.",
                Long.toHexString(old.id()),
                settings.clientName());
        session.expired(old.incarnation());
        told.close(new SessionExpiredException("the session of the client expired"));
    }

    @Override
    public void closed(RpcChannel lost, CrailException cause) {
        long pause;
        lock.lock();
        try {
            if (lost != channel) {
                return;
            }
            channel = null;
            boolean wasReady = ready;
            ready = false;
            if (closed != null) {
                return;
            }
            lastFailure = cause;
            boolean wasAnswered = cause.code() == ErrorCode.SESSION_EXPIRED;
            pause = routes.lost(wasReady, wasAnswered) ? 0 : pause(failures++);
        } finally {
            lock.unlock();
        }
        LOG.debug("No connection to namenode {}: {}", lost.peer(), cause.getMessage());
        engine.schedule(pause, this::connect);
    }

    private long pause(int failuresSoFar) {
        long longest = Math.min(LONGEST_PAUSE, FIRST_PAUSE << Math.min(failuresSoFar, 10));
        return longest / 2 + settings.random().nextLong(longest / 2 + 1);
    }

    void close(CrailException cause) {
        RpcChannel current;
        lock.lock();
        try {
            closed = cause;
            ready = false;
            current = channel;
        } finally {
            lock.unlock();
        }
        if (current != null) {
            current.close(cause);
        }
    }

    /** Where calls go; empty while there is no connection. */
    String peer() {
        lock.lock();
        try {
            RpcChannel current = channel;
            return ready && current != null ? current.peer() : "";
        } finally {
            lock.unlock();
        }
    }

    boolean isReady() {
        lock.lock();
        try {
            return ready;
        } finally {
            lock.unlock();
        }
    }

    @Nullable CrailException closedWith() {
        return closed;
    }
}
