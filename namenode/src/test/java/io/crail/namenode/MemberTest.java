// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.NoSuchNodeException;
import io.crail.error.WrongNodeTypeException;
import io.crail.protocol.block.Extent;
import io.crail.protocol.frame.ProtocolLimits;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.message.OpenMembers;
import io.crail.protocol.message.Statistics;
import io.crail.protocol.node.NodeType;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Members of multifiles: made, opened together, kept, released. */
final class MemberTest {
    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        storage = namenode.storage(32);
        session = namenode.session("tester");
        session.create("/m", NodeType.MULTIFILE, 0, 0);
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        storage.close();
        namenode.close();
    }

    private OpenMembers.Reply open(int limit) throws IOException {
        return session.openMembers("/m", null, limit, 4, 0);
    }

    private static List<String> names(OpenMembers.Reply page) {
        return page.members().stream().map(member -> TestSession.text(member.name())).toList();
    }

    private List<OpenMembers.Reply> openAll(int limit, int flags) throws IOException {
        List<OpenMembers.Reply> pages = new ArrayList<>();
        OpenMembers.@Nullable Reply page = null;
        do {
            page = session.openMembers("/m", page, limit, 4, flags);
            pages.add(page);
        } while (page.more());
        return pages;
    }

    private Statistics.Capacity bytes() throws IOException {
        return session.statistics().classes().get(0);
    }

    @Test
    void aPageSaysAllThatAReaderNeeds() throws IOException {
        session.file("/m/b", 3 << 20);
        session.file("/m/a", 5000);
        session.touch("/m/c");
        OpenMembers.Reply page = open(10);
        assertThat(names(page)).containsExactly("a", "b", "c");
        assertThat(page.handle()).isPositive();
        assertThat(page.more()).isFalse();
        assertThat(page.status().type()).isEqualTo(NodeType.MULTIFILE);
        assertThat(page.status().children()).isEqualTo(3);
        assertThat(page.members().get(0).status().length()).isEqualTo(5000);
        assertThat(page.members().get(0).extents()).hasSize(1);
        assertThat(page.members().get(1).extents())
                .extracting(Extent::offset)
                .containsExactly(0L, 1L << 20, 2L << 20);
        assertThat(page.members().get(2).extents()).isEmpty();
        OpenMembers.Reply bare = session.openMembers("/m", null, 10, 0, 0);
        assertThat(bare.members().get(1).extents()).isEmpty();
    }

    @Test
    void pagesCoverWhatIsThereFromTheFirstToTheLastAndNothingNewer() throws IOException {
        for (String name : List.of("b", "d", "f", "h")) {
            session.touch("/m/" + name);
        }
        OpenMembers.Reply first = open(2);
        assertThat(names(first)).containsExactly("b", "d");
        assertThat(first.more()).isTrue();
        session.touch("/m/e");
        session.delete("/m/f", false);
        OpenMembers.Reply second = session.openMembers("/m", first, 2, 4, 0);
        OpenMembers.Reply third = session.openMembers("/m", second, 2, 4, 0);
        List<String> rest = new ArrayList<>(names(second));
        rest.addAll(names(third));
        assertThat(rest).containsExactly("h");
        assertThat(third.more()).isFalse();
    }

    @Test
    void aPageWithoutMembersHasNoHandleAndLeadsOn() throws IOException {
        session.write("/m/a", 4096);
        session.write("/m/b", 4096);
        session.touch("/m/c");
        List<OpenMembers.Reply> pages = openAll(1, OpenMembers.CLOSED_ONLY);
        assertThat(pages).hasSize(3);
        assertThat(pages.get(0).handle()).isZero();
        assertThat(pages.get(0).members()).isEmpty();
        assertThat(names(pages.get(2))).containsExactly("c");
        session.delete("/m", true);
        session.create("/m", NodeType.MULTIFILE, 0, 0);
        assertThat(open(10).handle()).isZero();
    }

    @Test
    void aMemberBeingWrittenIsThereAsFarAsItIsCommitted() throws IOException {
        Create.Reply out = session.write("/m/a", 8192);
        assertThat(open(10).members().get(0).status().length()).isZero();
        session.commit(
                out.status().id(), out.handle(), 0, false, TestRequests.fill(out.grants(), 5000));
        OpenMembers.Member member = open(10).members().get(0);
        assertThat(member.status().length()).isEqualTo(5000);
        assertThat(member.status().has(NodeStatus.OPEN_FOR_WRITING)).isTrue();
    }

    @Test
    void pagesAreBoundedWhateverIsAskedFor() throws IOException {
        String name = "n".repeat(240);
        for (int i = 0; i < 1200; i++) {
            session.touch("/m/%s%04d".formatted(name, i));
        }
        OpenMembers.Reply page = open(65_535);
        assertThat(page.members()).hasSizeBetween(300, ProtocolLimits.MAX_PAGE);
        assertThat(page.more()).isTrue();
        int all = openAll(65_535, 0).stream().mapToInt(each -> each.members().size()).sum();
        assertThat(all).isEqualTo(1200);
    }

    @Test
    void oneHandleKeepsAllMembersOfAPageUntilItIsClosed() throws IOException {
        for (int i = 0; i < 20; i++) {
            session.file("/m/" + i, 100_000);
        }
        OpenMembers.Reply page = open(100);
        OpenMembers.Reply again = open(100);
        session.delete("/m", true);
        namenode.settle();
        long held = bytes().committed();
        assertThat(held).isPositive();
        long node = page.members().get(7).status().id();
        assertThat(session.extents(node, 0, 64).status().has(NodeStatus.UNLINKED)).isTrue();

        session.closeHandle(page.handle());
        namenode.settle();
        assertThat(bytes().committed()).isEqualTo(held);
        session.closeHandle(again.handle());
        namenode.settle();
        assertThat(bytes().committed()).isZero();
        assertThatThrownBy(() -> session.extents(node, 0, 64))
                .isInstanceOf(NoSuchNodeException.class);
    }

    @Test
    void theEndOfASessionReleasesWhatItHadOpen() throws IOException {
        session.file("/m/a", 100_000);
        try (TestSession other = namenode.session("other")) {
            other.openMembers("/m", null, 10, 4, 0);
            session.delete("/m", true);
            namenode.settle();
            assertThat(bytes().committed()).isPositive();
            other.endSession();
            namenode.settle();
            assertThat(bytes().committed()).isZero();
        }
    }

    @Test
    void removedMembersAreKeptForTheRetentionTimeAndTheOthersLonger() throws IOException {
        session.file("/m/a", 100_000);
        session.file("/m/b", 100_000);
        OpenMembers.Reply page = open(10);
        session.delete("/m/a", false);
        long removed = page.members().get(0).status().id();
        assertThat(session.extents(removed, 0, 1).extents()).hasSize(1);
        passTime(Duration.ofMinutes(11));
        assertThatThrownBy(() -> session.extents(removed, 0, 1))
                .isInstanceOf(NoSuchNodeException.class);
        session.delete("/m/b", false);
        long later = page.members().get(1).status().id();
        passTime(Duration.ofMinutes(5));
        assertThat(session.extents(later, 0, 1).extents()).hasSize(1);
        passTime(Duration.ofMinutes(6));
        assertThat(bytes().committed()).isZero();
    }

    private void passTime(Duration time) throws IOException {
        for (long seconds = 0; seconds < time.toSeconds(); seconds += 20) {
            namenode.advance(Duration.ofSeconds(20));
            session.keepAlive(new long[0], List.of());
            storage.heartbeat();
        }
        namenode.settle();
    }

    @Test
    void whatIsOpenAndWhatIsBeingReleasedSurvivesRestarts() throws IOException {
        for (int i = 0; i < 20; i++) {
            session.file("/m/" + i, 100_000);
        }
        OpenMembers.Reply kept = open(5);
        OpenMembers.Reply closed = session.openMembers("/m", kept, 100, 4, 0);
        session.delete("/m", true);
        session.closeHandle(closed.handle());
        namenode.snapshot();
        namenode.restart();
        namenode.restart();
        storage.register(namenode::connect);
        session.wire().reconnect(namenode::connect);
        namenode.settle();
        assertThat(session.extents(kept.members().get(3).status().id(), 0, 1).extents()).hasSize(1);
        session.closeHandle(kept.handle());
        namenode.settle();
        assertThat(bytes().committed()).isZero();
    }

    @Test
    void aMultifileThatWentBetweenTwoPagesIsAnError() throws IOException {
        session.touch("/m/a");
        session.touch("/m/b");
        OpenMembers.Reply first = open(1);
        session.delete("/m", true);
        session.create("/m", NodeType.MULTIFILE, 0, 0);
        session.touch("/m/b");
        assertThatThrownBy(() -> session.openMembers("/m", first, 1, 4, 0))
                .isInstanceOf(NoSuchNodeException.class);
        session.mkdir("/d");
        assertThatThrownBy(() -> session.openMembers("/d", null, 1, 4, 0))
                .isInstanceOf(WrongNodeTypeException.class);
    }

    @Test
    void aMemberIsWrittenUnderItsLease() throws IOException {
        Create.Reply out =
                session.create("/m", NodeType.FILE, Create.OPEN | Create.GENERATE_NAME, 4096);
        String name = Create.generatedName(out.status().id());
        assertThat(session.list("/m")).containsExactly(name);
        session.commit(
                out.status().id(), out.handle(), 0, true, TestRequests.fill(out.grants(), 100));
        assertThat(session.lookup("/m/" + name).length()).isEqualTo(100);
        assertThat(session.summary("/").directories()).isEqualTo(2);
    }
}
