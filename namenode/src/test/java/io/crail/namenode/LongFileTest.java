// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.NoSuchNodeException;
import io.crail.namenode.engine.Engine;
import io.crail.namenode.state.DeleteNode;
import io.crail.namenode.state.Mutation;
import io.crail.namenode.state.ReapNode;
import io.crail.namenode.state.State;
import io.crail.namenode.tree.FileNode;
import io.crail.protocol.block.BlockReference;
import io.crail.protocol.block.Extent;
import io.crail.protocol.message.Audit;
import io.crail.protocol.message.Create;
import io.crail.protocol.message.GetExtents;
import io.crail.protocol.message.Lookup;
import io.crail.protocol.message.Open;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of more extents than one record of a snapshot, or one turn of the engine, should take. */
final class LongFileTest {
    private static final int SEGMENT = 1 << 30;
    private static final int BLOCK = 1 << 20;

    /** Granted before they are committed together; a lease holds 4,096 at most. */
    private static final int AT_ONCE = 2048;

    private static final int PAGE = 64;

    @TempDir private Path temporary;
    private TestNamenode namenode;
    private FakeStorage storage;
    private TestSession session;

    @BeforeEach
    void start() throws IOException {
        namenode = TestNamenode.start(temporary.resolve("meta"));
        storage = new FakeStorage(UUID.randomUUID(), 0, "storage.test");
        session = namenode.session("writer");
    }

    @AfterEach
    void stop() throws IOException {
        namenode.checkConservation();
        session.close();
        storage.close();
        namenode.close();
    }

    private void serve(int gibibytes) throws IOException {
        for (int i = 0; i < gibibytes; i++) {
            storage.format(i, SEGMENT, 0x1001 + i);
        }
        storage.register(namenode::connect);
    }

    /** Appends full blocks to an open file of so many blocks. */
    private void append(Create.Reply open, int before, int blocks) throws IOException {
        int done = 0;
        while (done < blocks) {
            int next = Math.min(AT_ONCE, blocks - done);
            List<BlockReference> grants = new ArrayList<>();
            while (grants.size() < next) {
                long wanted = (long) Math.min(PAGE, next - grants.size()) * BLOCK;
                grants.addAll(session.grant(open.status().id(), open.handle(), wanted));
            }
            session.commit(
                    open.status().id(),
                    open.handle(),
                    (long) (before + done) * BLOCK,
                    false,
                    TestRequests.fill(grants, (long) next * BLOCK));
            done += next;
        }
    }

    private void close(Create.Reply open, int blocks) throws IOException {
        session.commit(open.status().id(), open.handle(), (long) blocks * BLOCK, true, List.of());
    }

    /** A number that stands for all extents, page by page; they must follow one another. */
    private long digest(String path, int blocks) throws IOException {
        return digest(session.lookup(path).id(), 0, blocks);
    }

    private GetExtents.Reply page(long node, long handle, long offset) throws IOException {
        return session.wire()
                .call(new GetExtents.Request(node, handle, offset, PAGE), GetExtents.Reply::decode);
    }

    private long digest(long node, long handle, int blocks) throws IOException {
        long digest = 0;
        long offset = 0;
        for (int done = 0; done < blocks; ) {
            List<Extent> page = page(node, handle, offset).extents();
            assertThat(page).hasSize(Math.min(PAGE, blocks - done));
            for (Extent extent : page) {
                assertThat(extent.offset()).isEqualTo(offset);
                offset += extent.length();
                BlockReference block = extent.block();
                digest = digest * 31 + block.segment();
                digest = digest * 31 + block.record();
                digest = digest * 31 + block.generation();
            }
            done += page.size();
        }
        assertThat(page(node, handle, offset).extents()).isEmpty();
        return digest;
    }

    private void comeBack() throws IOException {
        namenode.restart();
        storage.register(namenode::connect);
        session.wire().reconnect(namenode::connect);
    }

    @Test
    @Tag("long")
    void aFileOfOneTebibyteIsWrittenKeptAndRemoved() throws IOException {
        int blocks = 1 << 20;
        serve(blocks / 1024);
        Create.Reply open = session.write("/f", 0);
        append(open, 0, blocks / 2);
        namenode.run(Engine::requestSnapshot); // While it grows.
        append(open, blocks / 2, blocks / 2);
        close(open, blocks);
        assertThat(session.lookup("/f").length()).isEqualTo(1L << 40);
        long digest = digest("/f", blocks);
        namenode.awaitSnapshot();
        comeBack();
        assertThat(session.lookup("/f").allocated()).isEqualTo(1L << 40);
        assertThat(digest("/f", blocks)).isEqualTo(digest);
        session.delete("/f", false);
        namenode.settle();
        assertThat(session.summary("/").allocated()).isZero();
        assertThat(storage.poll()).isNotEmpty();
    }

    @Test
    void longFilesAreJoinedAndCutWhileASnapshotIsWritten() throws IOException {
        serve(10);
        closed("/a", 3000);
        closed("/b", 3000);
        long digest = digest("/b", 3000);
        Open.Reply reading = session.open("/b", Open.READ, 0);
        for (int i = 0; i < 8000; i++) {
            session.mkdir("/later-" + i); // The newest come first into a snapshot.
        }
        namenode.run(Engine::requestSnapshot);
        Splicer.concat(session, "/a", "/b");
        Splicer.truncate(session, "/a", 2500L * BLOCK);
        Create.Reply open = reopen("/a");
        append(open, 2500, 10);
        close(open, 2510);
        namenode.awaitSnapshot();
        namenode.settle();
        TestNamenode.Memory memory = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(memory);
        comeBack();
        assertThat(storage.fenceAll()).as("what was cut off stays together").isZero();
        long node = reading.status().id();
        assertThat(digest(node, reading.handle(), 3000)).isEqualTo(digest);
        session.closeHandle(reading.handle());
        namenode.settle();
        assertThat(storage.fenceAll()).isEqualTo(3500);
        assertThat(session.summary("/").allocated()).isEqualTo(2510L * BLOCK);
    }

    private Create.Reply reopen(String path) throws IOException {
        Open.Reply open = session.open(path, Open.APPEND, 0);
        return new Create.Reply(open.handle(), open.status(), open.grants());
    }

    @Test
    void aSnapshotHasTheFileAsItWasWhateverHappensMeanwhile() throws IOException {
        serve(10);
        Create.Reply grows = session.write("/grows", 0);
        append(grows, 0, 3000);
        closed("/goes", 3000);
        Create.Reply whole = session.write("/whole", 0);
        append(whole, 0, 2 * 1024); // Whole pieces, no rest.
        List<BlockReference> more = session.grant(grows.status().id(), grows.handle(), BLOCK);
        for (int i = 0; i < 8000; i++) {
            session.mkdir("/later-" + i); // The newest come first into a snapshot.
        }
        namenode.run(Engine::requestSnapshot);
        session.commit(
                grows.status().id(),
                grows.handle(),
                3000L * BLOCK,
                false,
                TestRequests.fill(more, BLOCK));
        session.delete("/goes", false);
        append(grows, 3001, 1000);
        close(whole, 2 * 1024);
        namenode.awaitSnapshot();
        namenode.settle();
        TestNamenode.Memory memory = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(memory);
        comeBack();
    }

    @Test
    void aRemovedFileGivesItsBlocksBackInSlices() throws IOException {
        serve(5);
        long node = closed("/d", 5000);
        namenode.run(
                engine -> {
                    State state = engine.state();
                    remove(state, node);
                    assertThat(state.tree().byId(node)).isNull();
                    FileNode file = (FileNode) Objects.requireNonNull(state.tree().nextDetached());
                    assertThat(file.blocks()).isEqualTo(5000);
                    new ReapNode(node, 2048).apply(state, Mutation.Origin.NAMENODE);
                    assertThat(file.blocks()).isEqualTo(2952);
                    assertThat(file.allocated()).isEqualTo(2952L * BLOCK);
                    state.blocks().checkConservation();
                    new ReapNode(node, 2951).apply(state, Mutation.Origin.NAMENODE);
                    new ReapNode(node, 2048).apply(state, Mutation.Origin.NAMENODE);
                    assertThat(state.tree().nextDetached()).isNull();
                });
        assertThatThrownBy(() -> session.extents(node, 0, PAGE))
                .isInstanceOf(NoSuchNodeException.class);
        assertThat(storage.fenceAll()).isEqualTo(5000);
        assertThat(session.write("/again", 5L << 30).grants()).hasSize(PAGE);
    }

    @Test
    void aFileWhoseBlocksAreBeingFreedIsInTheSnapshotAsFarAsItIsLeft() throws IOException {
        int blocks = 60_000;
        serve(blocks / 1000);
        long node = closed("/d", blocks);
        namenode.run(
                engine -> {
                    remove(engine.state(), node);
                    engine.requestSnapshot();
                    engine.tick(0); // Frees for a millisecond, then begins.
                });
        namenode.awaitSnapshot();
        namenode.settle();
        TestNamenode.Memory memory = namenode.memory();
        namenode.restart();
        namenode.assertRemembers(memory);
        comeBack();
        assertThat(storage.fenceAll()).isEqualTo(blocks);
    }

    @Test
    void itsBlocksAreSummedUpForACheckInSlicesWhileItIsCutAndJoined() throws IOException {
        serve(40);
        FakeStorage other = new FakeStorage(UUID.randomUUID(), 1, "other.test");
        other.register(namenode::connect); // Now the class of each block must be looked up.
        closed("/f", 30_000);
        closed("/more", 300);
        Audit.Position at = Audit.Position.START;
        int pages = 0;
        for (boolean end = false; !end; pages++) {
            Audit.Reply page = totals(at);
            assertThat(page.looks()).isBetween(1, 5_100);
            assertThat(page.mistakes()).isEmpty();
            at = page.next();
            end = page.end();
            if (pages == 2) {
                Splicer.truncate(session, "/f", 7_000L * BLOCK);
            } else if (pages == 4) {
                Splicer.concat(session, "/f", "/more");
            }
        }
        assertThat(pages).isGreaterThan(5);
        assertThat(session.summary("/").allocated()).isEqualTo(7_300L * BLOCK);
        namenode.settle();
        other.close();
    }

    private Audit.Reply totals(Audit.Position at) throws IOException {
        return session.wire().call(new Audit.Request(0, Audit.TOTALS, at), Audit.Reply::decode);
    }

    @Test
    void anOpenReaderKeepsALongFileUntilItCloses() throws IOException {
        serve(3);
        Create.Reply open = session.write("/d", 0);
        append(open, 0, 2500);
        close(open, 2500);
        long node = open.status().id();
        Open.Reply reader = session.open("/d", Open.READ, 0);
        session.delete("/d", false);
        namenode.settle();
        assertThat(session.extents(node, 2499L * BLOCK, PAGE).extents()).hasSize(1);
        session.closeHandle(reader.handle());
        namenode.settle();
        assertThat(storage.fenceAll()).isEqualTo(2500);
    }

    @Test
    void theFirstExtentsComeWithTheLookup() throws IOException {
        serve(2);
        Create.Reply open = session.write("/d", 0);
        append(open, 0, 1025);
        close(open, 1025);
        assertThat(session.lookup("/d", Lookup.EXTENTS).extents()).hasSize(PAGE);
        assertThat(session.extents(open.status().id(), 1023L * BLOCK, PAGE).extents()).hasSize(2);
    }

    private long closed(String path, int blocks) throws IOException {
        Create.Reply open = session.write(path, 0);
        append(open, 0, blocks);
        close(open, blocks);
        return open.status().id();
    }

    /** What a delete does, without the turns of the engine behind it, or a record in its log. */
    private static void remove(State state, long node) {
        new DeleteNode(node, 1).apply(state, Mutation.Origin.NAMENODE);
    }
}
