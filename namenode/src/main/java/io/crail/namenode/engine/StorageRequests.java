// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.engine;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.error.ReadOnlyException;
import io.crail.namenode.block.BlockMap;
import io.crail.namenode.rpc.Connection;
import io.crail.namenode.state.AddSegment;
import io.crail.namenode.state.EndFencing;
import io.crail.namenode.state.FreeBlocks;
import io.crail.namenode.state.RegisterStorage;
import io.crail.namenode.state.ServerIdentity;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.GrantSeal;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.BlocksFreed;
import io.crail.protocol.message.Heartbeat;
import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterServer;
import java.security.SecureRandom;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What storage servers ask and report. */
final class StorageRequests {
    /** So that a server is a small part of a reply that tells of all. */
    private static final int MAX_ENDPOINTS = 16;

    private static final Logger LOG = LoggerFactory.getLogger(StorageRequests.class);
    private static final long MAX_SEGMENT_BYTES = 1L << 40;

    private final Core core;
    private final StorageLinks links;
    private final SecureRandom random;

    StorageRequests(Core core, StorageLinks links, SecureRandom random) {
        this.core = core;
        this.links = links;
        this.random = random;
    }

    void register(Request request, Peer peer) throws CrailException {
        RegisterServer.Request wanted = RegisterServer.Request.decode(request.control());
        ServerIdentity known = core.state().servers().find(wanted.server());
        ServerIdentity identity = identity(wanted, known);
        if (peer.server() != 0 && peer.server() != identity.id()) {
            throw new ProtocolException(
                    "the connection has registered as storage server " + peer.server());
        }
        if (known == null || !known.sameAs(identity)) {
            core.commit(new RegisterStorage(identity));
        }
        core.state().blocks().setSmallestBlock(identity.id(), wanted.smallestBlock());
        peer.register(identity.id());
        links.registered(
                identity.id(),
                request.connection(),
                new StorageLinks.Description(wanted.software(), wanted.statusUrl()));
        LogFields.server(
                identity.id(),
                () ->
                        LOG.info(
                                "storage server {} ({}, {} class {}) has registered, {}",
                                identity.id(),
                                identity.host(),
                                identity.tier(),
                                identity.storageClass(),
                                identity.endpoints()));
        new RegisterServer.Reply(
                        identity.id(),
                        identity.sealKey(),
                        (int) core.config().heartbeat().toMillis(),
                        (int) core.config().deadServerTime().toMillis(),
                        wanted.smallestBlock())
                .encode(request.beginReply());
        core.endReply(request.connection());
    }

    private ServerIdentity identity(
            RegisterServer.Request wanted, @org.jspecify.annotations.Nullable ServerIdentity known)
            throws CrailException {
        if (wanted.endpoints().isEmpty()) {
            throw new InvalidArgumentException("a storage server without endpoint is unreachable");
        }
        if (wanted.endpoints().size() > MAX_ENDPOINTS) {
            throw new InvalidArgumentException(
                    "storage server "
                            + wanted.host()
                            + " has "
                            + wanted.endpoints().size()
                            + " endpoints, at most "
                            + MAX_ENDPOINTS
                            + " are told to clients; let it advertise fewer");
        }
        if (!BlockGeometry.isBlockSize(wanted.smallestBlock())) {
            throw new InvalidArgumentException(
                    "storage server "
                            + wanted.host()
                            + " takes no block below "
                            + wanted.smallestBlock()
                            + " bytes, which is no size of a block");
        }
        byte[] key;
        int id;
        if (known == null) {
            key = new byte[GrantSeal.KEY_BYTES];
            random.nextBytes(key);
            id = core.state().servers().nextId();
            if (id >= BlockMap.MAX_SERVERS) {
                throw new InvalidArgumentException("no more storage server ids");
            }
        } else {
            if (!known.tier().equals(wanted.tier())
                    || known.storageClass() != wanted.storageClass()) {
                throw new InvalidArgumentException(
                        "storage server "
                                + known.id()
                                + " was of tier "
                                + known.tier()
                                + ", class "
                                + known.storageClass()
                                + ", and calls itself "
                                + wanted.tier()
                                + ", class "
                                + wanted.storageClass()
                                + "; format its directory to make it a new server");
            }
            key = known.sealKey();
            id = known.id();
        }
        return new ServerIdentity(
                id,
                wanted.server(),
                wanted.host(),
                wanted.tier(),
                wanted.storageClass(),
                wanted.locationClass(),
                key,
                wanted.endpoints());
    }

    private int checkedServer(Request request, int claimed, Peer peer) throws ProtocolException {
        Connection connection = request.connection();
        if (claimed == 0 || claimed != peer.server() || !links.isRegistered(claimed, connection)) {
            throw new ProtocolException(
                    "the connection has not registered as storage server " + claimed);
        }
        links.heard(claimed);
        return claimed;
    }

    void registerSegment(Request request, Peer peer) throws CrailException {
        RegisterSegment.Request wanted = RegisterSegment.Request.decode(request.control());
        int server = checkedServer(request, wanted.server(), peer);
        checkSegment(wanted);
        BlockMap blocks = core.state().blocks();
        if (!blocks.hasSegment(server, wanted.segment())
                || blocks.incarnation(server, wanted.segment()) != wanted.incarnation()) {
            core.commit(
                    new AddSegment(
                            server, wanted.segment(), wanted.incarnation(), wanted.dataBytes()));
        } else if (blocks.dataBytes(server, wanted.segment()) != wanted.dataBytes()) {
            throw new ProtocolException(
                    "segment " + wanted.segment() + " has changed its size under one incarnation");
        }
        report(server, wanted);
        core.replyEmpty(request);
    }

    private void endFencing(int server) throws ReadOnlyException {
        BlockMap blocks = core.state().blocks();
        if (!blocks.fencing().isSuspect(server)) {
            return;
        }
        for (int segment : blocks.segments(server)) {
            if (blocks.fencing().isFencingComplete(server, segment)) {
                core.commit(new EndFencing(server, segment));
                LOG.info("segment {} of storage server {} is fenced", segment, server);
            }
        }
    }

    private static void checkSegment(RegisterSegment.Request wanted)
            throws InvalidArgumentException {
        if (wanted.segment() >= BlockMap.MAX_SEGMENTS
                || wanted.incarnation() == 0
                || wanted.dataBytes() <= 0
                || wanted.dataBytes() > MAX_SEGMENT_BYTES
                || wanted.dataBytes() % BlockGeometry.SLAB_SIZE != 0) {
            throw new InvalidArgumentException(
                    "segment "
                            + wanted.segment()
                            + " of "
                            + wanted.dataBytes()
                            + " bytes, incarnation "
                            + wanted.incarnation()
                            + ": size must be a multiple of 1 MiB, at most 1 TiB, number below "
                            + BlockMap.MAX_SEGMENTS);
        }
    }

    private void report(int server, RegisterSegment.Request wanted) throws ProtocolException {
        BlockMap blocks = core.state().blocks();
        int lost = 0;
        int slot = wanted.firstSlot();
        for (RegisterSegment.Run run : wanted.runs()) {
            lost +=
                    blocks.reports()
                            .slots(
                                    server,
                                    wanted.segment(),
                                    wanted.incarnation(),
                                    slot,
                                    run.slots(),
                                    run.counter(),
                                    (owner, segment, record, length, generation) -> {});
            slot += run.slots();
        }
        if (wanted.last()) {
            blocks.reports().complete(server, wanted.segment());
        }
        if (lost > 0) {
            LOG.warn(
                    "{} blocks in segment {} of storage server {} are lost: the server holds"
                            + " another generation",
                    lost,
                    wanted.segment(),
                    server);
        }
    }

    void heartbeat(Request request, Peer peer) throws CrailException {
        Heartbeat.Request beat = Heartbeat.Request.decode(request.control());
        checkedServer(request, beat.server(), peer);
        new Heartbeat.Reply(core.state().servers().hasSeveralClasses())
                .encode(request.beginReply());
        core.endReply(request.connection());
    }

    void awaitCommands(Request request, Peer peer) throws CrailException {
        AwaitCommands.Request wanted = AwaitCommands.Request.decode(request.control());
        int server = checkedServer(request, wanted.server(), peer);
        endFencing(server); // Here too: there may be nothing to fence.
        links.await(server, request.later(), wanted.maxWaitMillis());
    }

    void blocksFreed(Request request, Peer peer) throws CrailException {
        BlocksFreed.Request report = BlocksFreed.Request.decode(request.control());
        int server = checkedServer(request, report.server(), peer);
        BlockMap blocks = core.state().blocks();
        List<BlocksFreed.Freed> news =
                report.blocks().stream()
                        .filter(
                                freed ->
                                        blocks.isNews(
                                                server,
                                                freed.segment(),
                                                freed.record(),
                                                freed.length(),
                                                freed.generation()))
                        .toList();
        if (!news.isEmpty()) {
            core.commit(new FreeBlocks(server, news));
            endFencing(server);
        }
        // Not logged: a block that is quarantined is one being revoked, whose server will say again
        // after a restart what holds it up.
        for (BlocksFreed.Freed held : report.held()) {
            blocks.quarantine(
                    server, held.segment(), held.record(), held.length(), held.generation());
        }
        core.replyEmpty(request);
    }
}
