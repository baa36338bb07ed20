// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import io.crail.namenode.tier.TierConfig;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Open;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A namenode with two storage classes of a server each, of 20 MiB and 40 MiB, and a mover. */
abstract class TwoClasses {
    static final int MIB = 1 << 20;
    static final Duration IDLE = Duration.ofSeconds(10);

    @TempDir Path directory;
    TestNamenode namenode;
    FakeStorage fast;
    FakeStorage slow;
    TestSession session;
    TestMover mover;

    @BeforeEach
    void start() throws IOException {
        namenode =
                TestNamenode.start(
                        directory, builder -> builder.tiers(new TierConfig(80, 50, IDLE, 3)));
        fast = storage(0, 20);
        slow = storage(1, 40);
        session = namenode.session("user");
        mover = new TestMover(session);
    }

    FakeStorage storage(int storageClass, int mebibytes) throws IOException {
        FakeStorage storage =
                new FakeStorage(new UUID(1, storageClass), storageClass, "host" + storageClass);
        storage.format(0, (long) mebibytes * MIB, storageClass + 1);
        storage.register(namenode::connect);
        return storage;
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        fast.close();
        slow.close();
        namenode.close();
    }

    void files(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            session.file("/f" + i, MIB);
            pass(Duration.ofSeconds(1));
        }
    }

    /** The clients and servers live on meanwhile. */
    void pass(Duration time) throws IOException {
        for (long left = time.toSeconds(); left > 0; left -= 10) {
            namenode.advance(Duration.ofSeconds(Math.min(10, left)));
            session.lookup("/");
            fast.fenceAll();
            slow.fenceAll();
        }
    }

    void read(String path, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            session.closeHandle(session.open(path, Open.READ, 0).handle());
        }
    }

    Set<Integer> serversOf(String path) throws IOException {
        return extents(path).stream().map(e -> e.block().server()).collect(Collectors.toSet());
    }

    List<Extent> extents(String path) throws IOException {
        return session.lookup(path, Lookup.EXTENTS).extents();
    }
}
