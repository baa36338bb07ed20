// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.ProtocolException;
import io.crail.error.ReadOnlyException;
import io.crail.namenode.access.AccessCheck;
import io.crail.namenode.log.Durability;
import io.crail.namenode.log.LogWriter;
import io.crail.namenode.log.MetadataDirectory;
import io.crail.namenode.rpc.Connection;
import io.crail.namenode.rpc.RequestHandler;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.BeginEpoch;
import io.crail.namenode.state.State;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.MessageType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The heart of the namenode: takes requests to the handlers that answer them, ends batches by
 * writing the log, and keeps time.
 *
 * <p>Threads: every method is called by the RPC server's one thread. Nothing here blocks but the
 * log's write, and, when the log has failed, the recovery of the state that may still be shown.
 */
public final class Engine implements RequestHandler {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);

    private static final long TICK_NANOS = 50_000_000L;
    private static final long WAIT_FOR_ROOM_NANOS = 1_000_000L;

    private static final long SNAPSHOT_RETRY_NANOS = 30_000_000_000L;

    private final Core core;
    private final Recovery recovery;
    private final Snapshots snapshots;
    private final Upkeep upkeep;
    private final StorageLinks links;
    private final LengthWaiters waiters;
    private final SessionRequests sessions;
    private final NamespaceRequests namespace;
    private final CreateRequest creation;
    private final FileRequests files;
    private final TableRequests tables;
    private final StreamRequests streams;
    private final BatchRequests batches;
    private final MemberRequests members;
    private final XattrRequests xattrs;
    private final QuotaRequests quotas;
    private final AccessCheck access;
    private final StorageRequests storage;
    private final StatusRequests status;
    private final DrainRequests drains;
    private final RequestCounters counters;
    private final AuditRequests audits;
    private final RepairRequests repairs;
    private final SpliceRequests splices;
    private final TierRequests tiers;
    private final Copies copies;
    private final Request request = new Request();
    private final Supplier<WireReader> fields = request::control;

    public Engine(
            EngineConfig config,
            MetadataDirectory directory,
            Recovery recovery,
            Recovery.Result recovered,
            LogWriter log,
            Clock clock,
            LongSupplier nanoTime,
            SecureRandom random,
            LongSupplier workNanos,
            Gatekeeper gate,
            String software) {
        this.core =
                new Core(
                        config,
                        directory.cluster(),
                        clock,
                        nanoTime,
                        workNanos,
                        recovered.state(),
                        log);
        this.recovery = recovery;
        this.snapshots =
                new Snapshots(core, directory, SNAPSHOT_RETRY_NANOS, recovered.snapshotSequence());
        this.upkeep = new Upkeep(core);
        this.links = new StorageLinks(core);
        this.waiters = new LengthWaiters(core);
        Paths paths = new Paths(core);
        Placement placement = new Placement(core);
        CommitCheck check = new CommitCheck(core);
        this.sessions = new SessionRequests(core, random, gate, software);
        Quotas limits = new Quotas(core);
        this.namespace = new NamespaceRequests(core, paths, limits);
        this.creation = new CreateRequest(core, paths, placement, limits);
        this.files = new FileRequests(core, paths, placement, check, limits, waiters);
        GrantsAhead ahead = new GrantsAhead(core, placement, limits);
        this.tables = new TableRequests(core, paths, check, limits, ahead);
        this.quotas = new QuotaRequests(core, paths);
        this.access = new AccessCheck(config.permissions(), config.superuser());
        this.xattrs = new XattrRequests(core, paths, access);
        this.batches = new BatchRequests(core, paths, limits);
        this.streams = new StreamRequests(core, creation, ahead, check, limits);
        this.members = new MemberRequests(core, paths);
        this.storage = new StorageRequests(core, links, random);
        this.tiers = new TierRequests(core);
        this.status = new StatusRequests(core, links, snapshots, tiers, software);
        this.drains = new DrainRequests(core, paths);
        this.copies = new Copies(core, placement, check, limits, tiers);
        this.counters = new RequestCounters(workNanos);
        this.audits = new AuditRequests(core);
        this.repairs = new RepairRequests(core, links);
        this.splices = new SpliceRequests(core, paths, files, limits, waiters, repairs);
    }

    /**
     * Logs the new life; to be called once, before the first request.
     *
     * @param epoch as reserved in the metadata directory, higher than any before
     * @param bootId identity of the host's boot: after another one, records of the life before may
     *     be lost
     * @param durability of the log from now on
     * @param logWasCut whether recovery has given up intact records
     */
    public void beginEpoch(long epoch, String bootId, Durability durability, boolean logWasCut)
            throws ReadOnlyException {
        core.commit(new BeginEpoch(epoch, bootId, core.millis(), durability, logWasCut));
        core.log().flush();
        links.expectAll();
        upkeep.forgiveAll();
        LOG.info("epoch {} begins", core.epoch());
    }

    /** The state; nothing may keep it, because a failure of the log replaces it. */
    public State state() {
        return core.state();
    }

    /** Counts of requests; for any thread. */
    public RequestCounters counters() {
        return counters;
    }

    /** What operators see of the state. */
    public StatusView status() {
        return status.view();
    }

    /** Where operators can look at this namenode; for any thread. */
    public void shownAt(String url) {
        status.shownAt(url);
    }

    /** Begins a snapshot as soon as none is running, however little has been logged. */
    public void requestSnapshot() {
        snapshots.request();
    }

    /** Whether a snapshot was asked for or is being written. */
    public boolean isSnapshotPending() {
        return snapshots.isPending();
    }

    /** Sequence of the last log record that the newest complete snapshot holds; 0 without one. */
    public long snapshotSequence() {
        return snapshots.lastSequence();
    }

    @Override
    public long epoch() {
        return core.epoch();
    }

    @Override
    public void request(Connection connection, ByteBuffer in, int at) {
        request.set(connection, in, at);
        int type = request.type();
        long start = counters.begin(type);
        try {
            if (connection.attachment() instanceof Peer peer) {
                dispatch(peer);
            } else {
                greet(connection.attachment());
            }
        } catch (CrailException e) {
            counters.failed(e.code());
            connection.replyError(request.type(), request.id(), request.traceId(), core.epoch(), e);
            if (!(connection.attachment() instanceof Peer)) {
                connection.closeAfterReplies("hello refused: " + e.getMessage());
            }
        }
        counters.end(type, start);
    }

    /** What a connection may say before its hello is complete. */
    private void greet(@Nullable Object attachment) throws CrailException {
        MessageType type = MessageType.ofWire(request.type());
        if (attachment instanceof Gatekeeper.Challenge challenge) {
            if (type != MessageType.AUTHENTICATE) {
                throw new ProtocolException("a challenged caller must authenticate next");
            }
            sessions.authenticate(request, challenge);
        } else if (type == MessageType.HELLO) {
            sessions.hello(request);
        } else {
            throw new ProtocolException("the first request must be a hello");
        }
    }

    private void dispatch(Peer peer) throws CrailException {
        MessageType type = MessageType.ofWire(request.type());
        if (type == null) {
            throw new ProtocolException(
                    "request type " + request.type() + " is not known to this version");
        }
        if (peer.role() == Hello.ROLE_STORAGE) {
            fromStorage(type, peer);
        } else {
            fromClient(type, peer);
        }
    }

    private void admit(MessageType type, @Nullable Session session) throws CrailException {
        access.check(type, session, core.state().tree(), fields);
    }

    private void fromStorage(MessageType type, Peer peer) throws CrailException {
        admit(type, null);
        switch (type) {
            case PING -> core.replyEmpty(request);
            case REGISTER_SERVER -> storage.register(request, peer);
            case REGISTER_SEGMENT -> storage.registerSegment(request, peer);
            case HEARTBEAT -> storage.heartbeat(request, peer);
            case AWAIT_COMMANDS -> storage.awaitCommands(request, peer);
            case BLOCKS_FREED -> storage.blocksFreed(request, peer);
            default -> throw new ProtocolException("storage servers may not ask " + type);
        }
    }

    private void fromClient(MessageType type, Peer peer) throws CrailException {
        switch (type) {
            case PING, STATISTICS, SESSION_OPEN -> {
                admit(type, null);
                withoutSession(type, peer);
            }
            default -> {
                enter(peer);
                if (!request.isMutation()) {
                    if (type.isMutation()) {
                        throw new ProtocolException(type + " must be marked as mutation");
                    }
                    admit(type, request.session());
                    read(type, peer);
                } else if (!core.answeredBefore(request)) {
                    admit(type, request.session());
                    mutate(type);
                }
            }
        }
    }

    private void withoutSession(MessageType type, Peer peer) throws CrailException {
        switch (type) {
            case PING -> core.replyEmpty(request);
            case STATISTICS -> status.statistics(request);
            case SESSION_OPEN -> sessions.open(request, peer);
            default -> throw new IllegalStateException(type + " needs a session");
        }
    }

    private void enter(Peer peer) throws CrailException {
        if (peer.session() == 0 || request.sessionId() != peer.session()) {
            throw new ProtocolException(
                    "request for session "
                            + request.sessionId()
                            + " on a connection of session "
                            + peer.session());
        }
        Session session = sessions.session(peer.session());
        session.heard(core.nanos());
        core.state().sessions().acknowledge(session, request.acknowledged());
        request.enter(session);
    }

    private void read(MessageType type, Peer peer) throws CrailException {
        switch (type) {
            case LOOKUP -> namespace.lookup(request);
            case GET -> tables.get(request);
            case LIST -> namespace.list(request);
            case SUMMARY -> quotas.summary(request);
            case STREAM_EXTENTS -> streams.extents(request);
            case GET_EXTENTS -> files.getExtents(request);
            case AWAIT_LENGTH -> files.awaitLength(request);
            case SCAN -> tables.scan(request);
            case MULTI_GET -> batches.get(request);
            case GET_XATTRS -> xattrs.get(request);
            case SERVER_TABLE -> status.serverTable(request);
            case MOVABLE -> drains.movable(request);
            case TIER_PLAN -> tiers.plan(request);
            case TIER_STATUS -> tiers.status(request);
            case AUDIT -> audits.audit(request);
            case KEEP_ALIVE -> sessions.keepAlive(request);
            case SESSION_CLOSE -> sessions.close(request, peer);
            default -> throw new ProtocolException("clients may not ask " + type);
        }
    }

    private void mutate(MessageType type) throws CrailException {
        switch (type) {
            case PUT -> tables.put(request);
            case REMOVE -> tables.remove(request);
            case STREAM_APPEND -> streams.append(request);
            case STREAM_TRIM -> streams.trim(request);
            case STREAM_CREATE -> streams.create(request);
            case MULTI_PUT -> batches.put(request);
            case OPEN_MEMBERS -> members.open(request);
            case CREATE -> creation.create(request);
            case COMMIT -> files.commit(request);
            case GRANT -> files.grant(request);
            case OPEN -> files.open(request);
            case ABANDON -> files.abandon(request);
            case DELETE -> namespace.delete(request);
            case RENAME -> namespace.rename(request);
            case CONCAT -> splices.concat(request);
            case TRUNCATE -> splices.truncate(request);
            case SET_ATTRIBUTES -> namespace.setAttributes(request);
            case SET_XATTR -> xattrs.set(request);
            case SET_QUOTA -> quotas.set(request);
            case KEEP_ALIVE -> sessions.keepAlive(request);
            case DRAIN -> drains.drain(request);
            case MOVE -> copies.move(request);
            case REPAIR -> repairs.repair(request);
            case TIER_SET -> tiers.set(request);
            case GRANT_COPIES -> copies.grant(request);
            case MOVE_COPIES -> copies.moveAll(request);
            default -> throw new ProtocolException(type + " is no mutation of clients");
        }
    }

    @Override
    public long batchEnd() {
        if (core.isReadOnly()) {
            return SEND_NOW;
        }
        links.deliverAll();
        try {
            return core.log().flush();
        } catch (ReadOnlyException e) {
            fail(e);
            return DISCARD;
        }
    }

    /**
     * The log cannot be written: what is in memory may be ahead of it. Shows only what the log
     * holds from now on, and accepts nothing new.
     */
    public void fail(ReadOnlyException cause) {
        if (core.isReadOnly()) {
            return;
        }
        LOG.error("the namenode is read-only from now on: {}", cause.getMessage());
        snapshots.abort();
        request.forget();
        try {
            core.log().close();
        } catch (IOException e) {
            LOG.warn("closing the failed log: {}", e.toString());
        }
        // The old state must be garbage before the new one takes as much memory.
        core.becomeReadOnly(recovery.emptyState(), cause);
        try {
            core.becomeReadOnly(recovery.reread(), cause);
            links.expectAll();
            upkeep.forgiveAll();
        } catch (IOException e) {
            throw new AssertionError("the state cannot be recovered after the log failed", e);
        }
    }

    @Override
    public void closed(Connection connection) {
        if (connection.attachment() instanceof Peer peer && peer.server() != 0) {
            links.closed(peer.server(), connection);
        }
    }

    @Override
    public long tick(long nowNanos) {
        if (core.tickNanos() > Core.PAUSE_NANOS) {
            links.forgiveAll();
            upkeep.forgiveAll();
        }
        links.tick();
        waiters.tick();
        streams.tick();
        boolean more = false;
        try {
            more = upkeep.tick();
            more |= streams.upkeep();
        } catch (ReadOnlyException e) {
            LOG.debug("{}: {}", ErrorCode.READ_ONLY, e.getMessage()); // batchEnd deals with it
        }
        more |= snapshots.tick();
        if (more) {
            return 0;
        }
        return snapshots.isBusy() ? WAIT_FOR_ROOM_NANOS : TICK_NANOS;
    }

    /** Gives a running snapshot up; to be called when the server has stopped. */
    public void close() {
        snapshots.abort();
    }
}
