// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.BusyException;
import io.crail.error.NoSuchNodeException;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Rename;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that go with the session that made them. */
final class SessionBoundTest {
    @TempDir private Path directory;
    private TestNamenode namenode;
    private TestSession owner;
    private TestSession other;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        owner = namenode.session("owner");
        other = namenode.session("other");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        owner.close();
        other.close();
        namenode.close();
    }

    private NodeStatus bind(String path, NodeType type) throws IOException {
        return owner.create(path, type, Create.SESSION_BOUND, 0).status();
    }

    private void assertGone(String path) {
        assertThatThrownBy(() -> other.lookup(path)).isInstanceOf(NoSuchNodeException.class);
    }

    /** Time in which only the other session shows that it lives. */
    private void silence() throws IOException {
        for (int i = 0; i < 7; i++) {
            namenode.advance(Duration.ofSeconds(10));
            other.lookup("/");
        }
    }

    @Test
    void theRootOfAnApplicationGoesWithEverythingBelowWhoeverMadeIt() throws IOException {
        try (FakeStorage storage = namenode.storage(8)) {
            assertThat(bind("/app", NodeType.DIRECTORY).has(NodeStatus.SESSION_BOUND)).isTrue();
            assertThat(other.mkdir("/app/theirs").has(NodeStatus.SESSION_BOUND)).isFalse();
            other.file("/app/theirs/f", 300_000);
            other.table("/app/t");
            other.put("/app/t", "k", "v");
            owner.endSession();
            assertGone("/app");
            assertGone("/app/theirs/f");
            assertThat(other.list("/")).isEmpty();
            namenode.settle();
            storage.fenceAll();
            assertThat(other.statistics().classes().get(0).committed()).isZero();
            assertThat(other.statistics().keyValues()).isZero();
        }
    }

    @Test
    void aSessionThatIsSilentForTooLongTakesItsNodesWithItAndAnotherDoesNot() throws IOException {
        bind("/mine", NodeType.FILE);
        other.create("/theirs", NodeType.FILE, Create.SESSION_BOUND, 0);
        silence();
        assertThat(other.list("/")).containsExactly("theirs");
    }

    @Test
    void theBindingMovesWithTheNodeAndNotWithWhatIsMovedOutOfIt() throws IOException {
        bind("/app", NodeType.DIRECTORY);
        owner.touch("/app/kept");
        owner.rename("/app/kept", "/kept", 0);
        other.mkdir("/elsewhere");
        assertThat(other.rename("/app", "/elsewhere/app", 0).has(NodeStatus.SESSION_BOUND))
                .isTrue();
        owner.endSession();
        assertThat(other.list("/elsewhere")).isEmpty();
        assertThat(other.list("/")).containsExactly("elsewhere", "kept");
    }

    @Test
    void aRenameThatUnbindsMakesTheNodeStay() throws IOException {
        bind("/.part", NodeType.FILE);
        NodeStatus moved = owner.rename("/.part", "/whole", Rename.UNBIND);
        assertThat(moved.has(NodeStatus.SESSION_BOUND)).isFalse();
        bind("/.other", NodeType.FILE);
        owner.rename("/.other", "/whole", Rename.UNBIND | Rename.REPLACE);
        bind("/d", NodeType.DIRECTORY);
        assertThat(owner.unbind("/d").has(NodeStatus.SESSION_BOUND)).isFalse();
        owner.endSession();
        assertThat(other.list("/")).containsExactly("d", "whole");
    }

    @Test
    void aReaderOfAnotherSessionKeepsTheBytesAndTheWriterIsGone() throws IOException {
        try (FakeStorage storage = namenode.storage(8)) {
            Create.Reply made =
                    owner.create("/f", NodeType.FILE, Create.OPEN | Create.SESSION_BOUND, 5_000);
            owner.commit(
                    made.status().id(),
                    made.handle(),
                    0,
                    false,
                    TestRequests.fill(made.grants(), 5_000));
            Open.Reply reading = other.open("/f", Open.READ, 0);
            owner.endSession();
            assertGone("/f");
            assertThat(other.extents(reading.status().id(), 0, 64).extents()).hasSize(1);
            other.closeHandle(reading.handle());
            storage.fenceAll();
            assertThat(other.statistics().classes().get(0).committed()).isZero();
        }
    }

    @Test
    void boundNodesBelowBoundAndRemovedNodesDoNotHinderEachOther() throws IOException {
        bind("/a", NodeType.DIRECTORY);
        bind("/a/b", NodeType.DIRECTORY);
        bind("/a/b/f", NodeType.FILE);
        bind("/r", NodeType.DIRECTORY);
        bind("/r/f", NodeType.FILE);
        owner.delete("/r", true);
        owner.endSession();
        namenode.settle();
        assertThat(other.list("/")).isEmpty();
        assertThat(namenode.<Long>ask(e -> e.state().tree().nodes())).isEqualTo(1);
    }

    @Test
    void aBindingSurvivesRestartsFromLogAndSnapshot() throws IOException {
        bind("/a", NodeType.DIRECTORY);
        namenode.snapshot();
        bind("/b", NodeType.FILE);
        TestNamenode.Memory memory = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(memory);
        owner.close();
        other.close();
        other = namenode.session("later");
        assertThat(other.list("/")).containsExactly("a", "b");
        silence();
        assertThat(other.list("/")).isEmpty();
    }

    @Test
    void aSessionBindsALimitedNumberOfNodesAtATime() throws IOException {
        for (int i = 0; i < 1024; i++) {
            bind("/f" + i, NodeType.FILE);
        }
        assertThatThrownBy(() -> bind("/more", NodeType.FILE))
                .isInstanceOf(BusyException.class)
                .hasMessageContaining("bind a directory");
        owner.delete("/f0", false);
        bind("/more", NodeType.FILE);
        owner.endSession();
        assertThat(other.list("/")).isEmpty();
    }
}
