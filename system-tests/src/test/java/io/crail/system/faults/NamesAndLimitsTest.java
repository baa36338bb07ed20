// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.CrailClient;
import io.crail.client.CrailIterator;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.client.TableEntry;
import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.error.NotEmptyException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.WrongNodeTypeException;
import io.crail.system.process.ProcessCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names, types and full stores: actions that the predecessor answered wrongly. */
@Tag("faults")
final class NamesAndLimitsTest {
    private static final long CAPACITY = 64L << 20;

    private static ProcessCluster cluster;

    private CrailClient client;

    @BeforeAll
    static void startCluster() {
        cluster = ProcessCluster.builder().servers(1).capacity("64 MiB").start();
    }

    @AfterAll
    static void stopCluster() {
        cluster.close();
    }

    @BeforeEach
    void connect() throws IOException {
        client = cluster.client();
        client.mkdir("/h");
    }

    @AfterEach
    void everythingComesBack() throws IOException {
        client.delete("/h", true);
        cluster.await(
                "all blocks free again",
                c -> {
                    var bytes = c.statistics().classes().get(0);
                    return bytes.free() == CAPACITY && bytes.capacity() == CAPACITY;
                });
        client.close();
    }

    @Test
    void namesWithEqualHashCodesAreTwoNodes() throws IOException {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());
        Payload.write(client, "/h/Aa", Payload.text("first"));
        Payload.write(client, "/h/BB", Payload.text("second"));
        assertThat(Payload.read(client, "/h/Aa")).isEqualTo(Payload.text("first"));
        assertThat(Payload.read(client, "/h/BB")).isEqualTo(Payload.text("second"));

        CrailTable table = client.createTable("/h/t");
        table.put(Payload.text("Aa"), Payload.text("1"));
        table.put(Payload.text("BB"), Payload.text("2"));
        assertThat(table.get(Payload.text("Aa")).orElseThrow().toByteArray())
                .isEqualTo(Payload.text("1"));
        assertThat(table.get(Payload.text("BB")).orElseThrow().toByteArray())
                .isEqualTo(Payload.text("2"));
    }

    @Test
    void writingPastTheCapacityLeavesNothing() throws IOException {
        byte[] piece = Payload.random(1, 1 << 20);
        assertThatThrownBy(
                        () -> {
                            try (CrailOutputStream out = client.createFile("/h/big")) {
                                for (int i = 0; i < 80; i++) {
                                    out.write(piece);
                                }
                            }
                        })
                .isInstanceOf(OutOfSpaceException.class);
        assertThat(client.lookup("/h/big")).isEmpty();
    }

    @Test
    void createInAFullStoreLeavesNoName() throws IOException {
        fill("/h/filler");
        assertThatThrownBy(() -> Payload.write(client, "/h/late", Payload.random(2, 100_000)))
                .isInstanceOf(OutOfSpaceException.class);
        assertThat(client.lookup("/h/late")).isEmpty();
        client.delete("/h/filler", false);
        retryUntilSpace(() -> Payload.write(client, "/h/late", Payload.random(2, 100_000)));
        assertThat(Payload.read(client, "/h/late")).isEqualTo(Payload.random(2, 100_000));
    }

    @Test
    void overwritingAValueInAFullStoreKeepsTheOldOne() throws IOException {
        CrailTable table = client.createTable("/h/t");
        byte[] old = Payload.random(3, 50_000);
        table.put(Payload.text("k"), old);
        fill("/h/filler");
        assertThatThrownBy(() -> table.put(Payload.text("k"), Payload.random(4, 300_000)))
                .isInstanceOf(OutOfSpaceException.class);
        assertThat(table.get(Payload.text("k")).orElseThrow().toByteArray()).isEqualTo(old);
    }

    /** Takes every block there is, in one file, by ever smaller pieces. */
    private void fill(String path) throws IOException {
        try (CrailOutputStream out = client.createFile(path)) {
            long free = client.statistics().classes().get(0).free();
            byte[] piece = Payload.random(5, 1 << 20);
            for (long done = 0; done < free; done += piece.length) {
                out.write(piece, 0, (int) Math.min(piece.length, free - done));
            }
        }
        assertThat(client.statistics().classes().get(0).free()).isZero();
    }

    private interface Action {
        void run() throws IOException;
    }

    private void retryUntilSpace(Action action) throws IOException {
        cluster.await("some free blocks", c -> c.statistics().classes().get(0).free() > 1 << 20);
        action.run();
    }

    @Test
    void emptyFilesTakeNoBlocks() throws IOException {
        for (int i = 0; i < 5000; i++) {
            Payload.write(client, "/h/empty-" + i, new byte[0]);
        }
        assertThat(client.statistics().classes().get(0).free()).isEqualTo(CAPACITY);
        assertThat(names("/h")).hasSize(5000);
    }

    @Test
    void nonRecursiveDeleteOfANonEmptyDirectoryFails() throws IOException {
        client.mkdir("/h/d");
        Payload.write(client, "/h/d/f", Payload.text("x"));
        assertThatThrownBy(() -> client.delete("/h/d", false))
                .isInstanceOf(NotEmptyException.class)
                .hasMessageContaining("/h/d");
        assertThat(Payload.read(client, "/h/d/f")).isEqualTo(Payload.text("x"));
        client.delete("/h/d", true);
        assertThat(client.lookup("/h/d")).isEmpty();
    }

    @Test
    void longNamesAreRefusedAndHarmNobody() throws IOException {
        String longest = "n".repeat(255);
        Payload.write(client, "/h/" + longest, Payload.text("ok"));
        assertThatThrownBy(() -> Payload.write(client, "/h/" + "n".repeat(600), new byte[1]))
                .isInstanceOf(InvalidNameException.class)
                .hasMessageContaining("600");
        assertThat(names("/h")).containsExactly(longest);
    }

    @Test
    void theRootIsNoFile() {
        assertThatThrownBy(() -> client.createFile("/")).isInstanceOf(NodeExistsException.class);
        assertThatThrownBy(() -> client.createFile("/", CreateOptions.OVERWRITE))
                .isInstanceOf(NodeExistsException.class);
    }

    @Test
    void filesInTablesAreTheWrongType() throws IOException {
        client.createTable("/h/t");
        assertThatThrownBy(() -> client.createFile("/h/t/f"))
                .isInstanceOf(WrongNodeTypeException.class)
                .hasMessageContaining("/h/t");
    }

    @Test
    void anOverwrittenValueIsListedOnce() throws IOException {
        CrailTable table = client.createTable("/h/t");
        table.put(Payload.text("k"), Payload.text("1"));
        table.put(Payload.text("k"), Payload.text("2"));
        List<String> keys = new ArrayList<>();
        CrailIterator<TableEntry> scan = table.scan(false);
        while (scan.hasNext()) {
            keys.add(new String(scan.next().key(), UTF_8));
        }
        assertThat(keys).containsExactly("k");
    }

    @Test
    void missingPathsAreToldByType() throws IOException {
        assertThat(client.lookup("/h/none")).isEmpty();
        assertThatThrownBy(() -> client.delete("/h/none", false))
                .isInstanceOf(NoSuchNodeException.class)
                .hasMessageContaining("/h/none");
        assertThatThrownBy(() -> client.rename("/h/none", "/h/other"))
                .isInstanceOf(NoSuchNodeException.class);
    }

    @Test
    void dotsAreRefusedAndDeepPathsWork() throws IOException {
        assertThatThrownBy(() -> client.lookup("/h/../h")).isInstanceOf(InvalidNameException.class);
        String deep = "/h" + "/d".repeat(100);
        client.mkdir(deep, CreateOptions.PARENTS);
        assertThat(client.lookup(deep)).isPresent();
    }

    @Test
    void aDirectoryCannotMoveIntoItself() throws IOException {
        client.mkdir("/h/a/b", CreateOptions.PARENTS);
        assertThatThrownBy(() -> client.rename("/h/a", "/h/a/b/c"))
                .isInstanceOf(InvalidArgumentException.class);
        assertThat(client.lookup("/h/a/b")).isPresent();
    }

    @Test
    void createWithOverwriteReplacesAtomically() throws IOException {
        Payload.write(client, "/h/f", Payload.text("old"));
        try (CrailOutputStream out = client.createFile("/h/f", CreateOptions.OVERWRITE)) {
            out.write(Payload.text("new bytes"));
        }
        assertThat(Payload.read(client, "/h/f")).isEqualTo(Payload.text("new bytes"));
    }

    @Test
    void getIntoSmallBuffersAndBigValuesWork() throws IOException {
        CrailTable table = client.createTable("/h/t");
        byte[] value = Payload.random(6, 3_000_000);
        table.put(Payload.text("big"), ByteBuffer.wrap(value));
        assertThat(table.get(Payload.text("big")).orElseThrow().toByteArray()).isEqualTo(value);
    }

    private List<String> names(String path) throws IOException {
        List<String> names = new ArrayList<>();
        CrailIterator<DirectoryEntry> entries = client.list(path);
        while (entries.hasNext()) {
            names.add(entries.next().name());
        }
        return names;
    }
}
