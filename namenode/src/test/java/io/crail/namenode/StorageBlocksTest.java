// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.ServerLostException;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.message.AwaitCommands;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Open;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Blocks of storage servers: granted, freed, revoked, and when there are none. */
final class StorageBlocksTest extends OneStorageServer {
    @Test
    void aBlockThatIsPinnedOnItsHostIsQuarantinedUntilItIsFreed() throws IOException {
        session.write("/f", 1 << 20);
        session.delete("/f", false);
        List<AwaitCommands.Revoke> revokes = storage.poll();
        storage.reportHeld(revokes);
        assertThat(bytes().quarantined()).isEqualTo(1 << 20);
        assertThat(bytes().revoking()).isZero();
        namenode.restart();
        storage.register(namenode::connect);
        session.wire().reconnect(namenode::connect);
        storage.fence(storage.poll());
        assertThat(bytes().quarantined()).isZero();
        assertThat(bytes().free()).isEqualTo(4 << 20);
    }

    @Test
    void freedBlocksComeBackUnderAHigherGeneration() throws IOException {
        session.file("/f", 4 << 20);
        assertThatThrownBy(() -> session.write("/g", 1)).isInstanceOf(OutOfSpaceException.class);
        BlockReference old = session.lookup("/f", Lookup.EXTENTS).extents().get(0).block();
        session.delete("/f", false);
        assertThatThrownBy(() -> session.write("/g", 1)).isInstanceOf(BusyException.class);
        assertThatThrownBy(() -> session.lookup("/g")).hasMessageContaining("/g");
        assertThat(storage.fenceAll()).isEqualTo(4);
        assertThat(storage.serves(old)).isFalse();
        Create.Reply open = session.write("/g", 4 << 20);
        for (BlockReference block : open.grants()) {
            assertThat(storage.serves(block)).isTrue();
        }
    }

    @Test
    void revokesAreRepeatedUntilTheyAreAnswered() throws IOException {
        session.file("/f", 8192);
        session.delete("/f", false);
        List<AwaitCommands.Revoke> told = storage.poll();
        assertThat(told).hasSize(1);
        assertThat(storage.poll()).as("told once per connection").isEmpty();
        storage.register(namenode::connect);
        assertThat(storage.poll()).isEqualTo(told);
        storage.raise(told.get(0));
        namenode.restart();
        storage.register(namenode::connect);
        List<AwaitCommands.Revoke> again = storage.poll();
        assertThat(again).hasSize(1);
        storage.fence(again);
        session.wire().reconnect(namenode::connect);
        assertThat(bytes().free()).isEqualTo(bytes().capacity());
        storage.fence(told);
        assertThat(bytes().free()).isEqualTo(bytes().capacity());
    }

    @Test
    void appendingToALostBlockIsRefused() throws IOException {
        Create.Reply open = session.write("/f", 4096);
        BlockReference block = open.grants().get(0);
        long node = open.status().id();
        session.commit(node, open.handle(), 0, false, List.of(TestRequests.extent(block, 10)));
        storage.format(0, 4 << 20, 0x3333);
        storage.register(namenode::connect);
        assertThatThrownBy(
                        () ->
                                session.commit(
                                        node,
                                        open.handle(),
                                        10,
                                        true,
                                        List.of(TestRequests.extent(block, 20))))
                .isInstanceOf(ServerLostException.class);
    }

    @Test
    void blocksComeFromHigherClassesWhenOneIsFull() throws IOException {
        try (FakeStorage slow = new FakeStorage(new UUID(2, 2), 1, "two")) {
            slow.format(0, 2 << 20, 0x5555);
            slow.register(namenode::connect);
            Create.Reply open = session.write("/f", 5 << 20);
            assertThat(open.grants()).hasSize(5);
            assertThat(open.grants().get(4).server()).isEqualTo(slow.id());
        }
    }

    @Test
    void whatDoesNotFitLeavesNothing() throws IOException {
        session.file("/full", 4 << 20);
        session.table("/t");
        session.put("/t", "k", "old");
        TestNamenode.Memory before = namenode.memory();
        assertThatThrownBy(() -> session.write("/ghost", 1))
                .isInstanceOf(OutOfSpaceException.class);
        assertThatThrownBy(
                        () ->
                                session.create(
                                        "/a/b/ghost",
                                        NodeType.FILE,
                                        Create.OPEN | Create.PARENTS,
                                        1))
                .isInstanceOf(OutOfSpaceException.class);
        assertThatThrownBy(
                        () ->
                                session.create(
                                        "/full", NodeType.FILE, Create.OPEN | Create.OVERWRITE, 1))
                .isInstanceOf(OutOfSpaceException.class);
        assertThatThrownBy(() -> session.grantValue("/t", 1))
                .isInstanceOf(OutOfSpaceException.class);
        assertThatThrownBy(() -> session.open("/full", Open.APPEND, 1))
                .isInstanceOf(OutOfSpaceException.class);
        namenode.checkConservation();
        namenode.assertRemembers(before, line -> !line.startsWith("  result"));
    }

    @Test
    void theLimitOfNodesHoldsForRemovedOnesUntilTheyAreFreed() throws IOException {
        namenode.close();
        namenode = TestNamenode.start(directory.resolve("limited"), b -> b.maxNodes(10));
        try (TestSession limited = namenode.session("tester")) {
            limited.mkdir("/d");
            for (int i = 0; i < 8; i++) {
                limited.touch("/d/f" + i);
            }
            assertThatThrownBy(() -> limited.touch("/d/x")).isInstanceOf(OutOfSpaceException.class);
            limited.delete("/d", true);
            namenode.settle();
            limited.mkdir("/d");
            session = namenode.session("again");
            storage.close();
        }
    }
}
