// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.ClientConfig;
import io.crail.client.CrailBatchReader;
import io.crail.client.CrailClient;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailIterator;
import io.crail.client.CrailMultiFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.client.MemberInfo;
import io.crail.client.MultiReadOptions;
import io.crail.client.ReadOrder;
import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.InvalidNameException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.error.WrongNodeTypeException;
import io.crail.protocol.message.NodeStatus;
import io.crail.protocol.node.NodeType;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Files written in parallel and read as one. */
@Timeout(120)
class MultiFileTest {
    private static final long POOL_BYTES = 8L << 20;

    private static EmbeddedCluster cluster;
    private static CrailClient client;
    private CrailMultiFile multi;

    @BeforeAll
    static void start() throws CrailException {
        cluster = EmbeddedCluster.builder().servers(2).capacity(128L << 20).start();
        client =
                CrailClient.connect(
                        ClientConfig.builder()
                                .namenodes(List.of(cluster.namenode()))
                                .bufferPoolBytes(POOL_BYTES)
                                .build());
    }

    @AfterAll
    static void stop() {
        client.close();
        cluster.close();
    }

    @BeforeEach
    void make() throws CrailException {
        multi = client.createMultiFile("/m");
    }

    @AfterEach
    void remove() throws CrailException {
        CrailIterator<DirectoryEntry> entries = client.list("/");
        while (entries.hasNext()) {
            client.delete("/" + entries.next().name(), true);
        }
        assertThat(client.clientStatistics().poolBytesInUse())
                .as("pooled memory that readers have not given back")
                .isLessThan(POOL_BYTES / 2);
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static void write(CrailOutputStream out, byte[] bytes) throws CrailException {
        try (out) {
            out.write(bytes);
        }
    }

    /** Members of many sizes around those of chunks and blocks, by name. */
    private NavigableMap<String, byte[]> fill(int count) throws CrailException {
        int[] sizes = {0, 1, 4095, 4096, 4097, 70_000, 1 << 20, (1 << 20) + 1, 2_500_000};
        TreeMap<String, byte[]> written = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            String name = "part-%05d".formatted(count - i);
            byte[] bytes = random(i, sizes[i % sizes.length]);
            write(multi.add(name), bytes);
            written.put(name, bytes);
        }
        return written;
    }

    private static byte[] concatenated(Map<String, byte[]> members) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        members.values().forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static Map<String, byte[]> readAll(CrailBatchReader reader) throws CrailException {
        Map<String, byte[]> read = new TreeMap<>();
        for (MemberInfo member : reader.members()) {
            read.put(member.name(), new byte[(int) member.length()]);
        }
        long bytes = 0;
        while (reader.next()) {
            ByteBuffer piece = reader.bytes();
            bytes += piece.remaining();
            byte[] target = read.getOrDefault(reader.member().name(), new byte[0]);
            piece.get(target, (int) reader.position(), piece.remaining());
        }
        assertThat(bytes).isEqualTo(reader.length());
        return read;
    }

    @Test
    void membersAreReadAsOneStreamInTheOrderOfTheirNames() throws IOException {
        byte[] expected = concatenated(fill(27));
        for (int window : new int[] {1, 3, 64}) {
            try (CrailInputStream in =
                    multi.openStream(MultiReadOptions.DEFAULT.withWindow(window))) {
                assertThat(in.readAllBytes()).isEqualTo(expected);
                assertThat(in.position()).isEqualTo(expected.length);
                assertThat(in.read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void everyByteOfEveryMemberIsHandedOutOnceInAnyOrder() throws IOException {
        Map<String, byte[]> written = fill(27);
        for (ReadOrder order : ReadOrder.values()) {
            try (CrailBatchReader reader = multi.openReader(order, MultiReadOptions.DEFAULT)) {
                assertThat(reader.members().stream().map(MemberInfo::name))
                        .containsExactlyElementsOf(written.keySet());
                assertThat(readAll(reader)).containsExactlyInAnyOrderEntriesOf(written);
                assertThat(reader.next()).isFalse();
            }
        }
    }

    @Test
    void aStreamCanBeSoughtIn() throws IOException {
        byte[] expected = concatenated(fill(18));
        Random random = new Random(5);
        try (CrailInputStream in = multi.openStream()) {
            for (int i = 0; i < 100; i++) {
                int position = random.nextInt(expected.length + 1);
                in.seek(position);
                assertThat(in.position()).isEqualTo(position);
                byte[] some = in.readNBytes(random.nextInt(9000));
                assertThat(some)
                        .isEqualTo(
                                java.util.Arrays.copyOfRange(
                                        expected, position, position + some.length));
            }
            assertThatThrownBy(() -> in.seek(expected.length + 1L))
                    .isInstanceOf(EOFException.class);
            in.seek(10);
            assertThat(in.skip(Long.MAX_VALUE)).isEqualTo(expected.length - 10);
            assertThat(in.read()).isEqualTo(-1);
        }
    }

    @Test
    void anEmptyMultifileIsAnEmptyStream() throws IOException {
        try (CrailInputStream in = multi.openStream()) {
            assertThat(in.read()).isEqualTo(-1);
        }
        try (CrailBatchReader reader = multi.openReader(ReadOrder.ANY, MultiReadOptions.DEFAULT)) {
            assertThat(reader.members()).isEmpty();
            assertThat(reader.next()).isFalse();
            assertThatThrownBy(reader::bytes).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void namesThatTheNamenodeMakesNeverCollideAndAscend() throws IOException {
        List<CompletableFuture<CrailOutputStream>> opened = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            opened.add(multi.addAsync(CreateOptions.DEFAULT));
        }
        List<String> paths = new ArrayList<>();
        for (CompletableFuture<CrailOutputStream> each : opened) {
            CrailOutputStream out = each.join();
            write(out, out.path().getBytes(java.nio.charset.StandardCharsets.UTF_8));
            paths.add(out.path());
        }
        assertThat(paths).doesNotHaveDuplicates().allMatch(path -> path.startsWith("/m/part-"));
        String last = paths.get(99);
        String later;
        try (CrailOutputStream out = multi.add()) {
            later = out.path();
        }
        assertThat(later).isGreaterThan(last);
        assertThat(client.status(last).length()).isEqualTo(last.length());
        // A name that somebody else has taken is left out.
        long next = client.status(later).id() + 2;
        write(multi.add("part-%016x".formatted(next)), random(1, 10));
        try (CrailOutputStream out = multi.add()) {
            assertThat(out.path()).isEqualTo("/m/part-%016x".formatted(next + 1));
        }
    }

    @Test
    void onlyWhatIsCommittedAtTheOpeningIsRead() throws IOException {
        write(multi.add("a"), random(1, 5000));
        try (CrailOutputStream writer = multi.add("b")) {
            writer.write(random(2, 3000));
            writer.sync();
            try (CrailInputStream in = multi.openStream();
                    CrailInputStream closedOnly =
                            multi.openStream(MultiReadOptions.DEFAULT.withClosedOnly(true))) {
                writer.write(random(3, 4000));
                writer.sync();
                write(multi.add("c"), random(4, 100));
                assertThat(in.readAllBytes())
                        .hasSize(8000)
                        .startsWith(random(1, 5000))
                        .endsWith(random(2, 3000));
                assertThat(closedOnly.readAllBytes()).isEqualTo(random(1, 5000));
            }
        }
    }

    @Test
    void membersStayReadableWhenTheMultifileIsRemovedAndGoAfterwards() throws IOException {
        byte[] expected = concatenated(fill(27));
        CrailInputStream in = multi.openStream(MultiReadOptions.DEFAULT.withWindow(1));
        multi.delete();
        assertThat(client.lookup("/m")).isEmpty();
        multi = client.createMultiFile("/m");
        fill(9);
        assertThat(in.readAllBytes()).isEqualTo(expected);
        in.close();
        multi.delete();
        awaitNothingCommitted();
        assertThatThrownBy(multi::openStream).isInstanceOf(NoSuchNodeException.class);
    }

    private static void awaitNothingCommitted() throws CrailException {
        long until = System.nanoTime() + 20_000_000_000L;
        long committed;
        do {
            committed = client.statistics().classes().stream().mapToLong(c -> c.committed()).sum();
        } while (committed > 0 && System.nanoTime() < until);
        assertThat(committed).isZero();
    }

    @Test
    void aMemberIsAFileAsAnyOther() throws IOException {
        write(multi.add("a"), random(1, 5000));
        try (CrailOutputStream out = client.append("/m/a")) {
            out.write(random(2, 1000));
        }
        client.mkdir("/d");
        client.rename("/m/a", "/d/a");
        client.rename("/d/a", "/m/z");
        try (CrailInputStream in = multi.openStream()) {
            assertThat(in.readAllBytes()).hasSize(6000).startsWith(random(1, 5000));
        }
        NodeStatus status = multi.status();
        assertThat(status.type()).isEqualTo(NodeType.MULTIFILE);
        assertThat(status.children()).isEqualTo(1);
        CrailIterator<DirectoryEntry> entries = multi.list();
        assertThat(entries.next().name()).isEqualTo("z");
        assertThat(client.summary("/").files()).isEqualTo(1);
    }

    @Test
    void aMultifileIsFlat() throws IOException {
        assertThatThrownBy(() -> client.mkdir("/m/d"))
                .isInstanceOf(WrongNodeTypeException.class)
                .hasMessageContaining("/m");
        assertThatThrownBy(() -> client.createTable("/m/t"))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> client.createMultiFile("/m/m"))
                .isInstanceOf(WrongNodeTypeException.class);
        CreateOptions parents = CreateOptions.builder().parents(true).build();
        assertThatThrownBy(() -> client.createFile("/m/d/f", parents))
                .isInstanceOf(WrongNodeTypeException.class);
        client.mkdir("/d");
        assertThatThrownBy(() -> client.rename("/d", "/m/d"))
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> multi.add("a/b")).isInstanceOf(InvalidNameException.class);
        assertThatThrownBy(() -> multi.add(CreateOptions.OVERWRITE))
                .isInstanceOf(InvalidArgumentException.class);
        assertThatThrownBy(() -> client.multiFile("/d").add())
                .isInstanceOf(WrongNodeTypeException.class);
        assertThatThrownBy(() -> client.multiFile("/d").openStream())
                .isInstanceOf(WrongNodeTypeException.class);
        multi.add("a").close();
        assertThatThrownBy(() -> multi.add("a")).isInstanceOf(NodeExistsException.class);
        assertThat(multi.status().children()).isEqualTo(1);
    }

    @Test
    void manyMembersAreOpenedInPages() throws IOException {
        for (int i = 0; i < 3000; i++) {
            try (CrailOutputStream out = multi.add("m%04d".formatted(i))) {
                out.write(i);
            }
        }
        long before = client.clientStatistics().rpcCalls();
        byte[] expected = new byte[3000];
        for (int i = 0; i < expected.length; i++) {
            expected[i] = (byte) i;
        }
        try (CrailInputStream in = multi.openStream()) {
            assertThat(in.readAllBytes()).isEqualTo(expected);
        }
        assertThat(client.clientStatistics().rpcCalls() - before).isLessThan(20);
    }

    /** Mapped memory can be read for a moment when its server is gone. */
    private static CrailClient overTheNetwork(EmbeddedCluster cluster) throws CrailException {
        return CrailClient.connect(
                ClientConfig.builder()
                        .namenodes(List.of(cluster.namenode()))
                        .sharedMemory(false)
                        .build());
    }

    @Test
    void aLostServerIsToldByNameAndHoldsUpNothingElse() throws IOException {
        try (EmbeddedCluster broken = EmbeddedCluster.builder().servers(2).start();
                CrailClient other = overTheNetwork(broken)) {
            CrailMultiFile there = other.createMultiFile("/m");
            for (int i = 0; i < 100; i++) { // more than are read ahead
                write(there.add("m" + i), random(i, 10_000));
            }
            CrailMultiFile hasty = there.withDeadline(Duration.ofSeconds(3));
            try (CrailBatchReader reader =
                    hasty.openReader(ReadOrder.ANY, MultiReadOptions.DEFAULT)) {
                broken.stopStorage(1);
                assertThatThrownBy(
                                () -> {
                                    while (reader.next()) {
                                        assertThat(reader.bytes().remaining()).isPositive();
                                    }
                                })
                        .isInstanceOf(CrailException.class)
                        .hasMessageContaining("/m/m");
                assertThatThrownBy(reader::next).isInstanceOf(CrailException.class);
            }
            broken.restartStorage(1);
            try (CrailInputStream in = there.openStream()) {
                assertThat(in.readAllBytes()).hasSize(1_000_000);
            }
        }
    }
}
