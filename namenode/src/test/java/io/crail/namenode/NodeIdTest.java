// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.access.Permissions;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.SessionOpen;
import io.crail.protocol.message.SetAttributes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nodes named by their id: found wherever they are, with the rights that their path would need. */
final class NodeIdTest {
    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession root;
    private TestSession bob;

    @BeforeEach
    void start() throws IOException {
        namenode =
                TestNamenode.start(
                        directory,
                        builder -> builder.permissions(Permissions.ENFORCE).superuser("superuser"));
        storage = namenode.storage(16);
        root = session("superuser");
        bob = session("bob");
    }

    @AfterEach
    void stop() throws IOException {
        storage.close();
        root.close();
        bob.close();
        namenode.close();
    }

    private TestSession session(String user) throws IOException {
        return new TestSession(
                WireClient.open(
                        namenode::connect, new SessionOpen.Request(user, 0, user, user, "", 0)));
    }

    private long file(String path) throws IOException {
        root.file(path, 5000);
        return root.lookup(path).id();
    }

    private void chmod(String path, int mode) throws IOException {
        root.wire()
                .call(
                        new SetAttributes.Request(
                                TestSession.bytes(path),
                                SetAttributes.MODE,
                                mode,
                                0,
                                0,
                                0,
                                -1,
                                "",
                                ""),
                        SetAttributes.Reply::decode);
    }

    @Test
    void aMovedFileIsFoundAndOpened() throws IOException {
        root.mkdir("/a");
        root.mkdir("/b");
        long node = file("/a/f");
        root.rename("/a/f", "/b/g", 0);
        root.rename("/b", "/c", 0);
        assertThat(root.lookup(node, Lookup.EXTENTS)).isEqualTo(root.lookup("/c/g", 1));
        Open.Reply open = root.open(node);
        assertThat(open.status()).isEqualTo(root.lookup("/c/g"));
        assertThat(open.extents()).hasSize(1);
        assertThat(root.extents(node, 0, 1).extents()).isEqualTo(open.extents());
    }

    @Test
    void aHandleOpenedByIdKeepsTheBytes() throws IOException {
        long node = file("/f");
        Open.Reply open = root.open(node);
        root.delete("/f", false);
        assertThat(storage.fenceAll()).isZero();
        root.keepAlive(new long[] {open.handle()}, List.of());
        assertThat(storage.fenceAll()).isEqualTo(1);
    }

    @Test
    void whatWasRemovedOrReplacedIsNoLongerFound() throws IOException {
        long removed = file("/f");
        Open.Reply keepsItsBytes = root.open("/f", Open.READ, 0);
        root.delete("/f", false);
        long replaced = file("/f");
        file("/g");
        root.rename("/g", "/f", Rename.REPLACE);
        for (long node : new long[] {removed, replaced, 12_345}) {
            assertThatThrownBy(() -> root.open(node))
                    .isInstanceOf(NoSuchNodeException.class)
                    .hasMessageContaining("node " + node);
            assertThatThrownBy(() -> root.lookup(node, 0)).isInstanceOf(NoSuchNodeException.class);
        }
        assertThat(root.extents(removed, 0, 1).status().has(NodeStatus.UNLINKED)).isTrue();
        assertThat(keepsItsBytes.status().id()).isEqualTo(removed);
    }

    /** They are taken apart in slices: many are still there when the answer to DELETE is. */
    @Test
    void whatLiesBelowARemovedDirectoryIsGoneAtOnce() throws IOException {
        root.mkdir("/d");
        List<Long> nodes = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            root.mkdir("/d/" + i);
            nodes.add(root.lookup("/d/" + i).id());
        }
        root.wire().call(new Delete.Request(TestSession.bytes("/d"), true), Delete.Reply::decode);
        for (long node : nodes.subList(2900, 3000)) {
            assertThatThrownBy(() -> root.lookup(node, 0)).isInstanceOf(NoSuchNodeException.class);
        }
    }

    @Test
    void onlyAFileIsOpenedAndOnlyForReading() throws IOException {
        root.mkdir("/d");
        long node = root.lookup("/d").id();
        assertThat(root.lookup(node, 0)).isEqualTo(root.lookup("/d", 0));
        assertThatThrownBy(() -> root.open(node))
                .isInstanceOf(WrongNodeTypeException.class)
                .hasMessageContaining("node " + node + " is a DIRECTORY");
        long file = file("/d/f");
        assertThatThrownBy(
                        () ->
                                root.wire()
                                        .call(
                                                new Open.Request(new byte[0], Open.APPEND, 0, file),
                                                Open.Reply::decode))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> root.lookup("", 0)).isInstanceOf(InvalidNameException.class);
    }

    @Test
    void idOfAValueNamesNothing() throws IOException {
        root.table("/t");
        long below = root.lookup("/t").id();
        root.put("/t", "k", "v");
        for (long node = below + 1; node < below + 5; node++) {
            long value = node;
            assertThatThrownBy(() -> root.lookup(value, 0)).isInstanceOf(NoSuchNodeException.class);
        }
    }

    @Test
    void opensNothingThatThePathWouldNotOpen() throws IOException {
        root.mkdir("/d");
        root.mkdir("/d/e");
        long node = file("/d/e/f");
        for (String barrier : new String[] {"/d", "/d/e", "/d/e/f"}) {
            chmod("/d", 0711);
            chmod("/d/e", 0711);
            chmod("/d/e/f", 0644);
            assertThat(bob.open(node).status().id()).isEqualTo(node);
            chmod(barrier, 0700);
            assertThatThrownBy(() -> bob.open(node))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("node " + node + ": user bob")
                    .hasMessageNotContaining("/d");
            assertThat(root.open(node).status().id()).isEqualTo(node);
        }
    }

    @Test
    void looksUpWithTheRightToReachTheNode() throws IOException {
        root.mkdir("/d");
        long node = file("/d/f");
        chmod("/d/f", 0);
        chmod("/d", 0711);
        assertThat(bob.lookup(node, 0).status().id()).isEqualTo(node);
        chmod("/d", 0766);
        assertThatThrownBy(() -> bob.lookup(node, 0))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageNotContaining("/d");
    }

    @Test
    void rightsAreThoseOfThePlaceWhereItIsNow() throws IOException {
        root.mkdir("/open");
        root.mkdir("/closed");
        chmod("/open", 0755);
        chmod("/closed", 0700);
        long node = file("/open/f");
        chmod("/open/f", 0644);
        assertThat(bob.open(node).status().id()).isEqualTo(node);
        root.rename("/open/f", "/closed/f", 0);
        assertThatThrownBy(() -> bob.open(node)).isInstanceOf(AccessDeniedException.class);
    }
}
