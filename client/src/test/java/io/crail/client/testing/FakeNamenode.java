// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.testing;

import io.crail.error.ConditionFailedException;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.LeaseLostException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.error.SessionExpiredException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.local.LocalEndpoint;
import io.crail.protocol.message.Abandon;
import io.crail.protocol.message.AwaitLength;
import io.crail.protocol.message.Commit;
import io.crail.protocol.message.Conditions;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.MessageType;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Ping;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Remove;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import io.crail.protocol.message.SessionClose;
import io.crail.protocol.message.SessionOpen;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.node.NodeType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A namenode that keeps its tree in a map: enough semantics for a client, none of the durability. A
 * mutation takes effect once per (session, id) and is answered again from memory.
 */
public final class FakeNamenode extends FakePeer {
    public static final int INLINE_LIMIT = 2048;

    private final UUID cluster = UUID.randomUUID();
    private final FakeServers servers;
    private final FakeGrants grants;
    private final Map<String, FakeNode> nodes = new TreeMap<>();
    private final Map<List<Long>, byte[]> answers = new HashMap<>();
    private final AtomicLong executed = new AtomicLong();
    private final List<KeepAlive.Request> keepAlives = new ArrayList<>();
    private long lastId = 100;
    private long sessions;
    private final Set<Long> liveSessions = ConcurrentHashMap.newKeySet();
    private volatile long epoch = 5;
    private volatile int maxUnacknowledged = ProtocolLimits.MAX_UNACKNOWLEDGED;
    private volatile int keepAliveMillis = 100;
    private volatile LocalEndpoint told = LocalEndpoint.NONE;

    FakeNamenode(int count) {
        super("fake-namenode");
        List<FakeStorage> storages = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            storages.add(new FakeStorage(i, cluster));
        }
        servers = new FakeServers(storages);
        grants = new FakeGrants(servers);
    }

    public List<FakeStorage> storages() {
        return servers.storages();
    }

    public void epoch(long number) {
        epoch = number;
    }

    public void maxUnacknowledged(int limit) {
        maxUnacknowledged = limit;
    }

    public void keepAliveMillis(int millis) {
        keepAliveMillis = millis;
    }

    /** Largest block that is granted, so that few bytes make many blocks. */
    public void maxBlock(int bytes) {
        grants.maxBlock(bytes);
    }

    /** What hellos are answered with from now on, whatever they come over. */
    public void tell(LocalEndpoint endpoint) {
        told = endpoint;
    }

    /** Servers are offered over a transport without sockets, too, and that is preferred. */
    public void preferMemory() {
        servers.storages().forEach(MemoryDataPathProvider::offer);
        servers.firstTransport(MemoryDataPathProvider.TRANSPORT);
    }

    /** Storage servers that one answer tells of. */
    public void serversPerPage(int count) {
        servers.pageSize(count);
    }

    /** What the server table says of a server from now on; without it, that it lives. */
    public void state(int server, ServerState state) {
        servers.state(server, state);
    }

    /** Mutations that took effect. */
    public long executed() {
        return executed.get();
    }

    public synchronized List<KeepAlive.Request> keepAlives() {
        return List.copyOf(keepAlives);
    }

    /** Forgets the session, with its leases. */
    public synchronized void expireSession() {
        liveSessions.clear();
        nodes.values().forEach(node -> node.leaseHandle = 0);
    }

    public synchronized boolean exists(String path) {
        return nodes.containsKey(path);
    }

    /** Committed length of a file. */
    public synchronized long length(String path) {
        FakeNode node = nodes.get(path);
        return node == null ? -1 : node.length;
    }

    public synchronized long bytesGranted() {
        return grants.bytes();
    }

    /** As after the loss of the last log records. */
    public synchronized void forgetGrants() {
        grants.forget();
    }

    /** Whether a put brings blocks for the next one. */
    public void grantAhead(boolean yes) {
        grants.ahead(yes);
    }

    /** Blocks that writers of files gave back unused. */
    public synchronized long blocksReturned() {
        return grants.returnedByFiles();
    }

    public synchronized int grantsOutstanding() {
        return grants.outstanding();
    }

    @Override
    protected long epoch() {
        return epoch;
    }

    @Override
    protected synchronized byte[] respond(Connection connection, ReceivedFrame frame) {
        if (!frame.isMutation()) {
            return super.respond(connection, frame);
        }
        List<Long> key = List.of(frame.session(), frame.id());
        byte[] known = answers.get(key);
        if (known == null) {
            known = super.respond(connection, frame);
            answers.put(key, known);
        }
        return known;
    }

    @Override
    protected Answer answer(Connection connection, ReceivedFrame frame) throws CrailException {
        MessageType type = frame.type();
        if (type == MessageType.HELLO) {
            return Answer.of(hello(Hello.Request.decode(frame.control())));
        }
        if (type == MessageType.SESSION_OPEN) {
            long session = openSession();
            return Answer.of(
                    new SessionOpen.Reply(session, new byte[16], 60_000, 15_000, keepAliveMillis));
        }
        if (!liveSessions.contains(frame.session())) {
            throw new SessionExpiredException("session " + frame.session() + " is unknown");
        }
        if (type == MessageType.GET) {
            return get(Get.Request.decode(frame.control()));
        }
        if (frame.isMutation()) {
            executed.incrementAndGet();
        }
        return Answer.of(reply(frame));
    }

    private synchronized long openSession() {
        liveSessions.add(++sessions);
        return sessions;
    }

    private Message reply(ReceivedFrame frame) throws CrailException {
        return switch (frame.type()) {
            case PING -> new Ping.Reply();
            case SESSION_CLOSE -> new SessionClose.Reply();
            case KEEP_ALIVE -> keepAlive(KeepAlive.Request.decode(frame.control()));
            case LOOKUP -> lookup(Lookup.Request.decode(frame.control()));
            case CREATE -> create(frame.id(), Create.Request.decode(frame.control()));
            case DELETE -> delete(Delete.Request.decode(frame.control()));
            case OPEN -> open(frame.id(), Open.Request.decode(frame.control()));
            case GET_EXTENTS -> extents(GetExtents.Request.decode(frame.control()));
            case GRANT -> grant(Grant.Request.decode(frame.control()));
            case COMMIT -> commit(Commit.Request.decode(frame.control()));
            case ABANDON -> abandon(Abandon.Request.decode(frame.control()));
            case AWAIT_LENGTH -> {
                AwaitLength.Request wanted = AwaitLength.Request.decode(frame.control());
                yield new AwaitLength.Reply(byId(wanted.node()).status());
            }
            case PUT -> put(Put.Request.decode(frame.control()), frame.payload());
            case REMOVE -> remove(Remove.Request.decode(frame.control()));
            case STATISTICS -> servers.statistics(Statistics.Request.decode(frame.control()));
            case SERVER_TABLE -> servers.table(ServerTable.Request.decode(frame.control()));
            default -> throw new IllegalStateException("namenode got " + frame.type());
        };
    }

    private Hello.Reply hello(Hello.Request request) throws CrailException {
        if (request.session() != 0 && !liveSessions.contains(request.session())) {
            throw new SessionExpiredException("session " + request.session() + " is unknown");
        }
        return new Hello.Reply(
                ProtocolLimits.VERSION,
                0,
                0,
                cluster,
                epoch,
                ProtocolLimits.MAX_FRAME,
                maxUnacknowledged,
                INLINE_LIMIT,
                ProtocolLimits.MAX_PAGE,
                "fake",
                new byte[0],
                told);
    }

    private KeepAlive.Reply keepAlive(KeepAlive.Request request) {
        keepAlives.add(request);
        grants.returned(request.returned());
        return new KeepAlive.Reply(servers.version());
    }

    private static String text(byte[] path) {
        return new String(path, StandardCharsets.UTF_8);
    }

    private FakeNode node(byte[] path) throws NoSuchNodeException {
        FakeNode node = nodes.get(text(path));
        if (node == null) {
            throw new NoSuchNodeException(text(path) + " does not exist");
        }
        return node;
    }

    private FakeNode byId(long id) throws NoSuchNodeException {
        for (FakeNode node : nodes.values()) {
            if (node.id == id) {
                return node;
            }
        }
        throw new NoSuchNodeException("node " + id + " does not exist");
    }

    private Lookup.Reply lookup(Lookup.Request request) throws CrailException {
        FakeNode node = node(request.path());
        boolean wanted = (request.flags() & Lookup.EXTENTS) != 0;
        return new Lookup.Reply(node.status(), wanted ? page(node.extents, 0) : List.of());
    }

    private Create.Reply create(long id, Create.Request request) throws CrailException {
        boolean exists = nodes.containsKey(text(request.path()));
        if (exists && (request.flags() & Create.OVERWRITE) == 0) {
            throw new NodeExistsException(text(request.path()) + " exists already");
        }
        FakeNode node =
                new FakeNode(
                        ++lastId, request.nodeType(), (request.flags() & Create.NO_CHECKSUMS) == 0);
        List<BlockReference> first = List.of();
        if ((request.flags() & Create.OPEN) != 0) {
            node.leaseHandle = id;
            node.created = true;
            first = grants.blocks(request.bytesWanted(), request.exact(), Set.of());
        }
        nodes.put(text(request.path()), node);
        return new Create.Reply(node.leaseHandle, node.status(), first);
    }

    private Delete.Reply delete(Delete.Request request) throws CrailException {
        FakeNode node = node(request.path());
        nodes.remove(text(request.path()));
        return new Delete.Reply(node.id);
    }

    private Open.Reply open(long id, Open.Request request) throws CrailException {
        FakeNode node = request.path().length == 0 ? byId(request.node()) : node(request.path());
        if (request.mode() == Open.READ) {
            return new Open.Reply(id, node.status(), page(node.extents, 0), List.of());
        }
        if (node.leaseHandle != 0) {
            throw new LeaseHeldException(text(request.path()) + " is being written");
        }
        node.leaseHandle = id;
        node.created = false;
        int last = node.extents.size() - 1;
        List<Extent> continued =
                last >= 0
                                && node.extents.get(last).length()
                                        < node.extents.get(last).block().length()
                        ? List.of(node.extents.get(last))
                        : List.of();
        return new Open.Reply(
                id,
                node.status(),
                continued,
                grants.blocks(request.bytesWanted(), false, Set.of()));
    }

    private static List<Extent> page(List<Extent> extents, long offset) {
        return extents.stream()
                .filter(extent -> extent.end() > offset)
                .limit(ProtocolLimits.MAX_REFERENCES)
                .toList();
    }

    private GetExtents.Reply extents(GetExtents.Request request) throws CrailException {
        for (FakeNode node : nodes.values()) {
            for (FakeNode.FakeValue value : node.keys.values()) {
                if (value.node() == request.node()) {
                    return new GetExtents.Reply(
                            node.status(), page(value.extents(), request.offset()));
                }
            }
        }
        FakeNode node = byId(request.node());
        return new GetExtents.Reply(node.status(), page(node.extents, request.offset()));
    }

    private Grant.Reply grant(Grant.Request request) throws CrailException {
        if (request.node() != 0) {
            checkLease(byId(request.node()), request.handle());
        }
        Set<Integer> excluded =
                Arrays.stream(request.excludedServers()).boxed().collect(Collectors.toSet());
        return new Grant.Reply(grants.blocks(request.bytesWanted(), request.exact(), excluded));
    }

    private static void checkLease(FakeNode node, long handle) throws LeaseLostException {
        if (node.leaseHandle != handle || handle == 0) {
            throw new LeaseLostException("lease of node " + node.id + " is lost");
        }
    }

    private Commit.Reply commit(Commit.Request request) throws CrailException {
        FakeNode node = byId(request.node());
        checkLease(node, request.handle());
        if (node.length != request.baseLength()) {
            throw new LeaseLostException(
                    "length is " + node.length + ", not " + request.baseLength());
        }
        for (CommittedExtent extent : request.extents()) {
            servers.checkReachable(extent.block().server());
        }
        node.commit(request.extents(), grants);
        grants.returnedByFile(request.returned());
        if ((request.flags() & Commit.CLOSE) != 0) {
            node.leaseHandle = 0;
        }
        return new Commit.Reply(node.status());
    }

    private Abandon.Reply abandon(Abandon.Request request) throws CrailException {
        FakeNode node = byId(request.node());
        checkLease(node, request.handle());
        node.leaseHandle = 0;
        if (request.deleteIfEmpty() && node.created && node.length == 0) {
            nodes.values().remove(node);
        }
        return new Abandon.Reply();
    }

    private Answer get(Get.Request request) throws CrailException {
        FakeNode table = node(request.table());
        FakeNode.@Nullable FakeValue value = table.keys.get(hex(request.key()));
        if (value == null) {
            return new Answer(new Get.Reply(0, 0, 0, 0, Get.ABSENT, 0, List.of(), -1), new byte[0]);
        }
        boolean inline = value.extents().isEmpty();
        return new Answer(
                new Get.Reply(
                        value.node(),
                        value.version(),
                        value.length(),
                        0,
                        inline ? Get.INLINE : Get.EXTENTS,
                        Get.CHECKSUMS,
                        page(value.extents(), 0),
                        -1),
                value.inline());
    }

    private static String hex(byte[] key) {
        return HexFormat.of().formatHex(key);
    }

    private Put.Reply put(Put.Request request, byte[] payload) throws CrailException {
        FakeNode table = node(request.table());
        String key = hex(request.key());
        if (request.condition() == Conditions.IF_ABSENT && table.keys.containsKey(key)) {
            throw new ConditionFailedException("the key exists");
        }
        FakeNode value = new FakeNode(++lastId, NodeType.KEYVALUE, true);
        if (request.form() == Get.EXTENTS) {
            for (CommittedExtent extent : request.extents()) {
                servers.checkReachable(extent.block().server());
            }
            for (CommittedExtent extent : request.extents()) {
                if (!grants.has(extent.block())) {
                    throw new InvalidArgumentException(extent.block() + " was not granted");
                }
            }
            value.commit(request.extents(), grants);
        }
        grants.returned(request.returned());
        long length = request.form() == Get.EXTENTS ? value.length : payload.length;
        table.keys.put(
                key, new FakeNode.FakeValue(value.id, lastId, payload, value.extents, length));
        Set<Integer> excluded =
                Arrays.stream(request.excludedServers()).boxed().collect(Collectors.toSet());
        return new Put.Reply(value.id, lastId, grants.ahead(request.nextBytes(), excluded));
    }

    private Remove.Reply remove(Remove.Request request) throws CrailException {
        return new Remove.Reply(node(request.table()).keys.remove(hex(request.key())) != null);
    }

    /** What a value lies in; nothing if it came with the call. */
    public synchronized List<Extent> extents(String table, byte[] key) {
        FakeNode node = nodes.get(table);
        FakeNode.@Nullable FakeValue value = node == null ? null : node.keys.get(hex(key));
        return value == null ? List.of() : List.copyOf(value.extents());
    }

    /** Flags of the node at a path. */
    public synchronized boolean isOpenForWriting(String path) {
        FakeNode node = nodes.get(path);
        return node != null && node.status().has(NodeStatus.OPEN_FOR_WRITING);
    }
}
