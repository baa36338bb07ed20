// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.FrameLink.Connector;
import io.crail.namenode.FrameLink.Header;
import io.crail.protocol.block.BlockGeometry;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Generation;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.BlocksFreed;
import io.crail.protocol.message.Heartbeat;
import io.crail.protocol.message.Hello;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterServer;
import io.crail.protocol.message.ServerTable;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The namenode's side of a storage server: segments that have generation words and no bytes. It
 * does nothing by itself: the test says when it registers, asks for work, and fences. Not
 * thread-safe.
 */
final class FakeStorage implements Closeable {
    private static final int RUNS_PER_REPORT = 1000;

    /** The generation words of one segment: those that were raised; a TiB has 268 million. */
    record Segment(int incarnation, int slots, TreeMap<Integer, Integer> raised) {
        long dataBytes() {
            return (long) slots * BlockGeometry.SLOT_SIZE;
        }

        int counter(int record) {
            return raised.getOrDefault(record, Generation.FIRST_COUNTER);
        }
    }

    private final UUID uuid;
    private final int storageClass;
    private final String host;
    private final Map<Integer, Segment> segments = new TreeMap<>();
    private @Nullable FrameLink connection;
    private int id;
    private int smallestBlock = BlockGeometry.MIN_BLOCK;
    private long lastRequest;

    FakeStorage(UUID uuid, int storageClass, String host) {
        this.uuid = uuid;
        this.storageClass = storageClass;
        this.host = host;
    }

    int id() {
        return id;
    }

    /** What it says from the next registration on. */
    void setSmallestBlock(int bytes) {
        smallestBlock = bytes;
    }

    /** Puts a new segment file, with another one's number or not. */
    void format(int segment, long bytes, int incarnation) {
        int slots = (int) (bytes / BlockGeometry.SLOT_SIZE);
        segments.put(segment, new Segment(incarnation, slots, new TreeMap<>()));
    }

    /** The generation word of a slot. */
    long generation(int segment, int record) {
        Segment target = segment(segment);
        return Generation.of(target.incarnation, target.counter(record));
    }

    /** Sets a generation word, as if the namenode had lost what happened meanwhile. */
    void setCounter(int segment, int record, int counter) {
        segment(segment).raised.put(record, counter);
    }

    private Segment segment(int number) {
        Segment segment = segments.get(number);
        if (segment == null) {
            throw new IllegalArgumentException("no segment " + number);
        }
        return segment;
    }

    /** Whether a data request with this reference would be served. */
    boolean serves(BlockReference reference) {
        return segments.containsKey(reference.segment())
                && generation(reference.segment(), reference.record()) == reference.generation();
    }

    /** Connects, says who it is, and reports all segments. */
    RegisterServer.Reply register(Connector connector) throws IOException {
        RegisterServer.Reply reply = introduce(connector);
        reportAll();
        return reply;
    }

    /** Connects and says who it is, without reporting segments. */
    RegisterServer.Reply introduce(Connector connector) throws IOException {
        return introduce(connector, List.of(new ServerTable.Endpoint("tcp", host, 9999)));
    }

    /** As {@link #introduce(Connector)}, where clients reach it so. */
    RegisterServer.Reply introduce(Connector connector, List<ServerTable.Endpoint> endpoints)
            throws IOException {
        close();
        FrameLink fresh = connector.connect();
        connection = fresh;
        fresh.hello(FrameLink.helloOf(Hello.ROLE_STORAGE, 0, new byte[16]));
        RegisterServer.Reply reply =
                RegisterServer.Reply.decode(
                        ask(new RegisterServer.Request(
                                        uuid,
                                        host,
                                        "dram",
                                        storageClass,
                                        host,
                                        endpoints,
                                        "test",
                                        "http://" + host + ":9",
                                        smallestBlock))
                                .orThrow()
                                .reader());
        id = reply.id();
        return reply;
    }

    void reportAll() throws IOException {
        for (int number : segments.keySet()) {
            report(number);
        }
    }

    private void report(int number) throws IOException {
        Segment segment = segment(number);
        List<RegisterSegment.Run> runs = new ArrayList<>();
        int first = 0;
        int slot = 0;
        while (slot < segment.slots) {
            int end = segment.raised.containsKey(slot) ? slot + 1 : nextRaised(segment, slot);
            runs.add(new RegisterSegment.Run(end - slot, segment.counter(slot)));
            slot = end;
            boolean last = slot == segment.slots;
            if (last || runs.size() == RUNS_PER_REPORT) {
                ask(new RegisterSegment.Request(
                                id,
                                number,
                                segment.incarnation,
                                segment.dataBytes(),
                                first,
                                last,
                                List.copyOf(runs)))
                        .orThrow();
                runs.clear();
                first = slot;
            }
        }
    }

    private static int nextRaised(Segment segment, int slot) {
        @Nullable Integer next = segment.raised.higherKey(slot);
        return next == null ? segment.slots : next;
    }

    void heartbeat() throws IOException {
        ask(new Heartbeat.Request(id, 0, 0, 0, 0)).orThrow();
    }

    /** Asks for work without waiting for it. */
    List<AwaitCommands.Revoke> poll() throws IOException {
        return AwaitCommands.Reply.decode(ask(new AwaitCommands.Request(id, 0)).orThrow().reader())
                .revokes();
    }

    /** Raises the generations of blocks, as far as they are not raised already, and says so. */
    void fence(List<AwaitCommands.Revoke> revokes) throws IOException {
        List<BlocksFreed.Freed> freed = new ArrayList<>();
        for (AwaitCommands.Revoke revoke : revokes) {
            freed.add(raise(revoke));
        }
        report(freed);
    }

    /** Raises a generation without telling. */
    BlocksFreed.Freed raise(AwaitCommands.Revoke revoke) {
        Segment segment = segment(revoke.segment());
        int record = revoke.record();
        if (segment.incarnation == Generation.incarnation(revoke.generation())
                && Integer.compareUnsigned(
                                segment.counter(record), Generation.counter(revoke.generation()))
                        <= 0) {
            segment.raised.put(record, Generation.counter(revoke.generation()) + 1);
        }
        return new BlocksFreed.Freed(
                revoke.segment(), record, revoke.length(), generation(revoke.segment(), record));
    }

    void report(List<BlocksFreed.Freed> freed) throws IOException {
        ask(new BlocksFreed.Request(id, freed, List.of())).orThrow();
    }

    /** Says that somebody on its host still holds these blocks. */
    void reportHeld(List<AwaitCommands.Revoke> revokes) throws IOException {
        List<BlocksFreed.Freed> held =
                revokes.stream()
                        .map(
                                revoke ->
                                        new BlocksFreed.Freed(
                                                revoke.segment(),
                                                revoke.record(),
                                                revoke.length(),
                                                revoke.generation()))
                        .toList();
        ask(new BlocksFreed.Request(id, List.of(), held)).orThrow();
    }

    /** Fences until there is nothing to fence; returns how many blocks that were. */
    int fenceAll() throws IOException {
        int total = 0;
        List<AwaitCommands.Revoke> revokes = poll();
        while (!revokes.isEmpty()) {
            fence(revokes);
            total += revokes.size();
            revokes = poll();
        }
        return total;
    }

    /** The connection; there must be one. */
    FrameLink link() throws IOException {
        FrameLink target = connection;
        if (target == null) {
            throw new IOException("the server is not connected");
        }
        return target;
    }

    /** Sends any request on the server's connection and returns its answer. */
    Answer ask(Message message) throws IOException {
        FrameLink target = link();
        target.send(
                FrameLink.frame(
                        new Header(0, message.type().wire(), ++lastRequest, 0, 0),
                        FrameLink.control(message),
                        FrameLink.NO_PAYLOAD));
        return target.receive();
    }

    @Override
    public void close() throws IOException {
        if (connection != null) {
            connection.close();
            connection = null;
        }
    }
}
