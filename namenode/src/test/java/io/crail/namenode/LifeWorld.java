// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.namenode.FrameLink.Answer;
import io.crail.namenode.LifeClient.Done;
import io.crail.namenode.TreeModel.Node;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.Lifetimes;
import io.crail.namenode.tree.Quota;
import io.crail.protocol.message.KeepAlive;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the clients of a random life share: the dice, the model, and how to ask. */
final class LifeWorld {
    /** What a request that needs blocks may fail with. */
    static final Set<ErrorCode> NO_ROOM =
            Collections.unmodifiableSet(
                    EnumSet.of(ErrorCode.OUT_OF_SPACE, ErrorCode.BUSY, ErrorCode.QUOTA_EXCEEDED));

    private static final int UNACKNOWLEDGED = 12;

    final LocalNamenode namenode;
    final Random random;
    final TreeModel model = new TreeModel();
    final List<LifeClient> clients = new ArrayList<>();
    private long sessions;

    /** By id of a container: bytes that it held when a lower limit was set. */
    final Map<Long, Long> floors = new HashMap<>();

    LifeWorld(LocalNamenode namenode, long seed) {
        this.namenode = namenode;
        this.random = new Random(seed);
    }

    LifeClient newClient() throws IOException {
        TestSession session = namenode.session("client" + ++sessions);
        session.wire().setAcknowledging(false);
        return new LifeClient(session);
    }

    /**
     * Asks for a mutation; null if it failed as expected.
     *
     * @param expected the error it must fail with, or null for success
     * @param allowed errors it may fail with although it could succeed
     */
    @Nullable Answer mutate(
            LifeClient client,
            Message message,
            byte[] payload,
            @Nullable ErrorCode expected,
            Set<ErrorCode> allowed)
            throws IOException {
        WireClient wire = client.session.wire();
        long id = wire.nextId();
        Answer answer = wire.ask(id, message, payload);
        if (answer.status() != 0) {
            ErrorCode code = ErrorCode.ofWire(answer.status());
            if (code != expected && !allowed.contains(code)) {
                throw unexpected(message, expected, answer);
            }
            return null;
        }
        if (expected != null) {
            throw unexpected(message, expected, answer);
        }
        client.done.add(new Done(id, message, payload, answer));
        if (client.done.size() > UNACKNOWLEDGED) {
            wire.acknowledge(client.done.removeFirst().id());
        }
        return answer;
    }

    private static AssertionError unexpected(
            Message message, @Nullable ErrorCode expected, Answer answer) {
        String what = "success";
        try {
            answer.orThrow();
        } catch (CrailException e) {
            what = e.toString();
        }
        return new AssertionError(message + " should give " + expected + ", gave " + what);
    }

    @Nullable Answer mutate(LifeClient client, Message message, @Nullable ErrorCode expected)
            throws IOException {
        return mutate(client, message, FrameLink.NO_PAYLOAD, expected, Set.of());
    }

    String path() {
        StringBuilder path = new StringBuilder();
        int depth = 1 + random.nextInt(3);
        for (int i = 0; i < depth; i++) {
            path.append('/').append((char) ('a' + random.nextInt(4)));
        }
        return path.toString();
    }

    /** Mostly the path of a node of this type (null: any), if there is one. */
    String path(@Nullable NodeType type) {
        List<String> existing = model.paths(type);
        return existing.isEmpty() || random.nextInt(5) == 0
                ? path()
                : existing.get(random.nextInt(existing.size()));
    }

    String key() {
        return "k" + random.nextInt(12);
    }

    /** Lifetimes in which a few steps of a run are done, or many. */
    long lifetime() {
        return random.nextInt(4) == 0 ? 1 + random.nextInt(3000) : -1;
    }

    /** When what is made now with a lifetime goes. */
    long deadline(long lifetime) {
        return lifetime < 0
                ? Long.MAX_VALUE
                : namenode.engine().state().tree().lifetimes().now() + lifetime;
    }

    /** Time has passed: what was due is gone. */
    void expire() {
        Lifetimes lifetimes = namenode.engine().state().tree().lifetimes();
        while (lifetimes.due() != null) {
            namenode.tick();
        }
        forgetLeasesBelow(model.expire(lifetimes.now()));
    }

    /** The session of a client has ended. */
    void unbound(LifeClient client) {
        forgetLeasesBelow(model.removeIf(node -> node.bound == client));
    }

    /** Leases below a removed directory end some time later. */
    void forgetLeasesBelow(List<Node> removed) {
        for (LifeClient client : clients) {
            client.leases.removeIf(lease -> removed.stream().anyMatch(n -> isBelow(lease.node, n)));
        }
    }

    private static boolean isBelow(Node node, Node top) {
        for (Node up = node; up != null; up = up.parent) {
            if (up == top) {
                return node != top;
            }
        }
        return false;
    }

    /** Bytes below containers never exceed their limits, unless they did when these were set. */
    void checkByteLimits(ContainerNode container) {
        Map<Integer, Long> limits = container.quota().bytes();
        limits.forEach(
                (storageClass, limit) -> {
                    long used =
                            storageClass == Quota.ALL_CLASSES
                                    ? container.below().allocated()
                                    : container.below().allocated(storageClass);
                    if (used > Math.max(limit, floors.getOrDefault(container.id(), 0L))) {
                        throw new AssertionError(
                                container.path() + " holds " + used + " bytes, limit " + limit);
                    }
                });
    }

    Done anyDone(LifeClient client) throws IOException {
        if (client.done.isEmpty()) {
            // A mutation that does not matter.
            Message none = new KeepAlive.Request(new long[] {-1}, List.of());
            mutate(client, none, FrameLink.NO_PAYLOAD, null, Set.of());
        }
        List<Done> all = List.copyOf(client.done);
        return all.get(random.nextInt(all.size()));
    }

    static void repeat(WireClient wire, Done done) throws IOException {
        Answer again = wire.ask(done.id(), done.message(), done.payload());
        byte[] is = again.control();
        byte[] should = done.answer().control();
        if (done.message() instanceof Open.Request
                || done.message() instanceof OpenMembers.Request) {
            is = Arrays.copyOf(is, 8); // References may be marked as lost meanwhile.
            should = Arrays.copyOf(should, 8);
        }
        if (again.status() != done.answer().status()
                || (!(done.message() instanceof KeepAlive.Request) && !Arrays.equals(is, should))) {
            throw new AssertionError("another answer to " + done + ": " + again.orThrow());
        }
    }
}
