// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.crail.nvmf.fabric.Fabric;
import io.crail.nvmf.fabric.FabricNamespace;
import io.crail.nvmf.initiator.BlockRange;
import io.crail.nvmf.initiator.IoCompletion;
import io.crail.nvmf.initiator.NvmeController;
import io.crail.nvmf.initiator.NvmeNamespace;
import io.crail.nvmf.initiator.error.NvmeException;
import io.crail.nvmf.initiator.error.NvmeOutcomeUnknownException;
import io.crail.nvmf.initiator.error.NvmeStatusException;
import io.crail.nvmf.initiator.error.NvmeTimeoutException;
import io.crail.nvmf.layout.ExternalTiming;
import io.crail.nvmf.layout.FlashLayout;
import io.crail.nvmf.layout.OwnerRecord;
import io.crail.nvmf.layout.StoredCounter;
import io.crail.nvmf.tier.ExternalFixture.Freeing;
import io.crail.nvmf.tier.ExternalFixture.Joined;
import io.crail.nvmf.wire.status.StatusCode;
import io.crail.protocol.block.BlockGeometry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a target is told of freed blocks, and that nobody gets them before that has ended. */
@Timeout(120)
@SuppressWarnings("NullAway.Init") // Started before each test.
class DeallocationTest {
    private static final Duration QUARANTINE =
            new ExternalTiming(Duration.ofMillis(ExternalFixture.KEEP_ALIVE_MILLIS)).quarantine();
    private static final int BYTES = 8 << 20;
    private static final FlashLayout LAYOUT = FlashLayout.within(BYTES);
    private static final int SLOT = FlashLayout.UNITS_PER_SLOT;
    private static final int RECORD = 16 * SLOT;

    /** Logical blocks of our target. */
    private static final int BLOCK = 4096;

    @TempDir Path directory;
    private ExternalFixture fixture;

    /** What was sent, and not answered yet. */
    private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();

    /** Connections that the server has given up. */
    private final AtomicInteger closed = new AtomicInteger();

    private record Sent(FabricNamespace target, List<BlockRange> ranges, IoCompletion completion) {
        void execute() {
            target.deallocate(ranges, completion);
        }

        void fail(NvmeException cause) {
            completion.ended(cause);
        }
    }

    @BeforeEach
    void start() throws IOException {
        fixture = new ExternalFixture(directory.resolve("image"), BYTES);
    }

    @AfterEach
    void stop() throws IOException {
        fixture.close();
    }

    /** Leaves what is sent to the test. */
    private final class Held implements AlteredFabric.Deallocations {
        private final boolean possible;

        Held(boolean possible) {
            this.possible = possible;
        }

        @Override
        public void begin(
                FabricNamespace target, List<BlockRange> ranges, IoCompletion completion) {
            sent.add(new Sent(target, ranges, completion));
        }

        @Override
        public boolean possible(FabricNamespace target) {
            return possible && target.canDeallocate();
        }

        @Override
        public void closed() {
            closed.incrementAndGet();
        }
    }

    private Fabric held(Fabric fabric, boolean reservations) {
        return AlteredFabric.deallocating(fabric, reservations, new Held(true));
    }

    private Joined open(boolean reservations) throws IOException {
        return fixture.open(ExternalFixture.IDENTITY, false, fabric -> held(fabric, reservations));
    }

    private NvmeController reader() throws IOException {
        return fixture.host(new UUID(77, 78));
    }

    private static OwnerRecord owner(NvmeNamespace namespace) throws IOException {
        ByteBuffer unit = ByteBuffer.allocateDirect(4096);
        namespace.read(OwnerRecord.OFFSET / 4096, unit).await();
        return OwnerRecord.decode(unit).orElseThrow();
    }

    /** Waits until the server has looked so many times at what it waits for. */
    private static void rounds(NvmeNamespace namespace, int count) throws IOException {
        long from = owner(namespace).beat();
        await().until(() -> owner(namespace).beat() >= from + count);
    }

    private static boolean isHeld(NvmeNamespace namespace, int record) throws IOException {
        ByteBuffer unit = ByteBuffer.allocateDirect(4096).order(ByteOrder.LITTLE_ENDIAN);
        namespace.read(FlashLayout.COUNTERS_OFFSET / 4096, unit).await();
        return StoredCounter.isHeld(unit.getInt(4 * FlashLayout.slotOf(record)));
    }

    private Sent next() throws InterruptedException {
        Sent next = sent.poll(60, TimeUnit.SECONDS);
        assertThat(next).as("a deallocation is sent").isNotNull();
        return next;
    }

    private static long patiently(Freeing freeing) throws Exception {
        return freeing.freed.get(60, TimeUnit.SECONDS);
    }

    private static BlockRange blocks(int record, int bytes) {
        return new BlockRange(LAYOUT.dataOffset(record) / BLOCK, bytes / BLOCK);
    }

    @Test
    void aFreedBlockIsDeallocatedOnceAndReportedWhenThatHasEnded() throws Exception {
        try (Joined server = open(true);
                NvmeController reader = reader()) {
            NvmeNamespace namespace = reader.namespace(1);
            Freeing freeing = server.free(RECORD, 1 << 20);
            Sent command = next();
            assertThat(command.ranges()).containsExactly(blocks(RECORD, 1 << 20));
            rounds(namespace, 3);
            assertThat(freeing.freed).isNotDone();
            assertThat(isHeld(namespace, RECORD)).as("nor would the next life report it").isTrue();
            assertThat(server.tier().statistics().quarantined()).isEqualTo(1);
            command.execute();
            assertThat((int) patiently(freeing)).isEqualTo(2);
            assertThat(isHeld(namespace, RECORD)).isFalse();
            rounds(namespace, 3);
            assertThat(sent).isEmpty();
        }
    }

    /** A client may write until then. */
    @Test
    void nothingIsSentBeforeTheQuarantineIsOver() throws Exception {
        try (Joined server = open(false);
                NvmeController reader = reader()) {
            NvmeNamespace namespace = reader.namespace(1);
            Freeing freeing = server.free(RECORD);
            freeing.held.get(60, TimeUnit.SECONDS);
            rounds(namespace, 2);
            fixture.jump(QUARANTINE.minusMillis(1));
            rounds(namespace, 3);
            assertThat(sent).isEmpty();
            fixture.jump(Duration.ofMillis(1));
            next().execute();
            patiently(freeing);
        }
    }

    @Test
    void blocksThatAreFreedTogetherGoByOneCommandAndNeighboursAsOneRange() throws Exception {
        try (Joined server = open(true);
                NvmeController reader = reader()) {
            List<Freeing> all = new ArrayList<>();
            all.add(server.free(0));
            Sent first = next();
            for (int record :
                    List.of(RECORD + 2 * SLOT, RECORD, RECORD + SLOT, RECORD + 9 * SLOT)) {
                all.add(server.free(record));
            }
            all.add(server.free(2 * RECORD, 1 << 20));
            all.add(server.free(3 * RECORD, 1 << 20));
            for (Freeing each : all) {
                each.held.get(60, TimeUnit.SECONDS);
            }
            rounds(reader.namespace(1), 3);
            assertThat(sent).as("one command at a time").isEmpty();
            first.execute();
            Sent second = next();
            assertThat(second.ranges())
                    .containsExactly(
                            blocks(RECORD, 3 * FlashLayout.SLOT),
                            blocks(RECORD + 9 * SLOT, FlashLayout.SLOT),
                            blocks(2 * RECORD, 2 << 20));
            second.execute();
            for (Freeing each : all) {
                patiently(each);
            }
            assertThat(sent).isEmpty();
        }
    }

    @Test
    void aBlockThatHasWaitedForOthersForASecondGoesWithout() throws Exception {
        try (Joined server = open(true);
                NvmeController reader = reader()) {
            Freeing first = server.free(0);
            Sent command = next();
            Freeing second = server.free(RECORD);
            second.held.get(60, TimeUnit.SECONDS);
            rounds(reader.namespace(1), 3);
            fixture.jump(Duration.ofSeconds(1));
            command.execute();
            patiently(first);
            patiently(second);
            assertThat(sent).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INVALID_FIELD", "INVALID_OPCODE", "COMMAND_SIZE_LIMIT_EXCEEDED"})
    void afterAnErrorOfTheTargetBlocksAreFreedAndNothingMoreIsSent(StatusCode status)
            throws Exception {
        try (Joined server = open(true)) {
            Freeing first = server.free(RECORD);
            next().fail(
                            new NvmeStatusException(
                                    "Dataset Management",
                                    status.doNotRetry(),
                                    StatusCode.Scope.NVM));
            patiently(first);
            patiently(server.free(2 * RECORD));
            assertThat(sent).isEmpty();
        }
    }

    /** The server has given its connection up before this returns. */
    private void lose(Sent command, boolean late) {
        int before = closed.get();
        command.fail(unknown(late));
        await().until(() -> closed.get() > before);
    }

    private static NvmeException unknown(boolean late) {
        return late
                ? new NvmeTimeoutException("aborted")
                : new NvmeOutcomeUnknownException("the connection was lost");
    }

    /** With the connection it went over, which is not the one that reports the block. */
    @ParameterizedTest
    @CsvSource({"true, false", "true, true", "false, false", "false, true"})
    void aBlockWhoseCommandHasNoOutcomeStaysForAQuarantine(boolean reservations, boolean late)
            throws Exception {
        try (Joined server = open(reservations);
                NvmeController reader = reader()) {
            NvmeNamespace namespace = reader.namespace(1);
            Freeing freeing = server.free(RECORD);
            freeing.held.get(60, TimeUnit.SECONDS);
            rounds(namespace, 2);
            fixture.jump(QUARANTINE);
            lose(next(), late);
            if (reservations) {
                rounds(namespace, 3); // over a new connection
                assertThat(freeing.freed).isNotDone();
            }
            fixture.jump(QUARANTINE.minusMillis(1));
            rounds(namespace, 3);
            assertThat(freeing.freed).isNotDone();
            assertThat(isHeld(namespace, RECORD)).isTrue();
            await().untilAsserted(
                            () -> {
                                fixture.jump(QUARANTINE);
                                assertThat(freeing.freed).isDone();
                            });
            assertThat((int) patiently(freeing)).isEqualTo(2);
            assertThat(sent).as("it is not tried again").isEmpty();
        }
    }

    @Test
    void otherBlocksAreDeallocatedAfterALoss() throws Exception {
        try (Joined server = open(true)) {
            server.free(RECORD);
            lose(next(), false);
            Freeing second = server.free(2 * RECORD);
            next().execute();
            patiently(second);
        }
    }

    @Test
    void aTargetThatNeverAnswersIsNotAskedForEver() throws Exception {
        try (Joined server = open(true)) {
            for (int i = 1; i <= 3; i++) {
                server.free(i * RECORD);
                lose(next(), true);
            }
            patiently(server.free(4 * RECORD));
            assertThat(sent).isEmpty();
        }
    }

    /** So the next life begins its quarantine anew. */
    @Test
    void aBlockWhoseCommandWasUnderWayWhenTheServerEndedIsLeftMarked() throws Exception {
        try (Joined server = open(true)) {
            server.free(RECORD);
            lose(next(), false);
        }
        try (NvmeController reader = reader()) {
            assertThat(isHeld(reader.namespace(1), RECORD)).isTrue();
        }
    }

    @Test
    void aTargetThatCannotDeallocateIsNotAskedTo() throws Exception {
        try (Joined server =
                fixture.open(
                        ExternalFixture.IDENTITY,
                        false,
                        fabric -> AlteredFabric.deallocating(fabric, true, new Held(false)))) {
            patiently(server.free(RECORD));
            assertThat(sent).isEmpty();
        }
    }

    @Test
    void nothingIsSentIfItIsSwitchedOff() throws Exception {
        Map<String, String> options = fixture.options();
        options.put("deallocate", "false");
        try (Joined server =
                fixture.open(
                        ExternalFixture.context(ExternalFixture.IDENTITY, false, options),
                        fabric -> held(fabric, true))) {
            patiently(server.free(RECORD));
            assertThat(sent).isEmpty();
        }
    }

    /** It may have been cut into blocks that the namenode does not know. */
    @Test
    void whatIsOnlySuspectedToBeABlockIsNotDeallocated() throws Exception {
        try (Joined server = open(true)) {
            patiently(server.free(RECORD, BlockGeometry.MIN_BLOCK));
            assertThat(sent).isEmpty();
        }
    }

    /** The real thing: our target takes the command, and does nothing. */
    @Test
    void ourTargetTakesIt() throws Exception {
        try (Joined server = fixture.open()) {
            assertThat((int) patiently(server.free(RECORD, 1 << 20))).isEqualTo(2);
        }
    }
}
