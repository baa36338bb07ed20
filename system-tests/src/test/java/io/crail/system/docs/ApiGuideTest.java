// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.system.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.client.AttributeChange;
import io.crail.client.BlockLocation;
import io.crail.client.ClientConfig;
import io.crail.client.ClientStatistics;
import io.crail.client.CrailBatchReader;
import io.crail.client.CrailClient;
import io.crail.client.CrailFile;
import io.crail.client.CrailFuture;
import io.crail.client.CrailInputStream;
import io.crail.client.CrailIterator;
import io.crail.client.CrailMultiFile;
import io.crail.client.CrailOutputStream;
import io.crail.client.CrailTable;
import io.crail.client.CrailView;
import io.crail.client.CreateOptions;
import io.crail.client.DirectoryEntry;
import io.crail.client.MultiReadOptions;
import io.crail.client.ReadOrder;
import io.crail.client.RenameOption;
import io.crail.cluster.EmbeddedCluster;
import io.crail.error.BusyException;
import io.crail.error.CrailException;
import io.crail.error.ErrorCode;
import io.crail.error.LeaseHeldException;
import io.crail.error.NoSuchNodeException;
import io.crail.error.NodeExistsException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.TimeoutException;
import io.crail.protocol.message.NodeStatus;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The snippets of docs/api.md and README.md. */
class ApiGuideTest extends GuideCluster {
    @Test
    void firstSteps() throws CrailException {
        String namenode = cluster.namenode();
        // snippet: first steps
        try (CrailClient client = CrailClient.connect(ClientConfig.of(namenode))) {
            try (CrailOutputStream out = client.createFile("/greeting")) {
                out.write("hello".getBytes(UTF_8));
            }
            CrailTable table = client.createTable("/settings");
            table.put("colour".getBytes(UTF_8), "blue".getBytes(UTF_8));
        }
        // end
        assertThat(client.status("/greeting").length()).isEqualTo(5);
    }

    @Test
    void connecting() throws CrailException {
        String namenode = cluster.namenode();
        // snippet: connecting
        ClientConfig config =
                ClientConfig.builder()
                        .namenodes(List.of(namenode))
                        .clientName("etl-42")
                        .deadline(Duration.ofSeconds(10))
                        .build();
        try (CrailClient client = CrailClient.connect(config)) {
            client.ping();
        }
        // end
        assertThat(config.clientName()).isEqualTo("etl-42");
    }

    @Test
    void writing() throws CrailException {
        // snippet: writing a file
        client.mkdir("/data");
        try (CrailOutputStream out = client.createFile("/data/greeting")) {
            out.write("hello, ".getBytes(UTF_8));
            out.write("world".getBytes(UTF_8));
        }
        // end
        assertThat(client.status("/data/greeting").length()).isEqualTo(12);
        // snippet: create options
        CreateOptions options =
                CreateOptions.builder()
                        .parents(true) // make missing directories
                        .overwrite(true) // replace an existing file, atomically
                        .expectedBytes(64 << 20) // a hint: blocks of the right size at once
                        .build();
        try (CrailOutputStream out = client.createFile("/data/2026/part-0", options)) {
            out.append(ByteBuffer.allocateDirect(1 << 20));
        }
        // end
        assertThat(client.status("/data/2026/part-0").length()).isEqualTo(1 << 20);
    }

    @Test
    void abortedFileLeavesNothing() throws CrailException {
        // snippet: giving up
        CrailOutputStream out = client.createFile("/unwanted");
        out.write(new byte[1000]);
        out.abort();
        // end
        assertThat(client.lookup("/unwanted")).isEmpty();
    }

    @Test
    void reading() throws IOException {
        client.mkdir("/data");
        try (CrailOutputStream out = client.createFile("/data/greeting")) {
            out.write("hello, world".getBytes(UTF_8));
        }
        // snippet: reading a stream
        try (CrailFile file = client.open("/data/greeting");
                CrailInputStream in = file.newInputStream()) {
            String text = new String(in.readAllBytes(), UTF_8);
            assertThat(text).isEqualTo("hello, world");
        }
        // end
        // snippet: reading at positions
        try (CrailFile file = client.open("/data/greeting")) {
            ByteBuffer word = ByteBuffer.allocateDirect(5);
            file.readFully(7, word);

            ByteBuffer first = ByteBuffer.allocate(5);
            ByteBuffer last = ByteBuffer.allocate(5);
            file.readVectored(List.of(new CrailFile.Range(0, first), new CrailFile.Range(7, last)));
            assertThat(last.flip()).isEqualTo(word.flip());
        }
        // end
    }

    @Test
    void following() throws CrailException {
        // snippet: following a writer
        try (CrailOutputStream out = client.createFile("/log");
                CrailFile file = client.open("/log")) {
            out.write("first line\n".getBytes(UTF_8));
            out.sync(); // visible to everybody when this returns

            NodeStatus now = file.awaitLength(0, Duration.ofSeconds(5));
            assertThat(now.length()).isEqualTo(11);
            assertThat(now.has(NodeStatus.OPEN_FOR_WRITING)).isTrue();
        }
        // end
    }

    @Test
    void appending() throws CrailException {
        client.createFile("/log").close();
        // snippet: appending
        try (CrailOutputStream out = client.append("/log")) {
            out.write("one more line\n".getBytes(UTF_8));
        } catch (LeaseHeldException e) {
            // Another writer has it open.
        }
        // end
        assertThat(client.status("/log").length()).isEqualTo(14);
    }

    @Test
    void namespace() throws CrailException {
        client.mkdir("/in");
        client.createFile("/in/a").close();
        // snippet: names
        Optional<NodeStatus> found = client.lookup("/in/a"); // empty if it does not exist
        client.mkdir("/out/2026", CreateOptions.PARENTS); // as mkdir -p
        client.rename("/in/a", "/out/2026/a");
        client.rename("/out/2026/a", "/out/current", RenameOption.REPLACE);
        client.setAttributes("/out/current", AttributeChange.NONE.mode(0640).owner("etl"));
        client.delete("/in", true);
        // end
        assertThat(found).isPresent();
        List<String> names = new ArrayList<>();
        // snippet: listing
        CrailIterator<DirectoryEntry> entries = client.list("/out");
        while (entries.hasNext()) {
            DirectoryEntry entry = entries.next();
            names.add(entry.name() + " " + entry.status().type());
        }
        // end
        assertThat(names).containsExactly("2026 DIRECTORY", "current FILE");
    }

    @Test
    void aFileHasAChecksumAndIsFoundByItsId() throws IOException {
        client.mkdir("/out");
        try (CrailOutputStream out = client.createFile("/out/current")) {
            out.write(42);
        }
        long checksum;
        // snippet: checksum
        try (CrailFile file = client.open("/out/current")) {
            checksum = file.checksum(file.length()); // as java.util.zip.CRC32C
        }
        // end
        CRC32C crc = new CRC32C();
        crc.update(42);
        assertThat(checksum).isEqualTo(crc.getValue());
        int first;
        // snippet: open by id
        long id = client.status("/out/current").id();
        client.rename("/out/current", "/out/old");
        try (CrailFile file = client.open(id)) { // NoSuchNodeException if it was removed
            first = file.newInputStream().read();
        }
        // end
        assertThat(first).isEqualTo(42);
    }

    @Test
    void joiningAndCutting() throws IOException {
        client.mkdir("/out");
        for (String part : List.of("all", "part-1", "part-2")) {
            try (CrailOutputStream out = client.createFile("/out/" + part)) {
                out.write("1234".getBytes(UTF_8));
            }
        }
        // snippet: joining and cutting
        client.concat("/out/all", List.of("/out/part-1", "/out/part-2")); // the parts' names go
        client.truncate("/out/all", 6); // never longer
        // end
        assertThat(client.status("/out/all").length()).isEqualTo(6);
        assertThat(client.list("/out").next().name()).isEqualTo("all");
        assertThat(client.lookup("/out/part-1")).isEmpty();
    }

    @Test
    void openFileOutlivesItsName() throws IOException {
        try (CrailOutputStream out = client.createFile("/data")) {
            out.write("old".getBytes(UTF_8));
        }
        // snippet: replacing under a reader
        try (CrailFile reader = client.open("/data")) {
            try (CrailOutputStream out = client.createFile("/data", CreateOptions.OVERWRITE)) {
                out.write("new".getBytes(UTF_8));
            }
            ByteBuffer bytes = ByteBuffer.allocate(3);
            reader.readFully(0, bytes);
            assertThat(new String(bytes.array(), UTF_8)).isEqualTo("old");
        }
        // end
    }

    @Test
    void views() throws IOException {
        CrailTable table = client.createTable("/state");
        table.put("model".getBytes(UTF_8), new byte[2 << 20]);
        try (CrailOutputStream out = client.createFile("/data")) {
            out.write(new byte[3 << 20]);
        }
        long sum = 0;
        // snippet: looking at a file in place
        try (CrailFile file = client.open("/data");
                CrailView view = file.view(0, file.length())) {
            for (ByteBuffer block : view.buffers()) {
                while (block.remaining() >= Long.BYTES) {
                    sum += block.getLong();
                }
            }
        }
        // end
        assertThat(sum).isZero();
        // snippet: looking at a value in place
        Optional<CrailView> found = table.getView("model".getBytes(UTF_8));
        if (found.isPresent()) {
            try (CrailView view = found.get()) {
                assertThat(view.length()).isEqualTo(2 << 20);
                assertThat(view.isZeroCopy()).isTrue(); // the server is on this host
            }
        }
        // end
    }

    @Test
    void asynchronous() throws CrailException {
        CrailTable table = client.createTable("/state");
        // snippet: many operations at a time
        List<CrailFuture<Long>> puts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            byte[] key = ("key-" + i).getBytes(UTF_8);
            puts.add(table.putAsync(key, ByteBuffer.wrap(new byte[100])));
        }
        CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)).join();
        // end
        assertThat(puts).allMatch(put -> put.join() > 0);
        // snippet: chaining
        CompletableFuture<Integer> size =
                table.getAsync("key-7".getBytes(UTF_8))
                        .thenApply(value -> value.map(found -> found.bytes().remaining()))
                        .thenApply(length -> length.orElse(-1));
        assertThat(size.join()).isEqualTo(100);
        // end
    }

    @Test
    void errors() throws CrailException {
        // snippet: errors
        try {
            client.mkdir("/data");
        } catch (NodeExistsException e) {
            // The name is taken.
        } catch (OutOfSpaceException | BusyException e) {
            // The cluster is full, or has no room yet.
        } catch (TimeoutException e) {
            // Whether the directory was made is unknown.
        } catch (CrailException e) {
            throw e; // Its code() says what it is, its message what to do.
        }
        // end
        assertThatThrownBy(() -> client.status("/nowhere")).isInstanceOf(NoSuchNodeException.class);
        // snippet: errors of futures
        try {
            client.statusAsync("/nowhere").join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof CrailException cause) {
                assertThat(cause.code()).isEqualTo(ErrorCode.NO_SUCH_NODE);
            }
        }
        // end
    }

    @Test
    void deadlines() throws CrailException {
        // snippet: deadlines
        CrailClient hasty = client.withDeadline(Duration.ofMillis(500));
        assertThat(hasty.lookup("/data")).isEmpty();
        // end
    }

    @Test
    void lookingIn() throws CrailException {
        try (CrailOutputStream out = client.createFile("/data")) {
            out.write(new byte[3 << 20]);
        }
        // snippet: locations and statistics
        List<BlockLocation> locations = client.locations("/data");
        long free = client.statistics().classes().stream().mapToLong(c -> c.free()).sum();
        ClientStatistics mine = client.clientStatistics();
        // end
        assertThat(locations.stream().mapToLong(BlockLocation::length).sum()).isEqualTo(3 << 20);
        assertThat(free).isPositive();
        assertThat(mine.bytesWritten()).isGreaterThanOrEqualTo(3 << 20);
    }

    @Test
    void embedded() throws CrailException {
        // snippet: embedded cluster
        try (EmbeddedCluster cluster = EmbeddedCluster.builder().servers(2).start();
                CrailClient client = cluster.connect()) {
            client.mkdir("/data");
        }
        // end
        assertThat(client.lookup("/data")).isEmpty();
    }

    @Test
    void multifiles() throws IOException {
        // snippet: adding members
        CrailMultiFile multi = client.createMultiFile("/results");
        try (CrailOutputStream out = multi.add("part-1")) { // in any thread of any process
            out.write("one\n".getBytes(UTF_8));
        }
        try (CrailOutputStream out = multi.add()) { // under a name that nobody else gets
            out.write("two\n".getBytes(UTF_8));
        }
        // end
        // snippet: reading members
        try (CrailInputStream in = multi.openStream()) {
            String all = new String(in.readAllBytes(), UTF_8);
            assertThat(all).isEqualTo("two\none\n"); // "part-00..." sorts before "part-1"
        }
        Map<String, Long> bytes = new TreeMap<>();
        try (CrailBatchReader reader = multi.openReader(ReadOrder.ANY, MultiReadOptions.DEFAULT)) {
            while (reader.next()) {
                bytes.merge(reader.member().name(), (long) reader.bytes().remaining(), Long::sum);
            }
        }
        multi.delete();
        // end
        assertThat(bytes).hasSize(2).containsEntry("part-1", 4L);
        assertThat(client.lookup("/results")).isEmpty();
    }
}
