// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.namenode.tier.Coldness;
import io.crail.namenode.tree.FileNode;
import io.crail.namenode.tree.Node;
import io.crail.namenode.tree.UseClock;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Open;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever has been done with files before: what a class that is too full loses, and keeps. */
final class TierPropertyTest {
    private static final int MIB = 1 << 20;
    private static final int FAST_MIB = 16;
    private static final int IDLE_SECONDS = 60;
    private static final double HIGH = 0.85;
    private static final double LOW = 0.75;

    /** What a file was before anything moved. */
    private record Before(boolean used, int lastUse, long fastBytes) {}

    @Property(tries = 40)
    void theColdestGoAndNothingThatIsInUse(@ForAll long seed) throws IOException {
        Path directory = Files.createTempDirectory("tiers");
        try (LocalNamenode namenode = LocalNamenode.start(directory)) {
            new Run(namenode, new Random(seed)).check();
        } finally {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        }
    }

    private static final class Run {
        private final LocalNamenode namenode;
        private final Random random;
        private final FakeStorage fast;
        private final FakeStorage slow;
        private final TestSession session;
        private final TestMover mover;
        private int files;

        Run(LocalNamenode namenode, Random random) throws IOException {
            this.namenode = namenode;
            this.random = random;
            fast = storage(0, FAST_MIB);
            slow = storage(1, 2 * FAST_MIB);
            session = namenode.session("test");
            mover = new TestMover(session);
        }

        private FakeStorage storage(int storageClass, int mebibytes) throws IOException {
            FakeStorage storage = new FakeStorage(new UUID(1, storageClass), storageClass, "host");
            storage.format(0, (long) mebibytes * MIB, storageClass + 1);
            storage.register(namenode::connect);
            return storage;
        }

        private void pass(int seconds) throws IOException {
            for (int half = 0; half < 2 * seconds; half++) {
                namenode.advance(Duration.ofMillis(500));
                if (half % 20 == 0) {
                    session.lookup("/");
                    fast.fenceAll();
                    slow.fenceAll();
                }
            }
        }

        private double use() throws IOException {
            return (double) mover.use(0).used() / (FAST_MIB * MIB);
        }

        void check() throws IOException {
            double wanted = 0.6 + random.nextDouble() * 0.38;
            while (use() < wanted) {
                act();
            }
            pass(random.nextInt(2 * IDLE_SECONDS));
            boolean tooFull = use() > HIGH;
            int now = namenode.engine().state().tree().useClock().seconds();
            Map<String, Before> before = before();
            List<String> moved = mover.work(fast.id());
            if (!tooFull) {
                assertThat(moved).isEmpty();
            }
            boolean anyColdLeft = false;
            for (Map.Entry<String, Before> each : before.entrySet()) {
                Before file = each.getValue();
                if (file.used || now - file.lastUse < IDLE_SECONDS) {
                    assertThat(moved).doesNotContain(each.getKey());
                } else if (!moved.contains(each.getKey()) && file.fastBytes > 0) {
                    anyColdLeft = true;
                    for (String other : moved) {
                        Before gone = Objects.requireNonNull(before.get(other));
                        assertThat(Coldness.step(now - gone.lastUse))
                                .as(other + " is as cold as " + each.getKey())
                                .isGreaterThanOrEqualTo(Coldness.step(now - file.lastUse));
                    }
                }
            }
            if (tooFull && anyColdLeft) {
                assertThat(use()).isLessThanOrEqualTo(LOW).isGreaterThan(LOW - 1.01 / FAST_MIB);
            }
            assertThat(mover.work(fast.id())).isEmpty();
            assertThat(mover.work(slow.id())).noneMatch(moved::contains);
            assertThat(mover.work(fast.id())).isEmpty();
            namenode.engine().state().blocks().checkConservation();
        }

        /** Makes a file, or uses one. */
        private void act() throws IOException {
            pass(random.nextInt(6));
            int what = random.nextInt(10);
            if (what < 6 || files == 0) {
                // Blocks of one size, so that each file has one, however full the class is.
                int length = MIB / 4 + 1 + random.nextInt(MIB / 4);
                String path = "/f" + files++;
                if (random.nextInt(8) == 0) {
                    session.write(path, length);
                } else {
                    session.file(path, length);
                }
            } else if (what < 9) {
                session.lookup("/f" + random.nextInt(files), Lookup.EXTENTS);
            } else {
                session.open("/f" + random.nextInt(files), Open.READ, 0);
            }
        }

        private Map<String, Before> before() {
            Map<String, Before> all = new TreeMap<>();
            for (int i = 0; i < files; i++) {
                Node node =
                        namenode.engine().state().tree().root().find(TestSession.bytes("f" + i));
                FileNode file = (FileNode) Objects.requireNonNull(node);
                long fastBytes = 0;
                for (int e = 0; e < file.extents().count(); e++) {
                    boolean isFast = file.extents().server(e) == fast.id();
                    fastBytes += isFast ? file.extents().blockLength(e) : 0;
                }
                all.put(
                        "/f" + i,
                        new Before(file.isOpen(), UseClock.lastUse(file.extents()), fastBytes));
            }
            return all;
        }
    }
}
