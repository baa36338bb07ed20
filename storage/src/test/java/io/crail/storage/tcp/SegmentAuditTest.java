// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.ProtocolException;
import io.crail.protocol.authentication.Credentials;
import io.crail.protocol.authentication.Gatekeeper;
import io.crail.protocol.authentication.Party;
import io.crail.protocol.block.Generation;
import io.crail.protocol.frame.WireReader;
import io.crail.protocol.message.Attach;
import io.crail.protocol.message.AuditSegment;
import io.crail.protocol.message.AuditSegment.Pin;
import io.crail.protocol.message.AuditSegment.Position;
import io.crail.protocol.message.AuditSegment.Run;
import io.crail.storage.block.BlockTable;
import io.crail.storage.block.BlockWords;
import io.crail.storage.block.Blocks;
import io.crail.storage.segment.Segment;
import io.crail.storage.session.Sessions;
import io.crail.storage.spi.Admission;
import io.crail.storage.spi.ServiceLimits;
import io.crail.storage.testing.Grants;
import io.crail.storage.testing.RawClient;
import io.crail.storage.testing.TestSegments;
import io.crail.storage.testing.TestSession;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a storage server says of its blocks itself, and to whom. */
@Timeout(60)
@SuppressWarnings("NullAway.Init") // Started before each test.
class SegmentAuditTest {
    private static final byte[] KEY = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final Grants GRANTS = new Grants(KEY, 7, 99);
    private static final byte[] NOTHING = {};
    private static final int ALL = AuditSegment.MAX_SLOTS;

    @TempDir Path directory;
    private final Map<Integer, BlockTable> tables = new TreeMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Sessions sessions;
    private TcpDataService service;

    @BeforeEach
    void start() throws IOException {
        sessions = Sessions.open(directory);
        Blocks blocks = new Blocks();
        for (int number : new int[] {0, 3, 4}) {
            Segment segment = TestSegments.create(directory, number, (number + 1L) << 22);
            BlockTable table = new BlockTable(segment, sessions);
            tables.put(number, table);
            blocks.add(table);
        }
        service =
                new TcpDataService(
                        blocks,
                        ServiceLimits.DEFAULT,
                        "127.0.0.1",
                        0,
                        new LoopOptions("auto", 1, true),
                        new LocalAccess(
                                directory.resolve("data.sock"),
                                directory,
                                TestSegments.SERVER,
                                sessions,
                                () -> {}),
                        new Gatekeeper(Credentials.NONE, Party.STORAGE_SERVER));
        service.admit(new Admission(TestSegments.CLUSTER, 7, KEY, 5));
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        service.close();
        sessions.close();
    }

    private RawClient client(Grants grants, boolean local) throws IOException {
        RawClient client =
                local
                        ? new RawClient(directory.resolve("data.sock"))
                        : new RawClient(service.port());
        open.add(client);
        client.hello(grants.session(), grants.ticket()).success();
        return client;
    }

    private static AuditSegment.Reply ask(
            RawClient client, long permit, int part, Position at, int slots) throws IOException {
        return AuditSegment.Reply.decode(
                new WireReader(
                        client.call(new AuditSegment.Request(permit, part, at, slots), NOTHING)
                                .success()
                                .control()));
    }

    private Segment segment(int number) {
        return (Segment) table(number).words();
    }

    private BlockTable table(int number) {
        return Objects.requireNonNull(tables.get(number));
    }

    /** All slots as (segment, record) -> run of one slot, gathered page by page. */
    private Map<Long, Run> everything(RawClient client, int slots) throws IOException {
        Map<Long, Run> found = new TreeMap<>();
        Position at = Position.START;
        AuditSegment.Reply page;
        do {
            page = ask(client, GRANTS.permit(), AuditSegment.SLOTS, at, slots);
            assertThat(page.incarnation()).isEqualTo(segment(page.segment()).incarnation());
            assertThat(page.dataBytes()).isEqualTo(segment(page.segment()).dataBytes());
            int next = -1;
            for (Run run : page.runs()) {
                assertThat(next < 0 || run.record() == next).as("no gap").isTrue();
                next = run.end();
                for (int slot = run.record(); slot < run.end(); slot++) {
                    Run before =
                            found.put(
                                    AuditSegment.place(page.segment(), slot),
                                    new Run(run.generation(), slot, 1, run.flags()));
                    assertThat(before).isNull();
                }
            }
            at = page.next();
        } while (!page.end());
        return found;
    }

    @ParameterizedTest(name = "over the Unix socket: {0}")
    @ValueSource(booleans = {false, true})
    void everyWordOfEverySegmentIsShownOnce(boolean local) throws IOException {
        Random random = new Random(5);
        for (BlockTable table : tables.values()) {
            for (int i = 0; i < 700; i++) {
                Segment segment = (Segment) table.words();
                int slot = random.nextInt(segment.slots());
                segment.setGeneration(slot, random.nextLong());
                segment.setChecksum(slot, random.nextInt(2));
            }
        }
        for (int slots : new int[] {1000, ALL, 77}) {
            Map<Long, Run> found = everything(client(GRANTS, local), slots);
            int count = 0;
            for (BlockTable table : tables.values()) {
                BlockWords segment = table.words();
                for (int slot = 0; slot < segment.slots(); slot++) {
                    assertThat(found)
                            .containsEntry(
                                    AuditSegment.place(segment.number(), slot),
                                    new Run(
                                            segment.generation(slot),
                                            slot,
                                            1,
                                            segment.checksum(slot) == 0
                                                    ? 0
                                                    : AuditSegment.CHECKSUMS));
                }
                count += segment.slots();
            }
            assertThat(found).hasSize(count);
        }
    }

    @Test
    void aPageIsBoundedHoweverMuchTheSlotsDiffer() throws IOException {
        Segment segment = segment(4);
        for (int slot = 0; slot < segment.slots(); slot++) {
            segment.setGeneration(slot, Generation.of(segment.incarnation(), 1 + slot % 2));
        }
        RawClient client = client(GRANTS, false);
        AuditSegment.Reply page =
                ask(client, GRANTS.permit(), AuditSegment.SLOTS, Position.of(4, 5), ALL);
        assertThat(page.runs()).hasSize(AuditSegment.MAX_RUNS);
        assertThat(page.next()).isEqualTo(Position.of(4, 5 + AuditSegment.MAX_RUNS));
        assertThat(page.end()).isFalse();
        assertThat(everything(client, ALL)).hasSize((4 + 16 + 20) << 8);
    }

    @Test
    void aBlockThatIsBeingFreedSaysSoAndWhatHoldsIt() throws IOException {
        long first = Generation.of(segment(3).incarnation(), Generation.FIRST_COUNTER);
        RawClient client = client(GRANTS, true);
        try (TestSession session =
                new TestSession(directory, "session-63-1", 99, TestSegments.CLUSTER, 8)) {
            client.call(new Attach.Request("session-63-1"), NOTHING).success();
            session.pin(0, 3, 8, first);
            table(3).acquire(16, first);
            table(3).revoke(8, first, generation -> {});
            table(3).revoke(16, first, generation -> {});
            table(3).revoke(24, first, generation -> {});
            Map<Long, Run> found = everything(client, ALL);
            int held = AuditSegment.REVOKING | AuditSegment.QUARANTINED;
            assertThat(found)
                    .containsEntry(AuditSegment.place(3, 8), new Run(first + 1, 8, 1, held))
                    .containsEntry(
                            AuditSegment.place(3, 16),
                            new Run(first + 1, 16, 1, AuditSegment.REVOKING))
                    .containsEntry(AuditSegment.place(3, 24), new Run(first + 1, 24, 1, 0));
            session.unpin(0);
            table(3).release(16);
            table(3).recheck();
            assertThat(everything(client, ALL).values()).allMatch(run -> run.flags() == 0);
        }
    }

    @Test
    void pinsOfAllSessionsAreShownPageByPage() throws IOException {
        List<Pin> expected = new ArrayList<>();
        int count = 3000;
        for (long number : new long[] {5, 6, -7}) { // -7 is the largest id there is here.
            String name = "session-" + Long.toHexString(number) + "-1";
            TestSession session =
                    new TestSession(directory, name, number, TestSegments.CLUSTER, count);
            open.add(session);
            client(new Grants(KEY, 7, number), true)
                    .call(new Attach.Request(name), NOTHING)
                    .success();
            for (int i = 0; i < count; i++) {
                session.pin(i, 4, i / 2, 100 + i % 2);
                expected.add(new Pin(number, 100 + i % 2, 4, i / 2));
            }
            session.pin(count - 1, 4, 0, 100); // A copy beside a view of the same block.
            expected.remove(expected.size() - 1);
        }
        RawClient client = client(GRANTS, false);
        List<Pin> found = new ArrayList<>();
        Position at = Position.START;
        AuditSegment.Reply page;
        do {
            page = ask(client, GRANTS.permit(), AuditSegment.PINS, at, 1);
            assertThat(page.pins().size()).isLessThanOrEqualTo(AuditSegment.MAX_PINS);
            found.addAll(page.pins());
            at = page.next();
        } while (!page.end());
        assertThat(new HashSet<>(found)).isEqualTo(new HashSet<>(expected));
        assertThat(found.size() - expected.size()).as("repeated").isLessThan(10);
    }

    @Test
    void aFileFullOfPinsOfOneBlockEndsToo() throws IOException {
        int count = 2 * AuditSegment.MAX_PINS;
        TestSession session =
                new TestSession(directory, "session-5-1", 5, TestSegments.CLUSTER, count);
        open.add(session);
        client(new Grants(KEY, 7, 5), true)
                .call(new Attach.Request("session-5-1"), NOTHING)
                .success();
        for (int i = 0; i < count; i++) {
            session.pin(i, 4, 7, i);
        }
        session.pin(0, 4, 8, 1);
        RawClient client = client(GRANTS, false);
        AuditSegment.Reply page =
                ask(client, GRANTS.permit(), AuditSegment.PINS, Position.START, 1);
        assertThat(page.pins()).hasSize(AuditSegment.MAX_PINS);
        page = ask(client, GRANTS.permit(), AuditSegment.PINS, page.next(), 1);
        assertThat(page.pins()).containsExactly(new Pin(5, 1, 4, 8));
        assertThat(page.end()).isTrue();
    }

    @Test
    void anyPositionIsAnsweredOrThereIsNothingBehindIt() throws IOException {
        RawClient client = client(GRANTS, false);
        Random random = new Random(6);
        List<Long> positions =
                new ArrayList<>(List.of(-1L, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32));
        random.longs(500).forEach(positions::add);
        random.longs(500, 0, 6L << 32).forEach(positions::add);
        for (long from : positions) {
            for (int part : new int[] {AuditSegment.SLOTS, AuditSegment.PINS}) {
                AuditSegment.Reply page =
                        ask(
                                client,
                                GRANTS.permit(),
                                part,
                                new Position(from, random.nextLong()),
                                9);
                assertThat(page.runs().size()).isLessThanOrEqualTo(9);
                assertThat(page.pins()).isEmpty();
                assertThat(page.incarnation() == 0 || !page.runs().isEmpty()).isTrue();
            }
        }
    }

    @Test
    void withoutAPermitOfItsOwnNobodyIsTold() throws IOException {
        long[] wrong = {
            0,
            GRANTS.ticket(),
            GRANTS.permit() + 1,
            new Grants(KEY, 7, 98).permit(),
            new Grants(KEY, 8, 99).permit()
        };
        for (long permit : wrong) {
            RawClient client = client(GRANTS, false);
            assertThatThrownBy(() -> ask(client, permit, AuditSegment.SLOTS, Position.START, ALL))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("permit");
            assertThat(client.isClosedByServer()).isTrue();
        }
    }

    @Test
    void absurdRequestsAreRefusedAndTheConnectionGoesOn() throws IOException {
        RawClient client = client(GRANTS, false);
        for (int slots : new int[] {0, ALL + 1, Integer.MAX_VALUE}) {
            assertThatThrownBy(
                            () ->
                                    ask(
                                            client,
                                            GRANTS.permit(),
                                            AuditSegment.SLOTS,
                                            Position.START,
                                            slots))
                    .isInstanceOf(InvalidArgumentException.class);
        }
        assertThatThrownBy(() -> ask(client, GRANTS.permit(), 9, Position.START, ALL))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(
                        () -> ask(client, GRANTS.permit(), AuditSegment.SLOTS, Position.START, -1))
                .isInstanceOf(ProtocolException.class);
        assertThat(client.ping().status()).isZero();
    }
}
