// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ProtocolException;
import io.crail.error.ServerLostException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Heartbeat;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.RegisterSegment;
import io.crail.protocol.message.RegisterServer;
import io.crail.protocol.message.ServerState;
import io.crail.protocol.message.ServerTable;
import io.crail.protocol.message.Statistics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Storage servers that come, go, come back, and what becomes of their blocks. */
final class StorageTest extends OneStorageServer {
    private ServerState serverState() throws IOException {
        return ServerState.ofWire(session.statistics().servers().get(0).state());
    }

    private int rights(String path) throws IOException {
        return session.lookup(path, Lookup.EXTENTS).extents().get(0).block().rights();
    }

    private ServerTable.Reply table(long known) throws IOException {
        return session.wire().call(new ServerTable.Request(known), ServerTable.Reply::decode);
    }

    @Test
    void aServerIsInTheTableWithItsAddressAndATicket() throws IOException {
        ServerTable.Reply table = table(0);
        assertThat(table.unchanged()).isFalse();
        ServerTable.Server server = table.servers().get(0);
        assertThat(server.id()).isEqualTo(storage.id());
        assertThat(server.state()).isEqualTo(ServerState.LIVE.wire());
        assertThat(server.endpoints())
                .containsExactly(new ServerTable.Endpoint("tcp", "one", 9999));
        assertThat(table(table.version()).unchanged()).isTrue();
        try (TestSession other = namenode.session("other")) {
            ServerTable.Reply others =
                    other.wire().call(new ServerTable.Request(0), ServerTable.Reply::decode);
            assertThat(others.servers().get(0).ticket()).isNotEqualTo(server.ticket());
        }
    }

    @Test
    void operatorsAreToldWhatServersSayOfThemselves() throws IOException {
        session.file("/f", 1 << 20);
        Statistics.Reply told = session.statistics();
        assertThat(told.cluster()).isNotEqualTo(new UUID(0, 0));
        assertThat(told.nowMillis()).isPositive();
        assertThat(told.software()).startsWith("crail ");
        assertThat(told.logBytes()).isPositive();
        assertThat(told.handles()).isZero();
        session.open("/f", Open.READ, 0);
        assertThat(session.statistics().handles()).isEqualTo(1);
        Statistics.ServerCapacity server = told.servers().get(0);
        assertThat(server.committed()).isEqualTo(1 << 20);
        assertThat(server.free()).isEqualTo(3 << 20);
        assertThat(server.software()).isEqualTo("test");
        assertThat(server.statusUrl()).isEqualTo("http://one:9");
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        assertThat(session.statistics().servers().get(0).statusUrl()).isEmpty();
        storage.register(namenode::connect);
        assertThat(session.statistics().servers().get(0).statusUrl()).isEqualTo("http://one:9");
    }

    @Test
    void moreServersThanFitInAFrameAreToldInPages() throws IOException {
        int count = 600;
        String host = "h".repeat(240);
        for (int i = 2; i <= count; i++) {
            try (FakeStorage one = new FakeStorage(new UUID(7, i), 0, host)) {
                assertThat(one.introduce(namenode::connect).id()).isEqualTo(i);
            }
        }
        List<Integer> all = IntStream.rangeClosed(1, count).boxed().toList();
        List<Integer> counted = new ArrayList<>();
        List<Integer> known = new ArrayList<>();
        int pages = 0;
        int from = 0;
        do {
            Statistics.Reply page =
                    session.wire().call(new Statistics.Request(from), Statistics.Reply::decode);
            page.servers().forEach(server -> counted.add(server.id()));
            from = page.nextServer();
            pages++;
        } while (from != 0);
        do {
            ServerTable.Reply page =
                    session.wire()
                            .call(new ServerTable.Request(0, from), ServerTable.Reply::decode);
            page.servers().forEach(server -> known.add(server.id()));
            from = page.nextServer();
            pages++;
        } while (from != 0);
        assertThat(counted).isEqualTo(all);
        assertThat(known).isEqualTo(all);
        assertThat(pages).isBetween(4, 12);
    }

    @Test
    void aServerWithMoreEndpointsThanClientsAreToldIsRefused() throws IOException {
        List<ServerTable.Endpoint> many =
                Collections.nCopies(17, new ServerTable.Endpoint("tcp", "two", 1));
        try (FakeStorage other = new FakeStorage(new UUID(2, 2), 0, "two")) {
            assertThatThrownBy(() -> other.introduce(namenode::connect, many))
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContainingAll("two", "17 endpoints", "16");
        }
    }

    @Test
    void aVersionOfTheTableDoesNotComeBackInAnotherEpoch() throws IOException {
        long version = table(0).version();
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        for (int i = 0; i < 20; i++) {
            assertThat(table(version).unchanged()).isFalse();
            storage.register(namenode::connect);
        }
    }

    @Test
    void registeringAgainKeepsIdKeyAndBlocks() throws IOException {
        session.file("/f", 5000);
        RegisterServer.Reply again = storage.register(namenode::connect);
        assertThat(again.id()).isEqualTo(1);
        assertThat(rights("/f")).isEqualTo(BlockReference.READ);
        namenode.restart();
        RegisterServer.Reply third = storage.register(namenode::connect);
        assertThat(third.id()).isEqualTo(again.id());
        assertThat(third.sealKey()).isEqualTo(again.sealKey());
        session.wire().reconnect(namenode::connect);
        assertThat(rights("/f")).isEqualTo(BlockReference.READ);
        assertThat(bytes().committed()).isEqualTo(8192);
    }

    @Test
    void aServerCannotChangeItsClassOrTier() throws IOException {
        try (FakeStorage changed = new FakeStorage(UUID_1, 3, "one")) {
            assertThatThrownBy(() -> changed.introduce(namenode::connect))
                    .isInstanceOf(InvalidArgumentException.class);
        }
    }

    @Test
    void aConnectionSpeaksForOneRegisteredServer() throws IOException {
        for (int other : new int[] {0, 2, -1, Integer.MAX_VALUE}) {
            assertThatThrownBy(
                            () -> storage.ask(new Heartbeat.Request(other, 0, 0, 0, 0)).orThrow())
                    .isInstanceOf(ProtocolException.class);
        }
        RegisterServer.Request second =
                new RegisterServer.Request(
                        new UUID(2, 2),
                        "two",
                        "dram",
                        0,
                        "",
                        List.of(new ServerTable.Endpoint("tcp", "two", 1)),
                        "",
                        "",
                        4096);
        assertThatThrownBy(() -> storage.ask(second).orThrow())
                .isInstanceOf(ProtocolException.class);
        storage.heartbeat();
    }

    @Test
    void nonsenseSegmentsAreRefused() throws IOException {
        for (RegisterSegment.Request wrong :
                List.of(
                        new RegisterSegment.Request(1, 1, 7, 4096, 0, true, List.of()),
                        new RegisterSegment.Request(1, 1, 0, 1 << 20, 0, true, List.of()),
                        new RegisterSegment.Request(1, 1, 7, 1L << 60, 0, true, List.of()),
                        new RegisterSegment.Request(1, 70_000, 7, 1 << 20, 0, true, List.of()))) {
            assertThatThrownBy(() -> storage.ask(wrong).orThrow())
                    .isInstanceOf(InvalidArgumentException.class);
        }
        for (List<RegisterSegment.Run> runs :
                List.of(
                        List.<RegisterSegment.Run>of(),
                        List.of(new RegisterSegment.Run(255, 1)),
                        List.of(new RegisterSegment.Run(257, 1)))) {
            assertThatThrownBy(
                            () ->
                                    storage.ask(
                                                    new RegisterSegment.Request(
                                                            1, 1, 7, 1 << 20, 0, true, runs))
                                            .orThrow())
                    .isInstanceOf(ProtocolException.class);
        }
    }

    @Test
    void aServerWaitingForWorkIsWokenByTheFirst() throws IOException {
        session.file("/f", 8192);
        try (FakeStorage waiting = storage) {
            Thread deleter =
                    new Thread(
                            () -> {
                                try {
                                    session.delete("/f", false);
                                } catch (IOException e) {
                                    throw new java.io.UncheckedIOException(e);
                                }
                            });
            deleter.start();
            AwaitCommands.Reply reply =
                    AwaitCommands.Reply.decode(
                            waiting.ask(new AwaitCommands.Request(1, 60_000)).orThrow().reader());
            assertThat(reply.revokes()).hasSize(1);
            deleter.join(20_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aNewIncarnationLosesWhatTheOldOneHeld() throws IOException {
        session.file("/f", 5000);
        Create.Reply open = session.write("/open", 4096);
        storage.format(0, 2 << 20, 0x2222);
        storage.register(namenode::connect);
        assertThat(rights("/f")).isEqualTo(BlockReference.LOST);
        assertThatThrownBy(
                        () ->
                                session.commit(
                                        open.status().id(),
                                        open.handle(),
                                        0,
                                        true,
                                        TestRequests.fill(open.grants(), 10)))
                .isInstanceOf(ServerLostException.class);
        assertThat(session.statistics().servers().get(0).lostBlocks()).isEqualTo(2);
        session.delete("/f", false);
        session.abandon(open.status().id(), open.handle(), true);
        assertThat(storage.fenceAll()).isZero();
        assertThat(bytes().free()).isEqualTo(2 << 20);
        assertThat(session.statistics().servers().get(0).lostBlocks()).isZero();
        session.file("/new", 2 << 20);
        namenode.restart();
        storage.register(namenode::connect);
        session.wire().reconnect(namenode::connect);
        assertThat(rights("/new")).isEqualTo(BlockReference.READ);
    }

    @Test
    void aBlockLostByItsServerIsNotTakenForItsSuccessorAtTheSamePlace() throws IOException {
        Create.Reply open = session.write("/f", 4 << 20);
        long node = open.status().id();
        session.commit(
                node,
                open.handle(),
                0,
                false,
                List.of(TestRequests.extent(open.grants().get(0), 10)));
        storage.format(0, 4 << 20, 0x4444);
        storage.register(namenode::connect);
        List<BlockReference> again = session.grant(node, open.handle(), 4 << 20);
        for (BlockReference block : open.grants()) {
            assertThat(again).anyMatch(each -> each.id().equals(block.id()));
            assertThatThrownBy(
                            () ->
                                    session.commit(
                                            node,
                                            open.handle(),
                                            10,
                                            false,
                                            List.of(TestRequests.extent(block, 20))))
                    .isInstanceOf(ServerLostException.class);
        }
        session.commit(node, open.handle(), 10, true, TestRequests.fill(again, 4 << 20));
        session.delete("/f", false);
        assertThat(storage.fenceAll()).isEqualTo(4);
        assertThat(session.statistics().servers().get(0).lostBlocks()).isZero();
    }

    @Test
    void anotherGenerationThanKnownIsLoss() throws IOException {
        session.file("/f", 5000);
        BlockReference block = session.lookup("/f", Lookup.EXTENTS).extents().get(0).block();
        storage.setCounter(0, block.record(), 9);
        storage.register(namenode::connect);
        assertThat(rights("/f")).isEqualTo(BlockReference.LOST);
        session.delete("/f", false);
        storage.fenceAll();
        assertThat(bytes().free()).isEqualTo(bytes().capacity());
    }

    @Test
    void aDisconnectedServerGivesNoBlocksAndLosesNone() throws IOException {
        session.file("/f", 4096);
        Create.Reply open = session.write("/open", 4096);
        storage.close();
        awaitState(ServerState.EXPECTED);
        assertThat(rights("/f")).isEqualTo(BlockReference.READ);
        assertThatThrownBy(() -> session.write("/g", 1)).isInstanceOf(BusyException.class);
        assertThatThrownBy(() -> commit(open)).isInstanceOf(BusyException.class);
        storage.introduce(namenode::connect);
        assertThatThrownBy(() -> commit(open)).isInstanceOf(BusyException.class);
        storage.reportAll();
        commit(open);
        session.write("/g", 1);
    }

    private void commit(Create.Reply open) throws IOException {
        session.commit(
                open.status().id(), open.handle(), 0, true, TestRequests.fill(open.grants(), 10));
    }

    private void awaitState(ServerState wanted) throws IOException {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (serverState() != wanted && System.nanoTime() - deadline < 0) {
            Thread.onSpinWait();
        }
        assertThat(serverState()).isEqualTo(wanted);
    }

    @Test
    void aSilentServerIsDeadUntilItComesBack() throws IOException {
        session.file("/f", 5000);
        Create.Reply open = session.write("/open", 4096);
        namenode.advance(Duration.ofSeconds(31));
        assertThat(serverState()).isEqualTo(ServerState.DEAD);
        assertThat(rights("/f")).isEqualTo(BlockReference.LOST);
        assertThat(bytes().free()).isZero();
        assertThatThrownBy(() -> session.write("/g", 1))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("are away; start them again");
        assertThatThrownBy(() -> commit(open)).isInstanceOf(ServerLostException.class);
        session.delete("/f", false);
        storage.register(namenode::connect);
        assertThat(storage.fenceAll()).isEqualTo(1);
        commit(open);
    }

    @Test
    void afterARestartNothingIsGrantedBeforeTheServerHasReported() throws IOException {
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        assertThat(serverState()).isEqualTo(ServerState.EXPECTED);
        assertThatThrownBy(() -> session.write("/f", 1)).isInstanceOf(BusyException.class);
        storage.introduce(namenode::connect);
        assertThatThrownBy(() -> session.write("/f", 1)).isInstanceOf(BusyException.class);
        storage.reportAll();
        session.write("/f", 1);
    }

    @Test
    void aServerExpectedInVainIsDead() throws IOException {
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        namenode.advance(Duration.ofSeconds(31));
        assertThat(serverState()).isEqualTo(ServerState.DEAD);
    }
}
