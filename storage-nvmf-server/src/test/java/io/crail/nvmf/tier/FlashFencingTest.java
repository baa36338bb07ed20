// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.queue.Rider;
import io.crail.nvmf.initiator.queue.SharedExtras;
import io.crail.nvmf.layout.CommandTag;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.nvmf.tier.TierFixture.Host;
import io.crail.nvmf.wire.command.IoOpcode;
import io.crail.nvmf.wire.status.StatusCode;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.FreedListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongPredicate;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is kept from a block when it was revoked, and when it is reported as freed. */
@Timeout(60)
class FlashFencingTest {
    private static final int RECORD = 256;
    private static final int BLOCK = 1 << 20;

    @TempDir Path directory;

    /** What a revocation has said. */
    private static final class Said implements FreedListener {
        final List<Long> freed = new CopyOnWriteArrayList<>();
        final AtomicInteger held = new AtomicInteger();

        @Override
        public void freed(long generation) {
            freed.add(generation);
        }

        @Override
        public void held() {
            held.incrementAndGet();
        }
    }

    /**
     * Stops a write at the medium, one into data unless the test says otherwise, until it is let
     * go.
     */
    private static final class Barrier implements MediumHook {
        volatile LongPredicate stops = position -> position >= BLOCK;
        final AtomicBoolean armed = new AtomicBoolean();
        final CountDownLatch arrived = new CountDownLatch(1);
        final CountDownLatch go = new CountDownLatch(1);
        final AtomicInteger flushes = new AtomicInteger();

        @Override
        public void before(Access access, long position, int bytes) throws IOException {
            if (access == Access.FLUSH) {
                flushes.incrementAndGet();
            }
            if (access == Access.WRITE
                    && stops.test(position)
                    && armed.compareAndSet(true, false)) {
                arrived.countDown();
                try {
                    if (!go.await(50, TimeUnit.SECONDS)) {
                        throw new IOException("nobody let it go");
                    }
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
        }
    }

    private static CommandTag tag(Host host, int counter) {
        return new CommandTag(RECORD, BLOCK, host.generation(counter));
    }

    @Test
    void onlyCommandsOfTheGenerationOfNowReachABlock() throws Exception {
        try (TierFixture fixture = TierFixture.open(directory, MediumHook.NONE).admitted();
                Host host = fixture.host(3)) {
            assertThat(host.write(tag(host, 1), 1)).isNull();
            assertThat(host.write(tag(host, 2), 2)).isEqualTo(StatusCode.REFERENCE_TAG_CHECK_ERROR);
            Said said = new Said();
            fixture.tier.revoke(0, RECORD, BLOCK, host.generation(1), said);
            Awaitility.await().until(() -> !said.freed.isEmpty());
            assertThat(said.freed).containsExactly(host.generation(2));
            assertThat(host.write(tag(host, 1), 3)).isEqualTo(StatusCode.REFERENCE_TAG_CHECK_ERROR);
            assertThatThrownBy(() -> host.first(tag(host, 1)))
                    .isInstanceOf(NvmeStatusException.class);
            assertThat(host.first(tag(host, 2))).isEqualTo((byte) 1);
        }
    }

    @Test
    void aWriteThatIsAtTheMediumIsWaitedForHoweverLongItTakes() throws Exception {
        Barrier barrier = new Barrier();
        try (TierFixture fixture = TierFixture.open(directory, barrier).admitted();
                Host host = fixture.host(3)) {
            barrier.armed.set(true);
            CompletableFuture<@Nullable NvmeException> slow = host.beginWrite(tag(host, 1), 9);
            assertThat(barrier.arrived.await(30, TimeUnit.SECONDS)).isTrue();
            int before = barrier.flushes.get();
            Said said = new Said();
            fixture.tier.revoke(0, RECORD, BLOCK, host.generation(1), said);
            // The counter is on the medium, and the limit is over: the block is told of, not freed.
            Awaitility.await().until(() -> barrier.flushes.get() > before);
            Awaitility.await().until(() -> said.held.get() > 0);
            assertThat(said.freed).isEmpty();
            assertThat(fixture.tier.statistics().quarantined()).isOne();
            assertThat(fixture.segment.join().counters()[RECORD]).isOne();
            assertThat(host.write(tag(host, 1), 8)).isEqualTo(StatusCode.REFERENCE_TAG_CHECK_ERROR);
            assertThat(host.write(tag(host, 2), 8))
                    .as("nobody has the new generation yet")
                    .isEqualTo(StatusCode.REFERENCE_TAG_CHECK_ERROR);
            // Other blocks are nobody's concern.
            CommandTag other = new CommandTag(0, BLOCK, host.generation(1));
            assertThat(host.write(other, 4)).isNull();
            barrier.go.countDown();
            Awaitility.await().until(() -> !said.freed.isEmpty());
            assertThat(said.freed).containsExactly(host.generation(2));
            assertThat(Host.code(slow)).isNull();
            assertThat(host.write(tag(host, 2), 5)).isNull();
            assertThat(host.first(tag(host, 2))).isEqualTo((byte) 5);
        }
    }

    @Test
    void aBlockIsNotFreedBeforeItsCounterIsOnTheMedium() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        AtomicInteger refused = new AtomicInteger();
        MediumHook hook =
                (access, position, bytes) -> {
                    if (broken.get() && access == MediumHook.Access.FLUSH) {
                        refused.incrementAndGet();
                        throw new IOException("the device does not flush");
                    }
                };
        try (TierFixture fixture = TierFixture.open(directory, hook).admitted();
                Host host = fixture.host(3)) {
            broken.set(true);
            Said said = new Said();
            fixture.tier.revoke(0, RECORD, BLOCK, host.generation(1), said);
            Awaitility.await().until(() -> refused.get() > 1);
            assertThat(said.freed).isEmpty();
            broken.set(false);
            Awaitility.await().until(() -> !said.freed.isEmpty());
        }
        try (TierFixture again = TierFixture.open(directory, MediumHook.NONE)) {
            assertThat(again.segment.join().counters()[RECORD]).isEqualTo(2);
        }
    }

    @Test
    void aCommandReachesNothingButItsBlockAndTheSuperblock() throws Exception {
        try (TierFixture fixture = TierFixture.open(directory, MediumHook.NONE).admitted();
                Host host = fixture.host(3)) {
            FlashLayout layout = host.layout();
            CommandTag tag = tag(host, 1);
            long data = layout.dataOffset(RECORD);
            assertThat(host.status(IoOpcode.WRITE, data + BLOCK - 4096, tag)).isNull();
            assertThat(host.status(IoOpcode.WRITE, layout.recordOffset(RECORD), tag)).isNull();
            for (long outside :
                    new long[] {
                        0,
                        4096,
                        FlashLayout.COUNTERS_OFFSET,
                        layout.recordOffset(0),
                        layout.recordOffset(RECORD) + 4096,
                        data - 4096,
                        data + BLOCK
                    }) {
                assertThat(host.status(IoOpcode.WRITE, outside, tag))
                        .as("position %s", outside)
                        .isEqualTo(StatusCode.ACCESS_DENIED);
            }
            assertThat(host.status(IoOpcode.READ, 0, CommandTag.NONE)).isNull();
            assertThat(host.status(IoOpcode.READ, FlashLayout.COUNTERS_OFFSET, CommandTag.NONE))
                    .isEqualTo(StatusCode.ACCESS_DENIED);
            CommandTag forged = new CommandTag(RECORD + 1, BLOCK, host.generation(1));
            assertThat(host.status(IoOpcode.WRITE, data, forged))
                    .isEqualTo(StatusCode.ACCESS_DENIED);
        }
    }

    /** A unit full of one number, somewhere. */
    private static final class Unit implements Rider {
        private final long block;
        private final AtomicInteger put = new AtomicInteger();

        Unit(long position) {
            this.block = position / 4096;
        }

        @Override
        public long firstBlock() {
            return block;
        }

        @Override
        public void put(ByteBuffer memory, int at) {
            put.incrementAndGet();
            memory.put(at, (byte) 77);
        }

        @Override
        public void take(ByteBuffer memory, int at) {
            throw new AssertionError("nothing is read");
        }
    }

    private static final int LARGE = 64 << 10;

    /** Moves data until the target shares memory with the queue of this thread. */
    private static void share(Host host) throws Exception {
        ByteBuffer data = ByteBuffer.allocateDirect(LARGE);
        long at = host.layout().dataOffset(RECORD);
        for (int i = 0; i < 5000 && !host.namespace().takesRiders(at / 4096, LARGE); i++) {
            assertThat(Host.code(host.begin(IoOpcode.WRITE, at, data, tag(host, 1)))).isNull();
        }
        assertThat(host.namespace().takesRiders(at / 4096, LARGE)).isTrue();
    }

    private static CompletableFuture<@Nullable NvmeException> ride(
            Host host, CommandTag tag, Unit unit) {
        CompletableFuture<@Nullable NvmeException> done = new CompletableFuture<>();
        host.namespace()
                .command(
                        IoOpcode.WRITE,
                        host.layout().dataOffset(RECORD) / 4096,
                        ByteBuffer.allocateDirect(LARGE),
                        tag::encode,
                        new SharedExtras(unit, null, null),
                        done::complete)
                .start();
        return done;
    }

    @Test
    void whatGoesAlongIsTheRecordOfTheBlockAndNothingElse() throws Exception {
        try (TierFixture fixture = TierFixture.open(directory, MediumHook.NONE).admitted();
                Host host = fixture.host(3)) {
            share(host);
            FlashLayout layout = host.layout();
            CommandTag tag = tag(host, 1);
            Unit record = new Unit(layout.recordOffset(RECORD));
            assertThat(Host.code(ride(host, tag, record))).isNull();
            assertThat(record.put).hasValue(1);
            ByteBuffer stored = ByteBuffer.allocateDirect(4096);
            long at = layout.recordOffset(RECORD);
            assertThat(Host.code(host.begin(IoOpcode.READ, at, stored, tag))).isNull();
            assertThat(stored.get(0)).isEqualTo((byte) 77);
            for (long outside :
                    new long[] {
                        4096,
                        FlashLayout.COUNTERS_OFFSET,
                        layout.recordOffset(0),
                        layout.recordOffset(RECORD) + 4096,
                        layout.dataOffset(RECORD),
                        layout.dataOffset(0)
                    }) {
                assertThat(Host.code(ride(host, tag, new Unit(outside))))
                        .as("position %s", outside)
                        .isEqualTo(StatusCode.ACCESS_DENIED);
            }
            assertThat(Host.code(ride(host, tag(host, 2), record)))
                    .isEqualTo(StatusCode.REFERENCE_TAG_CHECK_ERROR);
        }
    }

    @Test
    void aRecordThatGoesAlongIsWaitedForToo() throws Exception {
        Barrier barrier = new Barrier();
        try (TierFixture fixture = TierFixture.open(directory, barrier).admitted();
                Host host = fixture.host(3)) {
            share(host);
            long at = host.layout().recordOffset(RECORD);
            barrier.stops = position -> position == at;
            barrier.armed.set(true);
            Unit record = new Unit(at);
            CompletableFuture<@Nullable NvmeException> slow = ride(host, tag(host, 1), record);
            assertThat(barrier.arrived.await(30, TimeUnit.SECONDS)).isTrue();
            Said said = new Said();
            fixture.tier.revoke(0, RECORD, BLOCK, host.generation(1), said);
            Awaitility.await().until(() -> said.held.get() > 0);
            assertThat(said.freed).isEmpty();
            barrier.go.countDown();
            Awaitility.await().until(() -> !said.freed.isEmpty());
            assertThat(Host.code(slow)).isNull();
        }
    }

    @Test
    void onlySessionsWithATicketConnect() throws Exception {
        try (TierFixture fixture = TierFixture.open(directory, MediumHook.NONE)) {
            long good = TierFixture.ticket(3, TierFixture.KEY);
            assertThatThrownBy(() -> fixture.connect(3, good))
                    .hasMessageContaining("connect controller busy");
            fixture.admitted();
            assertThatThrownBy(() -> fixture.connect(3, good + 1))
                    .hasMessageContaining("connect invalid host");
            assertThatThrownBy(() -> fixture.connect(4, good))
                    .hasMessageContaining("connect invalid host");
            fixture.connect(3, good).close();
        }
    }

    @Test
    void anotherKeyEndsTheSessionsOfTheOldOne() throws Exception {
        byte[] other = TierFixture.KEY.clone();
        other[0] ^= 1;
        try (TierFixture fixture = TierFixture.open(directory, MediumHook.NONE).admitted();
                Host host = fixture.host(3)) {
            assertThat(host.write(tag(host, 1), 1)).isNull();
            fixture.tier.admit(new Admission(TierFixture.CLUSTER, TierFixture.SERVER, other, 2));
            assertThatThrownBy(() -> host.write(tag(host, 1), 2)).isInstanceOf(NvmeException.class);
            fixture.connect(3, TierFixture.ticket(3, other)).close();
        }
    }
}
