// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.InvalidArgumentException;
import io.crail.error.LeaseHeldException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.Splicer.Opened;
import io.crail.namenode.Splicer.Piece;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Concat;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Joining and cutting files: what the files are then, and what whoever has them open sees. */
final class SpliceTest extends SplicedFiles {
    private static List<Piece> behind(List<Piece> first, List<Piece> more) {
        List<Piece> all = new ArrayList<>(first);
        for (Piece piece : more) {
            long end = all.isEmpty() ? 0 : all.get(all.size() - 1).offset();
            end += all.isEmpty() ? 0 : all.get(all.size() - 1).length();
            all.add(piece.at(end));
        }
        return all;
    }

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
