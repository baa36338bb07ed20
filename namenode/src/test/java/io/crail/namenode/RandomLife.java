// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.namenode.LifeClient.Done;
import io.crail.namenode.LifeClient.Lease;
import io.crail.namenode.TreeModel.Node;
import io.crail.namenode.tree.ContainerNode;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.KeyValueNode;
import io.crail.namenode.tree.StreamNode;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Clients and a storage server that do, one after the other, whatever a seed tells them, with a
 * model that says what every answer must be.
 */
final class RandomLife {
    private static final int CLIENTS = 3;
    private static final int STORAGE_MEBIBYTES = 24;
    private static final int SLOWER_MEBIBYTES = 4;

    private final LifeWorld world;
    private final LifeNames names;
    private final LifeValues values;
    private final LifeFiles files;
    private final LifeStreams streams;
    private final LifeMembers members;
    private final LifeSplices splices;
    private final FakeStorage storage = new FakeStorage(new UUID(1, 1), 0, "storage");
    private final FakeStorage slower = new FakeStorage(new UUID(1, 2), 1, "slower");
    private List<AwaitCommands.Revoke> told = List.of();
    private int incarnation = 1;
    private boolean snapshots = true;

    RandomLife(LocalNamenode namenode, long seed) throws IOException {
        world = new LifeWorld(namenode, seed);
        names = new LifeNames(world);
        values = new LifeValues(world);
        files = new LifeFiles(world);
        streams = new LifeStreams(world);
        members = new LifeMembers(world);
        splices = new LifeSplices(world);
        storage.format(0, (long) STORAGE_MEBIBYTES << 20, incarnation);
        storage.register(namenode::connect);
        slower.format(0, (long) SLOWER_MEBIBYTES << 20, 1);
        slower.register(namenode::connect);
        for (int i = 0; i < CLIENTS; i++) {
            world.clients.add(world.newClient());
        }
    }

    /** Leaves snapshots to the test. */
    void setSnapshots(boolean value) {
        snapshots = value;
    }

    /** Lets the namenode know all that has been acknowledged. */
    void tellAcknowledged() throws IOException {
        for (LifeClient client : world.clients) {
            client.session.lookup("/");
        }
    }

    /** What each session has not acknowledged, with a client of that session at another place. */
    void repeatEverything(FrameLink.Connector elsewhere) throws IOException {
        for (LifeClient client : world.clients) {
            WireClient twin = client.session.wire().at(elsewhere);
            for (Done done : client.done) {
                LifeWorld.repeat(twin, done);
            }
        }
    }

    /** Fails if the namespace is not what the model says. */
    void compareWithModel() {
        List<String> actual = new ArrayList<>();
        lines(world.namenode.engine().state().tree().root(), "", actual);
        TestNamenode.compare(actual, TreeLines.of(world.model));
        Recount.check(world.namenode.engine().state());
    }

    private void lines(ContainerNode container, String path, List<String> lines) {
        lines.add(
                TreeLines.line(path, container.type(), 0, false)
                        + xattrs(container)
                        + TreeLines.limit(
                                container.quota().nodes() < 0
                                        ? Long.MAX_VALUE
                                        : container.quota().nodes()));
        world.checkByteLimits(container);
        container.page(
                null,
                Integer.MAX_VALUE,
                child -> {
                    String name = new String(child.name(), StandardCharsets.UTF_8);
                    if (child instanceof ContainerNode inner) {
                        lines(inner, path + "/" + name, lines);
                    } else if (child instanceof StreamNode stream) {
                        lines.add(streams.line(path + "/" + name, stream) + xattrs(stream));
                    } else if (child instanceof FileNode file) {
                        lines.add(
                                TreeLines.line(
                                                path + "/" + name,
                                                NodeType.FILE,
                                                file.length(),
                                                file.isLeased())
                                        + xattrs(file));
                    } else if (child instanceof KeyValueNode value) {
                        lines.add(
                                TreeLines.valueLine(
                                        path, name, value.length(), value.version(), text(value)));
                    }
                });
    }

    private static String xattrs(io.crail.namenode.tree.Node node) {
        Map<String, String> texts = new TreeMap<>();
        node.xattrs()
                .forEach(
                        (name, value) ->
                                texts.put(name, new String(value, StandardCharsets.UTF_8)));
        return TreeLines.xattrs(texts);
    }

    private @Nullable String text(KeyValueNode value) {
        if (!value.isInline()) {
            return null;
        }
        ByteBuffer view = world.namenode.engine().state().inline().view(value.inlineHandle());
        return StandardCharsets.UTF_8.decode(view.duplicate()).toString();
    }

    void step() throws IOException {
        LifeClient client = world.clients.get(world.random.nextInt(world.clients.size()));
        int dice = world.random.nextInt(1270);
        if (dice >= 1150) {
            splices(client, dice - 1150);
        } else if (dice >= 1000) {
            streams(client, dice - 1000);
        } else if (dice < 500) {
            names(client, dice);
        } else if (dice < 900) {
            bytes(client, dice - 500);
        } else {
            others(client, dice - 900);
        }
        if (world.random.nextInt(3) == 0) {
            world.namenode.tick();
        }
        world.expire();
    }

    private void splices(LifeClient client, int dice) throws IOException {
        if (dice < 30) {
            splices.concat(client);
        } else if (dice < 60) {
            splices.truncate(client);
        } else if (dice < 90) {
            splices.lookAtOpenFile(client);
        } else {
            files.openForReading(client);
        }
    }

    private void streams(LifeClient client, int dice) throws IOException {
        if (dice < 25) {
            streams.create(client);
        } else if (dice < 130) {
            streams.append(client);
        } else {
            streams.trim(client);
        }
    }

    private void names(LifeClient client, int dice) throws IOException {
        if (dice < 150) {
            names.create(client);
        } else if (dice < 200) {
            names.delete(client);
        } else if (dice < 260) {
            names.rename(client);
        } else if (dice < 360) {
            values.put(client);
        } else if (dice < 400) {
            values.putMany(client);
        } else if (dice < 430) {
            values.remove(client);
        } else if (dice < 470) {
            names.read(client);
        } else if (dice < 480) {
            names.lifetime(client);
        } else if (dice < 490) {
            names.xattr(client);
        } else if (dice < 494) {
            names.quota(client);
        } else {
            names.attributes(client);
        }
    }

    private void bytes(LifeClient client, int dice) throws IOException {
        if (dice < 90) {
            files.write(client);
        } else if (dice < 120) {
            members.add(client);
        } else if (dice < 260) {
            files.commit(client);
        } else if (dice < 300) {
            files.append(client);
        } else if (dice < 320) {
            files.abandon(client);
        } else if (dice < 330) {
            files.openForReading(client);
        } else if (dice < 340) {
            members.open(client);
        } else if (dice < 360) {
            files.keepAlive(client);
        } else if (dice < 380) {
            files.grantMore(client);
        } else {
            values.putBlocks(client);
        }
    }

    private void others(LifeClient client, int dice) throws IOException {
        if (dice < 40) {
            fence();
        } else if (dice < 60) {
            LifeWorld.repeat(client.session.wire(), world.anyDone(client));
        } else if (dice < 70) {
            storage.register(world.namenode::connect);
        } else if (dice < 76) {
            if (snapshots) {
                world.namenode.engine().requestSnapshot();
            }
        } else if (dice < 82) {
            end(client);
        } else if (dice < 84) {
            expire(client);
        } else if (dice < 90) {
            takeOver(client);
        } else if (dice == 90) {
            loseStorage();
        } else {
            world.namenode.advance(Duration.ofMillis(world.random.nextInt(100)));
        }
    }

    private void end(LifeClient client) throws IOException {
        client.session.endSession();
        replace(client);
    }

    private void replace(LifeClient client) throws IOException {
        world.unbound(client);
        client.leases.stream()
                .filter(lease -> lease.node.lease == lease)
                .forEach(lease -> lease.node.lease = null);
        world.clients.set(world.clients.indexOf(client), world.newClient());
    }

    /** Time in which all but one client show that they live. */
    private void silence(LifeClient silent, Duration time) throws IOException {
        for (long millis = 0; millis < time.toMillis(); millis += 900) {
            world.namenode.advance(Duration.ofMillis(900));
            world.expire();
            for (LifeClient each : world.clients) {
                if (each != silent) {
                    each.session.keepAlive(new long[0], List.of());
                }
            }
            storage.heartbeat();
            slower.heartbeat();
        }
    }

    private void expire(LifeClient client) throws IOException {
        client.session.keepAlive(new long[0], List.of());
        silence(client, Duration.ofMillis(60_900));
        try {
            client.session.lookup("/");
            throw new AssertionError("the session should have ended");
        } catch (CrailException e) {
            if (e.code() != ErrorCode.SESSION_EXPIRED) {
                throw e;
            }
        }
        replace(client);
    }

    private void takeOver(LifeClient client) throws IOException {
        client.session.keepAlive(new long[0], List.of());
        LifeClient next =
                world.clients.get((world.clients.indexOf(client) + 1) % world.clients.size());
        silence(client, Duration.ofSeconds(16));
        for (Lease lease : List.copyOf(client.leases)) {
            String path = pathOf(lease.node);
            if (lease.node.lease == lease && path != null) {
                files.open(next, path, null);
                break;
            }
        }
        client.session.keepAlive(new long[0], List.of());
    }

    private @Nullable String pathOf(Node node) {
        StringBuilder path = new StringBuilder();
        Node at = node;
        while (at.parent != null) {
            Node child = at;
            at.parent.children.forEach(
                    (name, each) -> {
                        if (each == child) {
                            path.insert(0, "/" + name);
                        }
                    });
            at = at.parent;
        }
        return at == world.model.root ? path.toString() : null;
    }

    private void fence() throws IOException {
        slower.fenceAll();
        switch (world.random.nextInt(4)) {
            case 0 -> told = storage.poll();
            case 1 -> told.forEach(storage::raise);
            case 2 -> storage.fence(told);
            default -> storage.fenceAll();
        }
    }

    private void loseStorage() throws IOException {
        told = List.of();
        incarnation++;
        int mebibytes = STORAGE_MEBIBYTES - world.random.nextInt(8);
        storage.format(0, (long) mebibytes << 20, incarnation);
        // What is returned is named without generation: nobody returns what was lost.
        world.clients.forEach(client -> client.valueGrants.clear());
        storage.register(world.namenode::connect);
    }
}
