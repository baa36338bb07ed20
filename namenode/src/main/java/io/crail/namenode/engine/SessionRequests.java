// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.AccessDeniedException;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ProtocolException;
import io.crail.error.SessionExpiredException;
import io.crail.error.VersionMismatchException;
import io.crail.namenode.rpc.Connection;
import io.crail.namenode.session.Session;
import io.crail.namenode.session.SessionIdentity;
import io.crail.namenode.state.EndSession;
import io.crail.namenode.state.OpenSession;
import io.crail.namenode.state.ReleaseHeld;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.protocol.message.Authenticate;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.SessionOpen;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.UUID;

/** Hello, sessions, keep-alives. */
final class SessionRequests {
    private static final int MAX_SESSIONS = 65_536;
    private static final int MIN_TIMEOUT_MILLIS = 1_000;
    private static final int MAX_TIMEOUT_MILLIS = 24 * 3600 * 1000;

    /** A third, so that two keep-alives may be lost before a lease can be taken over. */
    private static final int KEEP_ALIVES_PER_LEASE = 3;

    private final Core core;
    private final SecureRandom random;
    private final Gatekeeper gate;
    private final String software;

    SessionRequests(Core core, SecureRandom random, Gatekeeper gate, String software) {
        this.core = core;
        this.random = random;
        this.gate = gate;
        this.software = software;
    }

    /**
     * The first request of every connection. Where the gate is closed, nothing of the state is
     * looked at for a caller that has not proved that it knows the secret.
     */
    void hello(Request request) throws CrailException {
        WireReader reader = request.control();
        byte[] control = reader.raw(reader.remaining());
        Hello.Request wanted = Hello.Request.decode(new WireReader(control));
        checkSpeech(wanted);
        Connection connection = request.connection();
        if (gate.isClosed()) {
            Gatekeeper.Challenge challenge =
                    gate.challenge(control, wanted, reply(connection, wanted));
            connection.attach(challenge);
            challenge.reply().encode(request.beginReply());
        } else {
            admit(connection, wanted);
            reply(connection, wanted).encode(request.beginReply());
        }
        core.endReply(connection);
    }

    /** The second request of a connection that was challenged. */
    void authenticate(Request request, Gatekeeper.Challenge challenge) throws CrailException {
        challenge.check(Authenticate.Request.decode(request.control()));
        admit(request.connection(), challenge.hello());
        core.replyEmpty(request);
    }

    private static void checkSpeech(Hello.Request wanted) throws CrailException {
        if (wanted.magic() != ProtocolLimits.HELLO_MAGIC) {
            throw new ProtocolException("this is not the hello of a crail peer");
        }
        if (wanted.minVersion() > ProtocolLimits.VERSION
                || wanted.maxVersion() < ProtocolLimits.MIN_VERSION) {
            throw new VersionMismatchException(
                    "the peer speaks protocol versions "
                            + wanted.minVersion()
                            + ".."
                            + wanted.maxVersion()
                            + ", this namenode "
                            + ProtocolLimits.MIN_VERSION
                            + ".."
                            + ProtocolLimits.VERSION
                            + "; upgrade the older one");
        }
        Party unused = Party.ofRole(wanted.role());
    }

    private void admit(Connection connection, Hello.Request wanted) throws CrailException {
        checkCluster(wanted);
        if (wanted.session() != 0) {
            Session session = session(wanted.session());
            if (!session.hasToken(wanted.token())) {
                throw new AccessDeniedException("wrong token for session " + wanted.session());
            }
            session.heard(core.nanos());
        }
        connection.attach(new Peer(wanted.role(), wanted.name(), wanted.session()));
        connection.established(ProtocolLimits.MAX_FRAME);
    }

    private Hello.Reply reply(Connection connection, Hello.Request wanted) {
        return new Hello.Reply(
                Math.min(wanted.maxVersion(), ProtocolLimits.VERSION),
                Hello.AUTHENTICATION_NONE,
                0,
                core.cluster(),
                core.epoch(),
                ProtocolLimits.MAX_FRAME,
                ProtocolLimits.MAX_UNACKNOWLEDGED,
                core.config().inlineLimit(),
                ProtocolLimits.MAX_PAGE,
                software,
                new byte[0],
                wanted.role() == Hello.ROLE_CLIENT ? connection.local() : LocalEndpoint.NONE);
    }

    private void checkCluster(Hello.Request wanted) throws VersionMismatchException {
        if (!wanted.cluster().equals(new UUID(0, 0)) && !wanted.cluster().equals(core.cluster())) {
            throw new VersionMismatchException(
                    "the peer belongs to cluster "
                            + wanted.cluster()
                            + ", this is "
                            + core.cluster()
                            + "; check the namenode address");
        }
        if (wanted.lowestEpoch() > core.epoch()) {
            throw new VersionMismatchException(
                    "the peer has seen epoch "
                            + wanted.lowestEpoch()
                            + ", this namenode is at "
                            + core.epoch()
                            + ": it was started from old metadata");
        }
    }

    /** A live session. */
    Session session(long id) throws SessionExpiredException {
        Session session = core.state().session(id);
        if (session == null) {
            throw new SessionExpiredException(
                    "session " + id + " is unknown or has ended; open a new one");
        }
        return session;
    }

    void open(Request request, Peer peer) throws CrailException {
        SessionOpen.Request wanted = SessionOpen.Request.decode(request.control());
        if (peer.session() != 0) {
            throw new ProtocolException("the connection has session " + peer.session());
        }
        if (core.state().sessions().size() >= MAX_SESSIONS) {
            throw new BusyException(MAX_SESSIONS + " sessions are open; try again later");
        }
        int timeout =
                wanted.timeoutMillis() == 0
                        ? (int) core.config().sessionTimeout().toMillis()
                        : Math.max(
                                MIN_TIMEOUT_MILLIS,
                                Math.min(MAX_TIMEOUT_MILLIS, wanted.timeoutMillis()));
        byte[] token = new byte[SessionIdentity.TOKEN_BYTES];
        random.nextBytes(token);
        SessionIdentity identity =
                new SessionIdentity(
                        core.state().lastSessionId() + 1,
                        token,
                        wanted.tenant(),
                        wanted.name(),
                        wanted.user(),
                        wanted.group(),
                        wanted.locationClass(),
                        timeout);
        core.commit(new OpenSession(identity));
        session(identity.id()).heard(core.nanos());
        peer.join(identity.id());
        int lease = (int) core.config().leaseTime().toMillis();
        new SessionOpen.Reply(
                        identity.id(),
                        Arrays.copyOf(token, token.length),
                        timeout,
                        lease,
                        Math.max(1, Math.min(lease, timeout) / KEEP_ALIVES_PER_LEASE))
                .encode(request.beginReply());
        core.endReply(request.connection());
    }

    void close(Request request, Peer peer) throws CrailException {
        core.commit(new EndSession(request.session().id(), core.millis()));
        peer.join(0);
        core.replyEmpty(request);
    }

    void keepAlive(Request request) throws CrailException {
        KeepAlive.Request wanted = KeepAlive.Request.decode(request.control());
        if (wanted.closedHandles().length == 0 && wanted.returned().isEmpty()) {
            new KeepAlive.Reply(core.state().servers().version()).encode(request.beginReply());
            core.endReply(request.connection());
            return;
        }
        if (!request.isMutation()) {
            throw new ProtocolException("a keep-alive that changes something is a mutation");
        }
        core.commit(
                request,
                new ReleaseHeld(
                        Arrays.stream(wanted.closedHandles()).boxed().toList(), wanted.returned()));
    }
}
