// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.CommittedExtent;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.Grant;
import io.crail.protocol.message.ListEntries;
import io.crail.protocol.message.ListEntries.Place;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages of a listing that tell where the bytes of files lie. */
final class LocatedListTest {
    private static final int BLOCK = 4096;

    @TempDir private Path directory;
    private TestNamenode namenode;
    private FakeStorage one;
    private FakeStorage two;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(directory);
        one = namenode.storage(96);
        two = namenode.storage(96);
        session = namenode.session("lister");
    }

    @AfterEach
    void stop() throws IOException {
        one.close();
        two.close();
        session.close();
        namenode.close();
    }

    private ListEntries.Reply page(String cursor, int limit, int flags) throws IOException {
        return session.wire()
                .call(
                        new ListEntries.Request(
                                TestSession.bytes("/d"), TestSession.bytes(cursor), limit, flags),
                        ListEntries.Reply::decode);
    }

    /** A file whose blocks lie on these servers, in this order; the last block is half full. */
    private void file(String path, List<FakeStorage> servers) throws IOException {
        Create.Reply open = session.write(path, 0);
        long node = open.status().id();
        List<CommittedExtent> extents = new ArrayList<>();
        long length = 0;
        for (int i = 0; i < servers.size(); i++) {
            int other = servers.get(i) == one ? two.id() : one.id();
            BlockReference block =
                    session.wire()
                            .call(
                                    new Grant.Request(
                                            node,
                                            open.handle(),
                                            TestSession.NOTHING,
                                            BLOCK,
                                            true,
                                            new int[] {other}),
                                    Grant.Reply::decode)
                            .grants()
                            .get(0);
            extents.add(TestRequests.extent(block, i == servers.size() - 1 ? 100 : BLOCK));
            if (extents.size() == 512 || i == servers.size() - 1) {
                length = session.commit(node, open.handle(), length, false, extents).length();
                extents.clear();
            }
        }
    }

    private static List<FakeStorage> times(int count, FakeStorage... servers) {
        List<FakeStorage> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.addAll(List.of(servers));
        }
        return all;
    }

    @Test
    void blocksInARowOnOneServerAreOnePlace() throws IOException {
        session.mkdir("/d");
        session.mkdir("/d/directory");
        session.touch("/d/empty");
        file("/d/file", List.of(one, one, one, two, one, one));
        List<ListEntries.Entry> entries = page("", 10, ListEntries.PLACES).entries();
        assertThat(entries).hasSize(3);
        assertThat(entries.get(0).places()).isEmpty();
        assertThat(entries.get(1).places()).isEmpty();
        assertThat(entries.get(2).places())
                .containsExactly(
                        new Place(one.id(), 3 * BLOCK),
                        new Place(two.id(), BLOCK),
                        new Place(one.id(), BLOCK + 100));
        assertThat(entries.get(2).status()).isEqualTo(session.lookup("/d/file"));
    }

    @Test
    void whoDoesNotAskIsNotTold() throws IOException {
        session.mkdir("/d");
        file("/d/file", List.of(one));
        assertThat(page("", 10, 0).entries().get(0).places()).isEmpty();
    }

    @Test
    void ofAFileInVeryManyPlacesTheFirstAreTold() throws IOException {
        session.mkdir("/d");
        file("/d/a", times(50, one, two));
        file("/d/b", List.of(two));
        List<ListEntries.Entry> entries = page("", 10, ListEntries.PLACES).entries();
        assertThat(entries.get(0).places()).hasSize(64);
        long told = entries.get(0).places().stream().mapToLong(Place::length).sum();
        assertThat(told).isEqualTo(64L * BLOCK).isLessThan(entries.get(0).status().length());
        assertThat(entries.get(1).places()).containsExactly(new Place(two.id(), 100));
    }

    @Test
    void aPageOfLongFilesEndsEarlyAndTheListingIsWhole() throws IOException {
        session.mkdir("/d");
        for (int i = 0; i < 5; i++) {
            file("/d/" + i, times(2100, i % 2 == 0 ? one : two));
        }
        ListEntries.Reply first = page("", 10, ListEntries.PLACES);
        assertThat(first.entries()).hasSize(4);
        assertThat(first.more()).isTrue();
        ListEntries.Reply rest = page("3", 10, ListEntries.PLACES);
        assertThat(rest.entries()).hasSize(1);
        assertThat(rest.more()).isFalse();
        assertThat(rest.entries().get(0).places())
                .containsExactly(new Place(one.id(), 2099L * BLOCK + 100));
        assertThat(page("", 10, 0).entries()).hasSize(5);
    }
}
