// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.namenode.rpc.Connection;
import io.crail.namenode.state.ServerIdentity;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.ServerState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which storage servers are there: their connections, when they were last heard, and the long poll
 * by which they wait for work. Not logged; after a restart all are expected.
 */
final class StorageLinks {
    private static final Logger LOG = LoggerFactory.getLogger(StorageLinks.class);

    /** Revokes in one answer: what fits a frame. */
    private static final int MAX_COMMANDS = 4096;

    private final Core core;
    private final Map<Integer, Link> links = new HashMap<>();

    private static final class Link {
        long heardNanos;

        /** When its connection ended; while it has one, or had none in this life: nothing. */
        @Nullable Long goneNanos;

        @Nullable Connection registered;
        @Nullable Pending waiting;
        long waitUntilNanos;
        Description description = Description.NONE;
    }

    /**
     * What a server says of itself for operators, in this life of the namenode.
     *
     * @param software version of its software
     * @param statusUrl where it shows its status, or empty
     */
    record Description(String software, String statusUrl) {
        static final Description NONE = new Description("", "");
    }

    StorageLinks(Core core) {
        this.core = core;
    }

    /** After recovery: every known server has the full dead-server time to come back. */
    void expectAll() {
        links.clear();
        for (ServerIdentity server : core.state().servers().all()) {
            link(server.id()).heardNanos = core.nanos();
            core.state().blocks().setState(server.id(), ServerState.EXPECTED);
        }
    }

    private Link link(int server) {
        return links.computeIfAbsent(server, id -> new Link());
    }

    void registered(int server, Connection connection, Description description) {
        Link link = link(server);
        link.description = description;
        Connection old = link.registered;
        link.registered = connection;
        link.waiting = null;
        link.goneNanos = null;
        link.heardNanos = core.nanos();
        if (old != null && old != connection) {
            old.close("storage server " + server + " has registered again");
        }
        // What it reported in an earlier life of the connection does not count any more.
        core.state().blocks().setState(server, ServerState.EXPECTED);
        core.state().blocks().setState(server, ServerState.LIVE);
        core.state().blocks().drain(server, core.state().servers().isDraining(server));
        core.state().blocks().revocations().tellAgain(server);
        core.state().servers().changed();
    }

    boolean isRegistered(int server, Connection connection) {
        Link link = links.get(server);
        return link != null && link.registered == connection;
    }

    /**
     * Ends a server's connection, so that it comes back and tells everything; false: it is away.
     */
    boolean registerAgain(int server) {
        Link link = links.get(server);
        Connection connection = link == null ? null : link.registered;
        if (connection == null) {
            return false;
        }
        connection.close("storage server " + server + " is to report its blocks again");
        return true;
    }

    void heard(int server) {
        link(server).heardNanos = core.nanos();
    }

    long silentMillis(int server) {
        Link link = links.get(server);
        return link == null ? 0 : Math.max(0, (core.nanos() - link.heardNanos) / 1_000_000);
    }

    Description description(int server) {
        Link link = links.get(server);
        return link == null ? Description.NONE : link.description;
    }

    /** After a pause of the namenode itself nobody is to blame for silence. */
    void forgiveAll() {
        for (Link link : links.values()) {
            link.heardNanos = core.nanos();
            if (link.goneNanos != null) {
                link.goneNanos = core.nanos();
            }
        }
    }

    /** A server waits for work; only its newest wait counts. */
    void await(int server, Pending pending, int maxWaitMillis) {
        Link link = link(server);
        answer(link, List.of());
        link.waiting = pending;
        link.waitUntilNanos = core.nanos() + Math.min(maxWaitMillis, 1_000) * 1_000_000L;
        deliver(server, link);
        if (maxWaitMillis == 0) {
            answer(link, List.of());
        }
    }

    private void deliver(int server, Link link) {
        if (link.waiting == null || !core.state().blocks().revocations().isAny(server)) {
            return;
        }
        List<AwaitCommands.Revoke> revokes = new ArrayList<>();
        core.state()
                .blocks()
                .revocations()
                .take(
                        server,
                        MAX_COMMANDS,
                        (owner, segment, record, length, generation) ->
                                revokes.add(
                                        new AwaitCommands.Revoke(
                                                segment, record, length, generation)));
        if (!revokes.isEmpty()) {
            answer(link, revokes);
        }
    }

    private void answer(Link link, List<AwaitCommands.Revoke> revokes) {
        Pending pending = link.waiting;
        if (pending != null) {
            link.waiting = null;
            new AwaitCommands.Reply(revokes).encode(pending.beginReply());
            core.endReply(pending.connection());
        }
    }

    /** Called after every batch: hands out what the batch has freed. */
    void deliverAll() {
        links.forEach(this::deliver);
    }

    void closed(int server, Connection connection) {
        Link link = links.get(server);
        if (link != null && link.registered == connection) {
            link.registered = null;
            link.waiting = null;
            link.goneNanos = core.nanos();
            ServerState state = core.state().blocks().serverState(server);
            if (state == ServerState.LIVE || state == ServerState.DRAINING) {
                // Nothing is granted from it until it is back; what it has is not lost yet.
                core.state().blocks().setState(server, ServerState.EXPECTED);
                core.state().servers().changed();
            }
            LogFields.server(
                    server, () -> LOG.info("storage server {} has closed its connection", server));
        }
    }

    void tick() {
        links.forEach(
                (server, link) -> {
                    if (link.waiting != null && core.nanos() - link.waitUntilNanos >= 0) {
                        answer(link, List.of());
                    }
                    checkAlive(server, link);
                });
    }

    private void logDead(int server) {
        LOG.warn(
                "storage server {} counts as dead: silent for {} ms; {} blocks of nodes are out of"
                        + " reach until it comes back",
                server,
                silentMillis(server),
                core.state().blocks().lostBlocks(server));
    }

    private void checkAlive(int server, Link link) {
        ServerState now = core.state().blocks().serverState(server);
        if (now != ServerState.DEAD && isOverdue(link)) {
            core.state().blocks().setState(server, ServerState.DEAD);
            core.state().servers().changed();
            LogFields.server(server, () -> logDead(server));
            Connection connection = link.registered;
            if (connection != null) {
                connection.close("no heartbeat within the dead-server time");
            }
        }
    }

    /**
     * Silence may be a slow network, and is borne for long. The end of a connection is mostly the
     * end of the process: if that is not restarted at once, readers must not wait for it.
     */
    private boolean isOverdue(Link link) {
        Long gone = link.goneNanos;
        return core.nanos() - link.heardNanos > core.config().deadServerTime().toNanos()
                || (gone != null
                        && core.nanos() - gone > core.config().serverReturnTime().toNanos());
    }
}
