// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ConditionFailedException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.OffsetOutOfRangeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.namenode.Splicer.Opened;
import io.crail.namenode.Splicer.Piece;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.Open;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cutting files: what the files are then, and what whoever has them open sees. */
final class TruncateTest extends SplicedFiles {
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
}
