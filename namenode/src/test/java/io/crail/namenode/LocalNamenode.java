// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.ReadOnlyException;
import io.crail.namenode.engine.Engine;
import io.crail.namenode.engine.EngineConfig;
import io.crail.namenode.engine.Recovery;
import io.crail.namenode.log.Durability;
import io.crail.namenode.log.DurabilityListener;
import io.crail.namenode.log.LogWriter;
import io.crail.namenode.log.MetadataDirectory;
import io.crail.namenode.log.MetadataFiles;
import io.crail.namenode.rpc.Connection;
import io.crail.namenode.rpc.RequestHandler;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.frame.WireWriter;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * An engine with log and snapshots but without network and threads of its own: every request is a
 * batch, time passes and snapshots advance only when the test says so. So a run depends on its seed
 * alone, and is fast. A defect of the engine fails the test at once.
 */
final class LocalNamenode implements Closeable {
    /** One object at a time: as many changes as possible fall between two steps of a snapshot. */
    private static final Duration NO_TIME = Duration.ZERO;

    private static final SocketAddress NOWHERE = InetSocketAddress.createUnresolved("local", 1);

    private final MetadataDirectory directory;
    private final LogWriter log;
    private final Engine engine;
    private final List<Link> links = new ArrayList<>();
    private static final Instant FIRST_DAY = Instant.parse("2025-01-01T00:00:00Z");
    private long nanos = 1_000_000_000_000L;
    private boolean batching;

    private LocalNamenode(
            Path path,
            EngineConfig config,
            MetadataFiles files,
            SecureRandom random,
            String bootId,
            Instant wallTime)
            throws IOException {
        Clock clock = Clock.fixed(wallTime, ZoneOffset.UTC);
        directory = MetadataDirectory.open(path, files, () -> new UUID(7, 7));
        Recovery recovery = new Recovery(directory, random, 64 << 20);
        Recovery.Result recovered = recovery.recover(false, bootId);
        log = directory.openLog(recovered.log(), Durability.PROCESS, new NotAsked());
        engine =
                new Engine(
                        config,
                        directory,
                        recovery,
                        recovered,
                        log,
                        clock,
                        () -> nanos,
                        random,
                        System::nanoTime,
                        new Gatekeeper(Credentials.NONE, Party.NAMENODE),
                        "test");
        engine.beginEpoch(
                directory.reserveEpoch(recovered.state().epoch() + 1),
                bootId,
                Durability.PROCESS,
                recovered.hasLostRecords());
    }

    /** Starts from what is in a directory, which may be nothing. */
    static LocalNamenode start(Path path) throws IOException {
        return start(path, MetadataFiles.ofSystem());
    }

    static LocalNamenode start(Path path, MetadataFiles files) throws IOException {
        return start(path, files, "boot", FIRST_DAY);
    }

    /** Starts on a host that was booted since the last time, so much later. */
    static LocalNamenode startAfterReboot(Path path, Duration later) throws IOException {
        return start(path, MetadataFiles.ofSystem(), "next boot", FIRST_DAY.plus(later));
    }

    private static LocalNamenode start(
            Path path, MetadataFiles files, String bootId, Instant wallTime) throws IOException {
        EngineConfig defaults = NamenodeConfig.builder(path).build().engine();
        EngineConfig config =
                new EngineConfig(
                        defaults.inlineLimit(),
                        defaults.maxNodes(),
                        defaults.sessionTimeout(),
                        defaults.leaseTime(),
                        defaults.deadServerTime(),
                        defaults.serverReturnTime(),
                        defaults.heartbeat(),
                        defaults.unlinkedRetention(),
                        defaults.maxResultBytes(),
                        defaults.maxXattrBytes(),
                        defaults.snapshotLogBytes(),
                        NO_TIME,
                        1,
                        defaults.placement(),
                        defaults.permissions(),
                        defaults.superuser(),
                        defaults.tiers());
        return new LocalNamenode(path, config, files, new SecureRandom(), bootId, wallTime);
    }

    /** Sequence of the last log record. */
    long logPosition() {
        return log.position();
    }

    Engine engine() {
        return engine;
    }

    FrameLink connect() {
        Link link = new Link();
        links.add(link);
        return link;
    }

    TestSession session(String name) throws IOException {
        return new TestSession(WireClient.open(this::connect, name));
    }

    /** One turn of the server without requests. */
    void tick() {
        engine.tick(nanos);
        endBatch();
    }

    /** Lets less than a second pass, so that it is no pause. */
    void advance(Duration time) {
        if (time.toMillis() >= 1000) {
            throw new IllegalArgumentException(time + " would be a pause of the namenode");
        }
        nanos += time.toNanos();
        tick();
    }

    /** From now on requests are handled, but answered only by {@link #endOneBatch}. */
    void beginBatch() {
        batching = true;
    }

    void endOneBatch() {
        batching = false;
        endBatch();
    }

    TestNamenode.Memory memory() {
        return new TestNamenode.Memory(
                StateDump.of(engine.state()).lines(), StateDump.acknowledged(engine.state()));
    }

    void assertRemembers(TestNamenode.Memory expected) {
        TestNamenode.compare(
                StateDump.of(engine.state(), expected.acknowledged()).lines(), expected.lines());
    }

    private void endBatch() {
        long ticket = engine.batchEnd();
        for (Link link : List.copyOf(links)) {
            link.endBatch(ticket);
        }
    }

    @Override
    public void close() throws IOException {
        try (directory;
                log) {
            engine.close();
        }
    }

    /** At this level of durability nothing is held. */
    private static final class NotAsked implements DurabilityListener {
        @Override
        public void durable(long sequence) {
            throw new IllegalStateException("not asked for");
        }

        @Override
        public void failed(ReadOnlyException cause) {
            throw new IllegalStateException("not asked for", cause);
        }
    }

    /** Both ends of a connection. */
    private final class Link extends Connection implements FrameLink {
        private final ArrayDeque<Answer> written = new ArrayDeque<>();
        private final ArrayDeque<Answer> arrived = new ArrayDeque<>();
        private WireWriter reply = new WireWriter(256, ProtocolLimits.MAX_FRAME);
        private int type;
        private long id;
        private int payloadStart;
        private boolean open = true;

        // The client's end.

        @Override
        public void send(byte[] frame) throws IOException {
            handle(frame);
            if (!batching) {
                LocalNamenode.this.endBatch();
            }
        }

        private void handle(byte[] frame) throws IOException {
            if (!open) {
                throw new IOException("the connection is closed");
            }
            ByteBuffer in =
                    ByteBuffer.allocateDirect(frame.length)
                            .order(ByteOrder.LITTLE_ENDIAN)
                            .put(frame)
                            .flip();
            engine.request(this, in, 0);
        }

        @Override
        public Answer receive() throws IOException {
            Answer answer = arrived.poll();
            if (answer == null) {
                throw new IOException(open ? "no answer has come" : "the connection is closed");
            }
            return answer;
        }

        @Override
        public void close() {
            if (open) {
                close("closed by the client");
            }
        }

        // The engine's end.

        void endBatch(long ticket) {
            if (ticket == RequestHandler.DISCARD && !written.isEmpty()) {
                written.clear();
                close("answers withdrawn");
            }
            arrived.addAll(written);
            written.clear();
        }

        @Override
        public SocketAddress remoteAddress() {
            return NOWHERE;
        }

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void established(int maxFrame) {}

        @Override
        public WireWriter beginReply(int newType, long requestId, long traceId) {
            reply = new WireWriter(256, ProtocolLimits.MAX_FRAME);
            type = newType;
            id = requestId;
            payloadStart = -1;
            return reply;
        }

        @Override
        public void beginPayload() {
            payloadStart = reply.position();
        }

        @Override
        public void endReply(int status, long epoch) {
            int end = reply.position();
            byte[] control = new byte[payloadStart < 0 ? end : payloadStart];
            byte[] payload = new byte[end - control.length];
            reply.buffer().get(0, control).get(control.length, payload);
            written.add(new Answer(type, id, status, epoch, control, payload));
        }

        @Override
        public void abandonReply() {
            reply.rewindTo(0);
        }

        @Override
        public void close(String reason) {
            open = false;
            links.remove(this);
            engine.closed(this);
        }

        @Override
        public void closeAfterReplies(String reason) {
            open = false;
            links.remove(this);
            arrived.addAll(written);
            engine.closed(this);
        }

        @Override
        protected void appendPayload(ByteBuffer payload) {
            beginPayload();
            reply.raw(payload);
        }
    }
}
