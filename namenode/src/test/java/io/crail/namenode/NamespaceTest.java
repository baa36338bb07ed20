// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.error.NotEmptyException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.tree.ContainerNode;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.message.Summary;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Creating, deleting, renaming, attributes, totals. */
final class NamespaceTest extends OneNamenode {
    // Creating.

    @Test
    void aNewDirectoryHasTheAttributesAskedForAndThoseOfItsParentAndSession() throws IOException {
        NodeStatus made = session.mkdir("/a");
        assertThat(session.lookup("/a")).isEqualTo(made);
        assertThat(made.type()).isEqualTo(NodeType.DIRECTORY);
        assertThat(made.mode()).isEqualTo(0750);
        assertThat(made.owner()).isEqualTo("tester");
        assertThat(made.group()).isEqualTo("testers");
        assertThat(made.storageClass()).isEqualTo(session.lookup("/").storageClass());
        assertThat(made.has(NodeStatus.CHECKSUMS)).isTrue();
        assertThat(made.createdMillis()).isEqualTo(made.modifiedMillis());
        assertThat(made.remainingMillis()).isEqualTo(-1);
    }

    @Test
    void aNodeWithoutParentIsRefusedUnlessParentsAreAskedFor() throws IOException {
        assertThatThrownBy(() -> session.mkdir("/a/b/c")).isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(() -> session.lookup("/a")).isInstanceOf(NoSuchNodeException.class);
        session.create("/a/b/c", NodeType.FILE, Create.PARENTS, 0);
        assertThat(session.lookup("/a/b").type()).isEqualTo(NodeType.DIRECTORY);
        assertThat(session.lookup("/a/b/c").type()).isEqualTo(NodeType.FILE);
    }

    @Test
    void parentsMadeOnTheWayCanBeEntered() throws IOException {
        session.wire()
                .call(
                        new Create.Request(
                                TestSession.bytes("/p/q/f"),
                                NodeType.FILE,
                                Create.PARENTS,
                                0640,
                                Create.INHERIT,
                                -1,
                                0,
                                false,
                                "",
                                "",
                                ""),
                        Create.Reply::decode);
        assertThat(session.lookup("/p/q/f").mode()).isEqualTo(0640);
        assertThat(session.lookup("/p/q").mode()).isEqualTo(0750);
    }

    @Test
    void anExistingNodeIsRefusedUnlessThatIsFineAndItsTypeFits() throws IOException {
        NodeStatus first = session.mkdir("/a");
        assertThatThrownBy(() -> session.mkdir("/a")).isInstanceOf(NodeExistsException.class);
        NodeStatus again = session.create("/a", NodeType.DIRECTORY, Create.EXISTING_OK, 0).status();
        assertThat(again.id()).isEqualTo(first.id());
        assertThatThrownBy(() -> session.create("/a", NodeType.TABLE, Create.EXISTING_OK, 0))
                .isInstanceOf(NodeExistsException.class);
        assertThat(session.create("/", NodeType.DIRECTORY, Create.EXISTING_OK, 0).status().id())
                .isEqualTo(session.lookup("/").id());
    }

    @Test
    void theRootCannotBeMadeReplacedRemovedOrRenamed() {
        assertThatThrownBy(() -> session.touch("/")).isInstanceOf(NodeExistsException.class);
        assertThatThrownBy(() -> session.create("/", NodeType.FILE, Create.OVERWRITE, 0))
                .isInstanceOf(NodeExistsException.class);
        assertThatThrownBy(() -> session.delete("/", true))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> session.rename("/", "/a", 0))
                .isInstanceOf(InvalidArgumentException.class);
    }

    @Test
    void overwritingReplacesAFileByAnEmptyOneWithANewId() throws IOException {
        try (FakeStorage storage = namenode.storage(4)) {
            NodeStatus old = session.file("/f", 5000);
            NodeStatus made = session.create("/f", NodeType.FILE, Create.OVERWRITE, 0).status();
            assertThat(made.id()).isNotEqualTo(old.id());
            assertThat(made.length()).isZero();
            assertThat(session.lookup("/f").id()).isEqualTo(made.id());
            assertThat(storage.fenceAll()).isEqualTo(1);
        }
    }

    @Test
    void overwritingDoesNotChangeTheTypeAndKeepsFullContainers() throws IOException {
        session.mkdir("/d");
        session.touch("/d/f");
        session.touch("/f");
        assertThatThrownBy(() -> session.create("/d", NodeType.FILE, Create.OVERWRITE, 0))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.create("/f", NodeType.TABLE, Create.OVERWRITE, 0))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.create("/d", NodeType.DIRECTORY, Create.OVERWRITE, 0))
                .isInstanceOf(NotEmptyException.class);
        session.delete("/d/f", false);
        session.create("/d", NodeType.DIRECTORY, Create.OVERWRITE, 0);
    }

    @Test
    void nothingIsMadeBelowFilesAndTables() throws IOException {
        session.touch("/f");
        session.table("/t");
        session.put("/t", "key", "value");
        assertThatThrownBy(() -> session.touch("/f/x")).isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.touch("/t/x")).isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.touch("/t/key"))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.create("/t/a/b", NodeType.FILE, Create.PARENTS, 0))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.lookup("/t/key")).isInstanceOf(NoSuchNodeException.class);
    }

    @Test
    void valuesByPathAreRefused() {
        assertThatThrownBy(() -> session.create("/x", NodeType.KEYVALUE, 0, 0))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> session.create("/x", NodeType.DIRECTORY, Create.OPEN, 0))
                .isInstanceOf(InvalidArgumentException.class);
    }

    // Deleting.

    @Test
    void deletingTakesEmptyContainersAndFullOnesOnlyRecursively() throws IOException {
        session.mkdir("/d");
        session.touch("/d/f");
        assertThatThrownBy(() -> session.delete("/d", false)).isInstanceOf(NotEmptyException.class);
        assertThat(session.list("/d")).containsExactly("f");
        session.delete("/d", true);
        assertThatThrownBy(() -> session.lookup("/d")).isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(() -> session.delete("/d", true))
                .isInstanceOf(NoSuchNodeException.class);
        session.mkdir("/e");
        session.delete("/e", false);
    }

    @Test
    void aFullTableIsDeletedOnlyRecursively() throws IOException {
        session.table("/t");
        session.put("/t", "k", "v");
        assertThatThrownBy(() -> session.delete("/t", false)).isInstanceOf(NotEmptyException.class);
        session.delete("/t", true);
        namenode.settle();
        assertThat(session.statistics().keyValues()).isZero();
        assertThat(session.statistics().inlineBytes()).isZero();
    }

    @Test
    void aBigTreeGoesAtOnceFromNamesAndInSlicesFromMemory() throws IOException {
        try (FakeStorage storage = namenode.storage(64)) {
            session.mkdir("/big");
            for (int i = 0; i < 40; i++) {
                session.mkdir("/big/d" + i);
                for (int j = 0; j < 25; j++) {
                    session.file("/big/d" + i + "/f" + j, 4096);
                }
            }
            session.delete("/big", true);
            Summary.Reply root = session.summary("/");
            assertThat(root).isEqualTo(sums(1, 0, 0, 0, 0, 0));
            namenode.settle();
            assertThat(storage.fenceAll()).isEqualTo(1000);
            Statistics.Capacity bytes = session.statistics().classes().get(0);
            assertThat(bytes.free()).isEqualTo(bytes.capacity());
        }
    }

    @Test
    void aFileOpenInARemovedTreeIsKeptForTheWholeRetention() throws IOException {
        try (FakeStorage storage = namenode.storage(4)) {
            session.mkdir("/d");
            session.mkdir("/d/e");
            long node = session.file("/d/e/f", 100).id();
            long handle = session.open("/d/e/f", Open.READ, 0).handle();
            live(Duration.ofMinutes(11), storage);
            session.delete("/d", true);
            live(Duration.ofMinutes(9), storage);
            assertThat(session.extents(node, 0, 1).extents()).hasSize(1);
            assertThat(session.extents(node, 0, 1).status().has(NodeStatus.UNLINKED)).isTrue();
            assertThat(storage.fenceAll()).isZero();
            session.closeHandle(handle);
            assertThat(storage.fenceAll()).isEqualTo(1);
        }
    }

    /** Lets time pass in which everybody shows that he lives. */
    private void live(Duration time, FakeStorage storage) throws IOException {
        for (Duration t = Duration.ZERO; t.compareTo(time) < 0; t = t.plusSeconds(10)) {
            namenode.advance(Duration.ofSeconds(10));
            session.keepAlive(new long[0], List.of());
            storage.heartbeat();
        }
    }

    // Renaming.

    @Test
    void renamingMovesANodeWithAllBelowIt() throws IOException {
        session.mkdir("/a");
        session.mkdir("/a/b");
        NodeStatus file = session.touch("/a/b/f");
        session.mkdir("/z");
        NodeStatus moved = session.rename("/a", "/z/new", 0);
        assertThat(moved.type()).isEqualTo(NodeType.DIRECTORY);
        assertThat(session.lookup("/z/new/b/f").id()).isEqualTo(file.id());
        assertThatThrownBy(() -> session.lookup("/a")).isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(() -> session.rename("/a", "/q", 0))
                .isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(() -> session.rename("/z", "/q/z", 0))
                .isInstanceOf(NoSuchNodeException.class);
    }

    @Test
    void aDirectoryCannotMoveBelowItself() throws IOException {
        session.mkdir("/a");
        session.mkdir("/a/b");
        assertThatThrownBy(() -> session.rename("/a", "/a/b/a", 0))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> session.rename("/a", "/a/x", Rename.REPLACE))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(session.list("/a")).containsExactly("b");
    }

    @Test
    void renamingNeverPutsANodeTooDeep() throws IOException {
        session.create("/x" + "/d".repeat(299), NodeType.DIRECTORY, Create.PARENTS, 0);
        session.create("/y" + "/e".repeat(211), NodeType.DIRECTORY, Create.PARENTS, 0);
        String deep = "/y" + "/e".repeat(211);
        session.touch("/x" + "/d".repeat(299) + "/leaf"); // 301 levels with /x.
        assertThatThrownBy(() -> session.rename("/x", deep + "/x", 0))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageContaining("513");
        assertThat(session.lookup("/x").type()).isEqualTo(NodeType.DIRECTORY);
        session.delete("/x" + "/d".repeat(299) + "/leaf", false);
        session.rename("/x", deep + "/x", 0);
        String bottom = deep + "/x" + "/d".repeat(299);
        assertThat(session.lookup(bottom).type()).isEqualTo(NodeType.DIRECTORY);
        assertThatThrownBy(() -> session.touch(bottom + "/leaf"))
                .isInstanceOf(InvalidNameException.class);
    }

    @Test
    void theDepthBelowADirectoryIsThatOfItsDeepestOne() throws IOException {
        session.create("/a" + "/s".repeat(4), NodeType.DIRECTORY, Create.PARENTS, 0);
        session.create("/a" + "/t".repeat(9), NodeType.DIRECTORY, Create.PARENTS, 0);
        session.create("/a" + "/u".repeat(9), NodeType.DIRECTORY, Create.PARENTS, 0);
        session.table("/a/table");
        session.put("/a/table", "a/b/c", "keys have no depth");
        assertThat(height("/a")).isEqualTo(9);
        session.delete("/a/t", true);
        assertThat(height("/a")).isEqualTo(9);
        session.rename("/a/u/u", "/moved", 0);
        assertThat(height("/a")).isEqualTo(4);
        assertThat(height("/moved")).isEqualTo(7);
        session.delete("/a/s/s", true);
        assertThat(height("/a")).isEqualTo(1);
        namenode.restart();
        session.wire().reconnect(namenode::connect);
        assertThat(height("/moved")).isEqualTo(7);
        assertThat(height("/")).isEqualTo(8);
    }

    private int height(String path) throws IOException {
        long node = session.lookup(path).id();
        return namenode.ask(
                engine ->
                        ((ContainerNode) Objects.requireNonNull(engine.state().tree().byId(node)))
                                .height());
    }

    @Test
    void renamingOntoItselfChangesNothing() throws IOException {
        NodeStatus file = session.touch("/f");
        assertThat(session.rename("/f", "/f", 0)).isEqualTo(file);
        assertThat(session.rename("/f", "//f/", Rename.REPLACE)).isEqualTo(file);
    }

    @Test
    void anExistingTargetIsReplacedOnlyWhenAskedForAndOfTheSameType() throws IOException {
        NodeStatus a = session.touch("/a");
        NodeStatus b = session.touch("/b");
        session.mkdir("/d");
        session.mkdir("/full");
        session.touch("/full/f");
        assertThatThrownBy(() -> session.rename("/a", "/b", 0))
                .isInstanceOf(NodeExistsException.class);
        assertThat(session.lookup("/b").id()).isEqualTo(b.id());
        session.rename("/a", "/b", Rename.REPLACE);
        assertThat(session.lookup("/b").id()).isEqualTo(a.id());
        assertThatThrownBy(() -> session.rename("/b", "/d", Rename.REPLACE))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> session.rename("/d", "/full", Rename.REPLACE))
                .isInstanceOf(NotEmptyException.class);
        session.rename("/full", "/d", Rename.REPLACE);
        assertThat(session.list("/d")).containsExactly("f");
        assertThatThrownBy(() -> session.rename("/b", "/", Rename.REPLACE))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> session.rename("/b", "/d/f/x", 0))
                .isInstanceOf(WrongNodeTypeException.class);
    }

    @Test
    void aReplacedFileFreesItsBlocks() throws IOException {
        try (FakeStorage storage = namenode.storage(4)) {
            session.file("/a", 4096);
            session.file("/b", 4096);
            session.rename("/a", "/b", Rename.REPLACE);
            assertThat(storage.fenceAll()).isEqualTo(1);
            assertThat(session.summary("/").allocated()).isEqualTo(4096);
        }
    }

    // Attributes.

    @Test
    void attributesChangeAsFarAsTheMaskSays() throws IOException {
        NodeStatus before = session.touch("/f");
        SetAttributes.Request all =
                new SetAttributes.Request(
                        TestSession.bytes("/f"),
                        SetAttributes.MODE
                                | SetAttributes.STORAGE_CLASS
                                | SetAttributes.MODIFIED
                                | SetAttributes.ACCESSED
                                | SetAttributes.OWNER
                                | SetAttributes.GROUP
                                | SetAttributes.LIFETIME,
                        0107777,
                        7,
                        111,
                        222,
                        -1,
                        "ann",
                        "staff");
        NodeStatus after = session.wire().call(all, SetAttributes.Reply::decode).status();
        assertThat(after).isEqualTo(session.lookup("/f"));
        assertThat(after.mode()).isEqualTo(07777);
        assertThat(after.storageClass()).isEqualTo(7);
        assertThat(after.modifiedMillis()).isEqualTo(111);
        assertThat(after.accessedMillis()).isEqualTo(222);
        assertThat(after.owner()).isEqualTo("ann");
        assertThat(after.group()).isEqualTo("staff");
        assertThat(after.createdMillis()).isEqualTo(before.createdMillis());
        assertThat(change("/f", 0).status()).isEqualTo(after);
        assertThatThrownBy(() -> change("/f", SetAttributes.STORAGE_CLASS))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> change("/g", 0)).isInstanceOf(NoSuchNodeException.class);
    }

    private SetAttributes.Reply change(String path, int mask) throws IOException {
        return session.wire()
                .call(
                        new SetAttributes.Request(
                                TestSession.bytes(path), mask, 0, 256, 0, 0, 1000, "", ""),
                        SetAttributes.Reply::decode);
    }

    // Totals.

    /** A summary without quotas; all blocks are of class 0. */
    private static Summary.Reply sums(
            long directories, long files, long tables, long keyValues, long length, long bytes) {
        return new Summary.Reply(
                directories,
                files,
                tables,
                keyValues,
                length,
                bytes,
                -1,
                bytes == 0 ? List.of() : List.of(new Summary.ClassUse(0, bytes, -1)));
    }

    @Test
    void totalsAreExactAfterEveryKindOfChange() throws IOException {
        try (FakeStorage storage = namenode.storage(8)) {
            session.mkdir("/d");
            session.mkdir("/d/e");
            session.table("/d/t");
            session.file("/d/e/f", 5000);
            session.put("/d/t", "k", "12345");
            assertThat(session.summary("/d")).isEqualTo(sums(2, 1, 1, 1, 5005, 8192));
            session.put("/d/t", "k", "123");
            session.put("/d/t", "l", "");
            assertThat(session.summary("/d")).isEqualTo(sums(2, 1, 1, 2, 5003, 8192));
            session.rename("/d/e", "/e", 0);
            assertThat(session.summary("/d")).isEqualTo(sums(1, 0, 1, 2, 3, 0));
            assertThat(session.summary("/")).isEqualTo(sums(3, 1, 1, 2, 5003, 8192));
            session.remove("/d/t", "k");
            assertThat(session.summary("/d/t")).isEqualTo(sums(0, 0, 1, 1, 0, 0));
            session.create("/e/f", NodeType.FILE, Create.OVERWRITE, 0);
            assertThat(session.summary("/e")).isEqualTo(sums(1, 1, 0, 0, 0, 0));
            assertThat(session.summary("/e/f")).isEqualTo(sums(0, 1, 0, 0, 0, 0));
            session.delete("/d", true);
            session.delete("/e", true);
            assertThat(session.summary("/")).isEqualTo(sums(1, 0, 0, 0, 0, 0));
            storage.fenceAll();
        }
    }
}
