// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ConditionFailedException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.Splicer.Opened;
import io.crail.namenode.Splicer.Piece;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Concat;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Joining and cutting files: what the files are then, and what whoever has them open sees. */
final class SpliceTest {
    private static final int BLOCK = 1 << 20;

    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;
    private TestSession reader;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = namenode.storage(64);
        session = namenode.session("session");
        reader = namenode.session("reader");
    }

    /** Nothing may be left, whatever a test has done. */
    @AfterEach
    void stop() throws IOException {
        reader.endSession();
        for (String name : session.list("/")) {
            session.delete("/" + name, true);
        }
        session.endSession();
        namenode.settle();
        storage.fenceAll();
        namenode.checkConservation();
        TestSession last = namenode.session("last");
        assertThat(last.statistics().servers().get(0).committed()).isZero();
        last.close();
        storage.close();
        session.close();
        reader.close();
        namenode.close();
    }

    private long committed() throws IOException {
        storage.fenceAll();
        return session.statistics().servers().get(0).committed();
    }

    private void assertIntact(List<Piece> pieces) throws IOException {
        storage.fenceAll();
        for (Piece piece : pieces) {
            assertThat(storage.generation(piece.block().segment(), piece.block().record()))
                    .as("a block that is being read")
                    .isEqualTo(piece.generation());
        }
    }

    private void assertKept(Opened opened) throws IOException {
        assertThat(opened.piecesNow(reader)).isEqualTo(opened.pieces());
        assertThat(opened.now(reader).length()).isEqualTo(opened.status().length());
        assertIntact(opened.pieces());
    }

    private static List<Piece> behind(List<Piece> first, List<Piece> more) {
        List<Piece> all = new ArrayList<>(first);
        for (Piece piece : more) {
            long end = all.isEmpty() ? 0 : all.get(all.size() - 1).offset();
            end += all.isEmpty() ? 0 : all.get(all.size() - 1).length();
            all.add(piece.at(end));
        }
        return all;
    }

    // Joining.

    @Test
    void joinedFilesAreOneWithTheBlocksOfAll() throws IOException {
        NodeStatus target = session.file("/a", 5000);
        session.mkdir("/d");
        session.file("/d/b", 3 * BLOCK + 77);
        session.touch("/d/empty");
        session.file("/c", 10);
        List<Piece> expected =
                behind(
                        behind(Splicer.pieces(session, "/a"), Splicer.pieces(session, "/d/b")),
                        Splicer.pieces(session, "/c"));
        long before = committed();
        NodeStatus joined = Splicer.concat(session, "/a", "/d/b", "/d/empty", "/c");
        assertThat(joined.id()).isEqualTo(target.id());
        assertThat(joined.length()).isEqualTo(3L * BLOCK + 5087);
        assertThat(joined.version()).isGreaterThan(target.version());
        assertThat(session.lookup("/a")).isEqualTo(joined);
        assertThat(Splicer.pieces(session, "/a")).isEqualTo(expected);
        assertThat(session.list("/")).containsExactly("a", "d");
        assertThat(session.list("/d")).isEmpty();
        assertThat(committed()).isEqualTo(before);
        assertThat(session.summary("/").length()).isEqualTo(joined.length());
        assertThat(session.summary("/d").length()).isZero();
        assertThat(session.summary("/").files()).isEqualTo(1);
    }

    @Test
    void theLastBlockOfTheLastSourceIsContinuedIfItMightHaveBeen() throws IOException {
        session.file("/a", 100);
        session.file("/b", 200);
        Splicer.concat(session, "/a", "/b");
        Open.Reply open = session.open("/a", Open.APPEND, 0);
        Extent last = open.extents().get(0);
        assertThat(last.offset()).isEqualTo(100);
        session.commit(
                open.status().id(),
                open.handle(),
                300,
                true,
                List.of(TestRequests.extent(last.block(), 300)));
        assertThat(session.lookup("/a").length()).isEqualTo(400);

        session.file("/c", 50);
        Splicer.truncate(session, "/c", 20);
        Splicer.concat(session, "/a", "/c");
        Open.Reply sealed = session.open("/a", Open.APPEND, 0);
        assertThat(sealed.extents()).isEmpty();
        session.commit(sealed.status().id(), sealed.handle(), 420, true, List.of());
    }

    @Test
    void whoHasASourceOpenKeepsItWhateverBecomesOfTheTarget() throws IOException {
        session.file("/a", 5000);
        session.file("/b", 5 * BLOCK + 5);
        Opened source = Opened.of(reader, "/b");
        Opened target = Opened.of(reader, "/a");
        Splicer.concat(session, "/a", "/b");
        assertKept(source);
        assertThat(source.now(reader).has(NodeStatus.UNLINKED)).isTrue();
        assertThat(target.now(reader).length()).isEqualTo(5L * BLOCK + 5005);
        assertThat(target.piecesNow(reader).subList(0, 1)).isEqualTo(target.pieces());

        Open.Reply open = session.open("/a", Open.APPEND, 0);
        session.commit(
                open.status().id(),
                open.handle(),
                open.status().length(),
                true,
                List.of(TestRequests.extent(open.extents().get(0).block(), 1000)));
        assertKept(source);

        session.delete("/a", false);
        assertKept(source);
        reader.closeHandle(target.handle());
        assertKept(source);
        reader.closeHandle(source.handle());
        assertThat(committed()).isZero();
    }

    @Test
    void whoHasASourceOpenKeepsItThroughFurtherJoins() throws IOException {
        session.file("/a", 1000);
        session.file("/b", 2000);
        session.file("/c", 3000);
        Opened a = Opened.of(reader, "/a");
        Splicer.concat(session, "/b", "/a");
        Opened b = Opened.of(reader, "/b");
        Splicer.concat(session, "/c", "/b");
        assertKept(a);
        assertKept(b);
        session.delete("/c", false);
        assertKept(a);
        assertKept(b);
        reader.closeHandle(b.handle());
        assertKept(a);
        reader.closeHandle(a.handle());
        assertThat(committed()).isZero();
    }

    @Test
    void aSourceThatIsOpenGoesWhenItsRetentionIsOver() throws IOException {
        session.file("/a", 1000);
        session.file("/b", 2000);
        Opened b = Opened.of(reader, "/b");
        Splicer.concat(session, "/a", "/b");
        session.delete("/a", false);
        assertThat(committed()).isPositive();
        passRetention();
        assertThat(committed()).isZero();
        assertThatThrownBy(() -> b.now(reader)).isInstanceOf(NoSuchNodeException.class);
    }

    private void passRetention() throws IOException {
        for (int i = 0; i < 63; i++) {
            namenode.advance(Duration.ofSeconds(10));
            storage.heartbeat();
            reader.keepAlive(new long[0], List.of());
            session.keepAlive(new long[0], List.of());
        }
    }

    @Test
    void whatCannotBeJoinedIsRefusedAndStays() throws IOException {
        session.file("/a", 100);
        session.file("/b", 100);
        session.mkdir("/d");
        session.wire()
                .call(
                        new Create.Request(
                                TestSession.bytes("/plain"),
                                NodeType.FILE,
                                Create.NO_CHECKSUMS,
                                0600,
                                Create.INHERIT,
                                -1,
                                0,
                                false,
                                "",
                                "",
                                ""),
                        Create.Reply::decode);
        assertThatThrownBy(() -> Splicer.concat(session, "/a"))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> Splicer.concat(session, "/a", "/b", "/a"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("itself");
        assertThatThrownBy(() -> Splicer.concat(session, "/a", "/b", "/b"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("twice");
        assertThatThrownBy(() -> Splicer.concat(session, "/a", "/b", "/plain"))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("checksums");
        assertThatThrownBy(() -> Splicer.concat(session, "/a", "/b", "/d"))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> Splicer.concat(session, "/a", "/b", "/none"))
                .isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(() -> Splicer.concat(session, "/none", "/b"))
                .isInstanceOf(NoSuchNodeException.class);
        assertThatThrownBy(
                        () ->
                                session.wire()
                                        .call(
                                                Splicer.concatRequest(
                                                        "/a", Collections.nCopies(1001, "/b")),
                                                Concat.Reply::decode))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(session.list("/")).containsExactly("a", "b", "d", "plain");
        assertThat(session.lookup("/a").length()).isEqualTo(100);
    }

    @Test
    void aFileBeingWrittenIsNeitherJoinedNorCutUntilItsWriterIsSilent() throws IOException {
        session.file("/a", 100);
        Create.Reply open = session.write("/b", 5000);
        session.commit(
                open.status().id(),
                open.handle(),
                0,
                false,
                TestRequests.fill(open.grants(), 4000));
        assertThatThrownBy(() -> Splicer.concat(reader, "/a", "/b"))
                .isInstanceOf(LeaseHeldException.class);
        assertThatThrownBy(() -> Splicer.concat(reader, "/b", "/a"))
                .isInstanceOf(LeaseHeldException.class);
        assertThatThrownBy(() -> Splicer.truncate(reader, "/b", 4000))
                .isInstanceOf(LeaseHeldException.class);
        namenode.advance(Duration.ofSeconds(16));
        storage.heartbeat();
        assertThat(Splicer.concat(reader, "/a", "/b").length()).isEqualTo(4100);
        assertThatThrownBy(() -> session.grant(open.status().id(), open.handle(), 100))
                .hasMessageContaining("lease");
        Open.Reply append = reader.open("/a", Open.APPEND, 0);
        assertThat(append.extents()).as("the silent writer may still write there").isEmpty();
        reader.commit(append.status().id(), append.handle(), 4100, true, List.of());
    }

    // Cutting.

    @Test
    void aCutFileHasItsFirstBytesAndTheBlocksBehindAreFree() throws IOException {
        NodeStatus file = session.file("/a", 5L * BLOCK + 5);
        List<Piece> before = Splicer.pieces(session, "/a");
        NodeStatus cut = Splicer.truncate(session, "/a", 2L * BLOCK + 4099);
        assertThat(cut.id()).isEqualTo(file.id());
        assertThat(cut.length()).isEqualTo(2L * BLOCK + 4099);
        assertThat(cut.version()).isGreaterThan(file.version());
        List<Piece> after = Splicer.pieces(session, "/a");
        assertThat(after.subList(0, 2)).isEqualTo(before.subList(0, 2));
        assertThat(after.get(2).block()).isEqualTo(before.get(2).block());
        assertThat(after.get(2).tailCrc()).isEqualTo(Splicer.crc(cut.length()));
        assertThat(committed()).isEqualTo(3L * BLOCK);
        assertThat(session.summary("/").length()).isEqualTo(cut.length());
        assertThat(session.summary("/").allocated()).isEqualTo(3L * BLOCK);

        NodeStatus whole = Splicer.truncate(session, "/a", 2L * BLOCK);
        assertThat(Splicer.pieces(session, "/a")).isEqualTo(before.subList(0, 2));
        assertThat(Splicer.truncate(session, "/a", 2L * BLOCK)).isEqualTo(whole);
        assertThat(Splicer.truncate(session, "/a", 0).length()).isZero();
        assertThat(committed()).isZero();
        assertThat(Splicer.truncate(session, "/a", 0).length()).isZero();
    }

    @Test
    void aCutBlockIsNeverContinued() throws IOException {
        session.file("/a", 5000);
        Splicer.truncate(session, "/a", 4500);
        Open.Reply open = session.open("/a", Open.APPEND, 100);
        assertThat(open.extents()).isEmpty();
        session.commit(
                open.status().id(),
                open.handle(),
                4500,
                true,
                List.of(TestRequests.extent(open.grants().get(0), 100)));
        assertThat(session.lookup("/a").length()).isEqualTo(4600);
        Splicer.truncate(session, "/a", 4500);
        Open.Reply again = session.open("/a", Open.APPEND, 0);
        assertThat(again.extents()).isEmpty();
        session.commit(again.status().id(), again.handle(), 4500, true, List.of());
    }

    @Test
    void whoHasAFileOpenKeepsWhatIsCutOff() throws IOException {
        session.file("/a", 5L * BLOCK + 4100);
        Opened whole = Opened.of(reader, "/a");
        Splicer.truncate(session, "/a", 3L * BLOCK + 10);
        assertKept(whole);
        assertThat(whole.now(reader).has(NodeStatus.UNLINKED)).isTrue();
        Opened shorter = Opened.of(reader, "/a");
        Splicer.truncate(session, "/a", 3L * BLOCK + 5);
        Opened shortest = Opened.of(reader, "/a");
        append("/a", 1000);
        assertKept(whole);
        assertKept(shorter);
        Opened longer = Opened.of(reader, "/a");
        Splicer.truncate(session, "/a", BLOCK);
        for (Opened each : List.of(whole, shorter, longer)) {
            assertKept(each);
        }
        assertThat(shortest.piecesNow(reader)).isEqualTo(longer.pieces());
        session.delete("/a", false);
        for (Opened each : List.of(whole, shorter, longer)) {
            assertKept(each);
        }
        assertThat(committed()).isGreaterThan(5L * BLOCK);
        reader.closeHandle(whole.handle());
        assertKept(shorter);
        reader.closeHandle(longer.handle());
        reader.closeHandle(shortest.handle());
        assertKept(shorter);
        reader.closeHandle(shorter.handle());
        assertThat(committed()).isZero();
    }

    private void append(String path, int bytes) throws IOException {
        Open.Reply open = session.open(path, Open.APPEND, bytes);
        session.commit(
                open.status().id(),
                open.handle(),
                open.status().length(),
                true,
                TestRequests.fill(open.grants(), bytes));
    }

    @Test
    void aCutFileThatIsJoinedStillShowsItsReadersTheWhole() throws IOException {
        session.file("/a", 2L * BLOCK + 4100);
        session.file("/b", 100);
        Opened whole = Opened.of(reader, "/a");
        Splicer.truncate(session, "/a", BLOCK + 1);
        Opened half = Opened.of(reader, "/a");
        Splicer.concat(session, "/b", "/a");
        assertKept(whole);
        assertKept(half);
        Splicer.truncate(session, "/b", 120);
        assertKept(whole);
        assertKept(half);
        session.delete("/b", false);
        reader.closeHandle(half.handle());
        assertKept(whole);
        reader.closeHandle(whole.handle());
        assertThat(committed()).isZero();
    }

    @Test
    void aHandleThatWasClosedShowsNothingOfTheFileAsItIsNow() throws IOException {
        session.file("/a", 5000);
        Opened whole = Opened.of(reader, "/a");
        Splicer.truncate(session, "/a", 10);
        passRetention();
        assertThatThrownBy(() -> whole.piecesNow(reader)).isInstanceOf(NoSuchNodeException.class);
        assertThat(committed()).isEqualTo(8192);
    }

    @Test
    void openMembersOfAMultiFileKeepWhatTheyWere() throws IOException {
        session.create("/m", NodeType.MULTIFILE, 0, 0);
        session.file("/m/a", 5000);
        session.file("/m/b", 6000);
        var page = reader.openMembers("/m", null, 10, 4, 0);
        Opened a = member(page.handle(), page.members().get(0).status());
        Opened b = member(page.handle(), page.members().get(1).status());
        Splicer.truncate(session, "/m/a", 100);
        Splicer.concat(session, "/m/a", "/m/b");
        assertKept(a);
        assertKept(b);
        session.delete("/m", true);
        assertKept(a);
        assertKept(b);
        reader.closeHandle(page.handle());
        namenode.settle();
        assertThat(committed()).isZero();
    }

    private Opened member(long handle, NodeStatus status) throws IOException {
        List<Piece> pieces =
                reader
                        .wire()
                        .call(
                                new GetExtents.Request(status.id(), handle, 0, 64),
                                GetExtents.Reply::decode)
                        .extents()
                        .stream()
                        .map(Piece::new)
                        .toList();
        return new Opened(handle, status, pieces);
    }

    @Test
    void whatCannotBeCutIsRefused() throws IOException {
        NodeStatus file = session.file("/a", 5000);
        assertThatThrownBy(() -> Splicer.truncate(session, "/a", 5001, 0, file.version()))
                .isInstanceOf(OffsetOutOfRangeException.class)
                .hasMessageContaining("5000");
        assertThatThrownBy(() -> Splicer.truncate(session, "/a", 5, 1, file.version() - 1))
                .isInstanceOf(ConditionFailedException.class);
        assertThatThrownBy(() -> Splicer.truncate(session, "/a", 4096, 1, file.version()))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> Splicer.truncate(session, "/a", 0, 1, file.version()))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> Splicer.truncate(session, "/", 0, 0, 0))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThat(session.lookup("/a")).isEqualTo(file);
        assertThat(session.lookup("/a", Lookup.EXTENTS).extents().get(0).length()).isEqualTo(5000);
    }

    // Restarts.

    @Test
    void snapshotsAndRestartsKeepWhatReadersHave() throws IOException {
        session.file("/a", 3L * BLOCK + 4100);
        session.file("/b", 5000);
        session.file("/c", 100);
        Opened b = Opened.of(reader, "/b");
        Opened a = Opened.of(reader, "/a");
        Splicer.concat(session, "/a", "/b");
        Splicer.truncate(session, "/a", 3L * BLOCK + 6000);
        Splicer.truncate(session, "/a", BLOCK + 3);
        Splicer.concat(session, "/c", "/a");
        assertKept(b);
        List<Piece> ofA = a.piecesNow(reader);
        TestNamenode.Memory memory = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(memory);
        reconnect();
        assertKept(b);
        namenode.snapshot();
        namenode.restart();
        namenode.assertRemembers(memory);
        reconnect();
        assertKept(b);
        assertThat(a.piecesNow(reader)).isEqualTo(ofA);
        session.delete("/c", false);
        assertKept(b);
        reader.closeHandle(a.handle());
        assertKept(b);
    }

    private void reconnect() throws IOException {
        storage.register(namenode::connect);
        session.wire().reconnect(namenode::connect);
        reader.wire().reconnect(namenode::connect);
    }
}
