// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.inline.InlineMemory;
import io.crail.namenode.session.Session;
import io.crail.namenode.state.ServerIdentity;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.Totals;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import io.crail.protocol.message.Statistics;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** The server table, and counters for df and status. */
final class StatusRequests {
    private final Core core;
    private final StorageLinks links;
    private final Snapshots snapshots;
    private final TierRequests tiers;
    private final String software;
    private final long startNanos;

    /** Set once, by the thread that starts the server, when clients may be asking already. */
    private volatile String statusUrl = "";

    StatusRequests(
            Core core,
            StorageLinks links,
            Snapshots snapshots,
            TierRequests tiers,
            String software) {
        this.core = core;
        this.links = links;
        this.snapshots = snapshots;
        this.tiers = tiers;
        this.software = software;
        this.startNanos = core.nanos();
    }

    void shownAt(String url) {
        statusUrl = url;
    }

    void serverTable(Request request) throws CrailException {
        ServerTable.Request wanted = ServerTable.Request.decode(request.control());
        State state = core.state();
        long version = state.servers().version();
        boolean unchanged = wanted.knownVersion() == version;
        ServerPage<ServerTable.Server> page = ServerPage.ofFrame(ServerTable.Server::encode);
        if (!unchanged) {
            long session = request.session().id();
            for (ServerIdentity server : state.servers().from(wanted.fromServer())) {
                if (!page.add(server.id(), entry(server, session))) {
                    break;
                }
            }
        }
        new ServerTable.Reply(version, unchanged, page.servers(), page.next())
                .encode(request.beginReply());
        core.endReply(request.connection());
    }

    private ServerTable.Server entry(ServerIdentity server, long session) {
        State state = core.state();
        return new ServerTable.Server(
                server.id(),
                state.blocks().serverState(server.id()).wire(),
                server.tier(),
                server.storageClass(),
                server.host(),
                server.locationClass(),
                state.references().ticket(session, server.id()),
                server.endpoints());
    }

    void statistics(Request request) throws CrailException {
        int from = Statistics.Request.decode(request.control()).fromServer();
        statistics(from, ServerPage.ofFrame(Statistics.ServerCapacity::encode))
                .encode(request.beginReply());
        core.endReply(request.connection());
    }

    private Statistics.Reply statistics(int from, ServerPage<Statistics.ServerCapacity> page) {
        State state = core.state();
        Totals totals = state.tree().totals();
        InlineMemory inline = state.inline();
        TreeSet<Integer> classes = new TreeSet<>();
        for (ServerIdentity server : state.servers().all()) {
            classes.add(server.storageClass());
        }
        for (ServerIdentity server : state.servers().from(from)) {
            if (!page.add(server.id(), capacity(state.blocks(), server))) {
                break;
            }
        }
        return new Statistics.Reply(
                core.epoch(),
                (core.nanos() - startNanos) / 1_000_000,
                totals.directories(),
                totals.files(),
                totals.tables(),
                totals.keyValues(),
                state.sessions().size(),
                core.log().position(),
                snapshots.lastSequence(),
                inline.usedBytes(),
                inline.limitBytes(),
                core.isReadOnly(),
                classes.stream().map(state.blocks()::capacity).toList(),
                page.servers(),
                core.cluster(),
                Math.max(0, core.millis()),
                handles(state),
                core.log().bytesSinceRoll(),
                software,
                statusUrl,
                page.next());
    }

    private static long handles(State state) {
        long handles = 0;
        for (Session session : state.sessions().all()) {
            handles += session.handles().size() + session.groups().size();
        }
        return handles;
    }

    /** What {@link StatusView} shows; the cost is that of the question for statistics. */
    StatusView view() {
        State state = core.state();
        List<StatusView.ServerBlocks> blocks = new ArrayList<>();
        for (ServerIdentity server : state.servers().all()) {
            blocks.add(
                    new StatusView.ServerBlocks(
                            server.tier(),
                            state.blocks().serverState(server.id()),
                            state.blocks().serverCapacity(server.id())));
        }
        Statistics.Reply all = statistics(0, ServerPage.ofAll(Statistics.ServerCapacity::encode));
        return new StatusView(all, blocks, tiers.status());
    }

    private Statistics.ServerCapacity capacity(BlockMap blocks, ServerIdentity server) {
        ServerState serverState = blocks.serverState(server.id());
        Statistics.Capacity bytes = blocks.serverCapacity(server.id());
        StorageLinks.Description description = links.description(server.id());
        return new Statistics.ServerCapacity(
                server.id(),
                serverState.wire(),
                server.host(),
                server.storageClass(),
                bytes.capacity(),
                bytes.free(),
                blocks.lostBlocks(server.id()),
                links.silentMillis(server.id()),
                bytes.granted(),
                bytes.committed(),
                bytes.revoking(),
                bytes.quarantined(),
                bytes.lost(),
                description.software(),
                description.statusUrl());
    }
}
