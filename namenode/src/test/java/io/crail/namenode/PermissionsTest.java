// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.AccessDeniedException;
import io.crail.namenode.access.Permissions;
import io.crail.protocol.block.BlockId;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.AwaitLength;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Delete;
import io.crail.protocol.message.Drain;
import io.crail.protocol.message.Get;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.GetXattrs;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Message;
import io.crail.protocol.message.Movable;
import io.crail.protocol.message.Open;
import io.crail.protocol.message.Put;
import io.crail.protocol.message.Remove;
import io.crail.protocol.message.Rename;
import io.crail.protocol.message.Repair;
import io.crail.protocol.message.Scan;
import io.crail.protocol.message.SessionOpen;
import io.crail.protocol.message.SetAttributes;
import io.crail.protocol.message.SetQuota;
import io.crail.protocol.message.SetXattr;
import io.crail.protocol.message.Summary;
import io.crail.protocol.message.TierPlan;
import io.crail.protocol.message.TierSet;
import io.crail.protocol.message.Truncate;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Who may do what when mode bits are enforced. */
final class PermissionsTest {
    private static final int R = 4;
    private static final int W = 2;
    private static final int X = 1;
    private static final Map<Integer, String> WORDS =
            Map.of(R, "read (r)", W, "write (w)", X, "search (x)");

    @TempDir private Path directory;
    private TestNamenode namenode;
    private TestSession root;
    private TestSession bob;

    @BeforeEach
    void start() throws IOException {
        namenode =
                TestNamenode.start(
                        directory,
                        builder -> builder.permissions(Permissions.ENFORCE).superuser("superuser"));
        root = session("superuser", "wheel");
        bob = session("bob", "staff");
    }

    @AfterEach
    void stop() throws IOException {
        root.close();
        bob.close();
        namenode.close();
    }

    private TestSession session(String user, String group) throws IOException {
        return new TestSession(
                WireClient.open(
                        namenode::connect, new SessionOpen.Request(user, 0, user, group, "", 0)));
    }

    private static byte[] bytes(String text) {
        return TestSession.bytes(text);
    }

    private void chmod(String path, int mode) throws IOException {
        change(root, path, SetAttributes.MODE, mode, "", "");
    }

    private void chown(String path, String owner, String group) throws IOException {
        change(root, path, SetAttributes.OWNER | SetAttributes.GROUP, 0, owner, group);
    }

    private static void change(
            TestSession asker, String path, int mask, int mode, String owner, String group)
            throws IOException {
        asker.wire()
                .call(
                        new SetAttributes.Request(
                                bytes(path), mask, mode, 0, 0, 0, -1, owner, group),
                        SetAttributes.Reply::decode);
    }

    // What each request needs.

    /**
     * A request, and exactly the rights that it needs.
     *
     * @param needs rights by path, without those on /
     */
    private record Row(String what, Message message, byte[] payload, Map<String, Integer> needs) {
        @Override
        public String toString() {
            return what;
        }
    }

    private static Row row(String what, Message message, Object... needs) {
        Map<String, Integer> rights = new TreeMap<>();
        for (int i = 0; i < needs.length; i += 2) {
            rights.put((String) needs[i], (Integer) needs[i + 1]);
        }
        boolean put = message instanceof Put.Request;
        return new Row(what, message, put ? new byte[] {1} : FrameLink.NO_PAYLOAD, rights);
    }

    private static Message attributes(String path, int mask) {
        return new SetAttributes.Request(bytes(path), mask, 0700, 0, 0, 0, 1000, "bob", "staff");
    }

    private static Message create(String path, NodeType type, int flags) {
        return TestRequests.createRequest(path, type, flags, 0);
    }

    static Stream<Row> rows() {
        byte[] key = bytes("k");
        byte[] none = TestSession.NOTHING;
        return Stream.of(
                row("lookup", new Lookup.Request(bytes("/d/f"), 0), "/d", X),
                row("lookup deep", new Lookup.Request(bytes("/d/e/x"), 0), "/d", X, "/d/e", X),
                row("list", new ListEntries.Request(bytes("/d"), none, 9), "/d", R | X),
                row("summary", new Summary.Request(bytes("/d/e")), "/d", X, "/d/e", R | X),
                row("summary of a file", new Summary.Request(bytes("/d/f")), "/d", X),
                row("create", create("/d/new", NodeType.FILE, Create.OPEN), "/d", W | X),
                row("mkdir -p", create("/d/n/m", NodeType.DIRECTORY, Create.PARENTS), "/d", W | X),
                row("existing", create("/d/e", NodeType.DIRECTORY, Create.EXISTING_OK), "/d", X),
                row(
                        "overwrite",
                        create("/d/f", NodeType.FILE, Create.OVERWRITE),
                        "/d",
                        W | X,
                        "/d/f",
                        W),
                row("delete", new Delete.Request(bytes("/d/f"), false), "/d", W | X),
                row(
                        "delete a full directory",
                        new Delete.Request(bytes("/d/e"), true),
                        "/d",
                        W | X,
                        "/d/e",
                        R | W | X),
                row(
                        "rename",
                        new Rename.Request(bytes("/d/f"), bytes("/to/f"), 0),
                        "/d",
                        W | X,
                        "/to",
                        W | X),
                row(
                        "rename replacing",
                        new Rename.Request(bytes("/d/f"), bytes("/to/old"), Rename.REPLACE),
                        "/d",
                        W | X,
                        "/to",
                        W | X),
                row(
                        "concat",
                        Splicer.concatRequest("/d/f", List.of("/to/old")),
                        "/d",
                        X,
                        "/d/f",
                        W,
                        "/to",
                        W | X,
                        "/to/old",
                        R | W),
                row("truncate", new Truncate.Request(bytes("/d/f"), 0, 0, 0), "/d", X, "/d/f", W),
                row("set times", attributes("/d/f", SetAttributes.MODIFIED), "/d", X, "/d/f", W),
                row(
                        "set class",
                        attributes("/d/f", SetAttributes.STORAGE_CLASS),
                        "/d",
                        X,
                        "/d/f",
                        W),
                row("set a lifetime", attributes("/d/f", SetAttributes.LIFETIME), "/d", W | X),
                row("unbind", attributes("/d/f", SetAttributes.UNBIND), "/d", W | X),
                row(
                        "set an xattr",
                        new SetXattr.Request(bytes("/d/f"), "user.b", 0, key),
                        "/d",
                        X,
                        "/d/f",
                        W),
                row("get xattrs", new GetXattrs.Request(bytes("/d/f"), "", 0), "/d", X, "/d/f", R),
                row("open", new Open.Request(bytes("/d/f"), Open.READ, 0), "/d", X, "/d/f", R),
                row("append", new Open.Request(bytes("/d/f"), Open.APPEND, 0), "/d", X, "/d/f", W),
                row("get", new Get.Request(bytes("/d/t"), key, 0), "/d", X, "/d/t", R),
                row("scan", new Scan.Request(bytes("/d/t"), none, 9, 0), "/d", X, "/d/t", R),
                row("put", TestRequests.putRequest("/d/t", "k", 0, 0), "/d", X, "/d/t", W),
                row("remove", new Remove.Request(bytes("/d/t"), key, 0, 0), "/d", X, "/d/t", W),
                row(
                        "grant for a value",
                        new Grant.Request(0, 0, bytes("/d/t"), 4096, false, new int[0]),
                        "/d",
                        X,
                        "/d/t",
                        W));
    }

    private void makeTree() throws IOException {
        for (String path : new String[] {"/d", "/d/e", "/d/e/x", "/to"}) {
            root.mkdir(path);
        }
        root.table("/d/t");
        root.put("/d/t", "k", "v");
        root.touch("/d/f");
        root.touch("/to/old");
        for (String path :
                new String[] {"/d/e/x", "/d/e", "/d/t", "/d/f", "/to/old", "/d", "/to"}) {
            chmod(path, 0);
        }
    }

    private void grantRights(Map<String, Integer> needs) throws IOException {
        for (Map.Entry<String, Integer> each : needs.entrySet()) {
            chmod(each.getKey(), each.getValue());
        }
    }

    @ParameterizedTest
    @MethodSource("rows")
    void eachRequestNeedsExactlyTheRightsOfItsRow(Row row) throws IOException {
        try (FakeStorage storage = namenode.storage(1)) {
            makeTree();
            for (Map.Entry<String, Integer> each : row.needs().entrySet()) {
                for (int right : new int[] {R, W, X}) {
                    if ((each.getValue() & right) == 0) {
                        continue;
                    }
                    grantRights(row.needs());
                    chmod(each.getKey(), each.getValue() & ~right);
                    assertThatThrownBy(() -> ask(bob, row))
                            .isInstanceOf(AccessDeniedException.class)
                            .hasMessageContaining(each.getKey() + ": user bob")
                            .hasMessageContaining(WORDS.getOrDefault(right, ""));
                }
            }
            grantRights(row.needs());
            assertThatCode(() -> ask(bob, row)).doesNotThrowAnyException();
            assertThat(storage.id()).isPositive();
        }
    }

    private static void ask(TestSession asker, Row row) throws IOException {
        asker.wire().ask(row.message(), row.payload()).orThrow();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void theSuperuserNeedsNoRights(Row row) throws IOException {
        try (FakeStorage storage = namenode.storage(1)) {
            makeTree();
            assertThatCode(() -> ask(root, row)).doesNotThrowAnyException();
            assertThat(storage.id()).isPositive();
        }
    }

    // Whose bits.

    @Test
    void theOwnersBitsAreForTheOwnerTheGroupsForMembersAndTheRestForOthers() throws IOException {
        try (TestSession member = session("carol", "staff");
                TestSession other = session("dave", "guests")) {
            root.touch("/f");
            chown("/f", "bob", "staff");
            Map<TestSession, Integer> shifts = Map.of(bob, 6, member, 3, other, 0);
            for (Map.Entry<TestSession, Integer> each : shifts.entrySet()) {
                chmod("/f", R << each.getValue());
                for (TestSession asker : shifts.keySet()) {
                    if (asker == each.getKey()) {
                        asker.open("/f", Open.READ, 0);
                    } else {
                        assertThatThrownBy(() -> asker.open("/f", Open.READ, 0))
                                .isInstanceOf(AccessDeniedException.class);
                    }
                }
            }
        }
    }

    @Test
    void inAStickyDirectoryOnlyOwnersRemove() throws IOException {
        root.mkdir("/tmp");
        chmod("/tmp", 01777);
        try (TestSession carol = session("carol", "staff")) {
            carol.touch("/tmp/hers");
            bob.touch("/tmp/his");
            assertThatThrownBy(() -> bob.delete("/tmp/hers", false))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("/tmp/hers")
                    .hasMessageContaining("sticky");
            assertThatThrownBy(() -> bob.rename("/tmp/his", "/tmp/hers", Rename.REPLACE))
                    .isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> bob.setLifetime("/tmp/hers", 1))
                    .isInstanceOf(AccessDeniedException.class);
            bob.rename("/tmp/his", "/tmp/other", 0);
            bob.delete("/tmp/other", false);
            carol.delete("/tmp/hers", false);
        }
    }

    @Test
    void ownersChangeModesMembersGroupsAndTheSuperuserOwners() throws IOException {
        root.mkdir("/home");
        chmod("/home", 0777);
        bob.touch("/home/f");
        try (TestSession carol = session("carol", "staff")) {
            assertThatThrownBy(() -> change(carol, "/home/f", SetAttributes.MODE, 0777, "", ""))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("carol")
                    .hasMessageContaining("does not own");
        }
        change(bob, "/home/f", SetAttributes.MODE, 0600, "", "");
        change(bob, "/home/f", SetAttributes.GROUP, 0, "", "staff");
        assertThatThrownBy(() -> change(bob, "/home/f", SetAttributes.GROUP, 0, "", "wheel"))
                .isInstanceOf(AccessDeniedException.class);
        assertThatThrownBy(() -> change(bob, "/home/f", SetAttributes.OWNER, 0, "carol", ""))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("superuser");
        chown("/home/f", "carol", "wheel");
        assertThat(root.lookup("/home/f").owner()).isEqualTo("carol");
        Message forged =
                new Create.Request(
                        bytes("/home/g"),
                        NodeType.FILE,
                        0,
                        0600,
                        Create.INHERIT,
                        -1,
                        0,
                        false,
                        "carol",
                        "",
                        "");
        assertThatThrownBy(() -> bob.wire().ask(forged, FrameLink.NO_PAYLOAD).orThrow())
                .isInstanceOf(AccessDeniedException.class);
    }

    @Test
    void aStreamIsAskedForRightsEachTime() throws IOException {
        root.mkdir("/d");
        chmod("/d", 0777);
        long id = bob.stream("/d/s", 0, 0, 0).id();
        chmod("/d/s", 0400);
        root.append(id, "one");
        assertThatThrownBy(() -> bob.append(id, "two")).isInstanceOf(AccessDeniedException.class);
        assertThatThrownBy(() -> bob.trim(id, 1)).isInstanceOf(AccessDeniedException.class);
        assertThat(bob.records(id, 0, 0, 0).next()).isEqualTo(1);
        chmod("/d/s", 0200);
        assertThat(bob.append(id, "two").offset()).isEqualTo(1);
        assertThatThrownBy(() -> bob.records(id, 0, 0, 0))
                .isInstanceOf(AccessDeniedException.class);
        chmod("/d", 0);
        assertThatThrownBy(() -> bob.append(id, "three"))
                .isInstanceOf(AccessDeniedException.class)
                .hasMessageContaining("/d: user bob");
        assertThatThrownBy(() -> bob.stream("/d/t", 0, 0, 0))
                .isInstanceOf(AccessDeniedException.class);
    }

    // Handles and ids.

    @Test
    void whatIsOpenStaysUsableAndWhatIsNotNeedsRights() throws IOException {
        try (FakeStorage storage = namenode.storage(1)) {
            root.mkdir("/d");
            chmod("/d", 0777);
            Create.Reply writing = bob.write("/d/f", 4096);
            long id = writing.status().id();
            chmod("/d/f", 0);
            bob.grant(id, writing.handle(), 1);
            bob.commit(id, writing.handle(), 0, true, TestRequests.fill(writing.grants(), 100));
            assertThatThrownBy(() -> bob.extents(id, 0, 1))
                    .isInstanceOf(AccessDeniedException.class);
            assertThatThrownBy(() -> bob.awaitLength(id, 0, 1))
                    .isInstanceOf(AccessDeniedException.class);
            chmod("/d/f", 0400);
            Open.Reply reading = bob.open("/d/f", Open.READ, 0);
            chmod("/d", 0);
            chmod("/d/f", 0);
            for (Message message :
                    List.of(
                            new GetExtents.Request(id, reading.handle(), 0, 1),
                            new AwaitLength.Request(id, reading.handle(), 0, 1))) {
                bob.wire().ask(message, FrameLink.NO_PAYLOAD).orThrow();
            }
            assertThat(storage.id()).isPositive();
        }
    }

    @Test
    void blocksOfAValueAreReadByWhoMayReadTheTable() throws IOException {
        try (FakeStorage storage = namenode.storage(1)) {
            root.table("/t");
            chmod("/t", 0744);
            long id =
                    root.putBlocks("/t", "k", TestRequests.fill(root.grantValue("/t", 4096), 4096))
                            .node();
            assertThat(bob.extents(id, 0, 1).extents()).hasSize(1);
            chmod("/t", 0700);
            assertThatThrownBy(() -> bob.extents(id, 0, 1))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("/t: user bob");
            assertThat(storage.id()).isPositive();
        }
    }

    @Test
    void aRepeatedMutationIsAnsweredThoughTheRightIsGone() throws IOException {
        root.mkdir("/d");
        chmod("/d", 0777);
        bob.wire().setAcknowledging(false);
        long id = bob.wire().nextId();
        Message create = create("/d/f", NodeType.FILE, 0);
        byte[] answer = bob.wire().ask(id, create, FrameLink.NO_PAYLOAD).control();
        chmod("/d", 0);
        assertThat(bob.wire().ask(id, create, FrameLink.NO_PAYLOAD).control()).isEqualTo(answer);
    }

    // The superuser.

    @Test
    void someThingsAreForTheSuperuserOnly() throws IOException {
        root.mkdir("/d");
        chmod("/d", 0777);
        chown("/d", "bob", "staff");
        List<Message> messages =
                List.of(
                        new SetQuota.Request(bytes("/d"), 1, List.of()),
                        new Drain.Request(1, true),
                        new Movable.Request(1, 0, 1),
                        new TierPlan.Request(1, 1),
                        new TierSet.Request(1, true, 0, 0, 0),
                        new Audit.Request(1, Audit.NODES, Audit.Position.START),
                        new Repair.Request(Repair.TOTALS, 1, new BlockId(0, 0, 0), 0, 0),
                        new Grant.Request(2, 0, TestSession.NOTHING, 1, true, new int[0]),
                        new SetXattr.Request(bytes("/d"), "trusted.a", 0, new byte[0]),
                        new GetXattrs.Request(bytes("/d"), "trusted.a", 0));
        for (Message message : messages) {
            assertThatThrownBy(() -> bob.wire().ask(message, FrameLink.NO_PAYLOAD).orThrow())
                    .as(message.toString())
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining("superuser");
        }
        root.setXattr("/d", "trusted.a", "1");
        bob.setXattr("/d", "user.a", "1");
        assertThat(bob.xattrs("/d")).containsOnlyKeys("user.a");
        assertThat(root.xattrs("/d")).containsOnlyKeys("trusted.a", "user.a");
    }

    @Test
    void withoutEnforcementModeBitsAreKeptAndNobodyIsRefused(@TempDir Path other)
            throws IOException {
        try (TestNamenode open = TestNamenode.start(other);
                TestSession first = open.session("first");
                TestSession second = open.session("second")) {
            first.mkdir("/d");
            change(first, "/d", SetAttributes.MODE, 0, "", "");
            second.touch("/d/f");
            second.setQuota("/d", 5, List.of());
            assertThat(second.lookup("/d").mode()).isZero();
        }
    }
}
