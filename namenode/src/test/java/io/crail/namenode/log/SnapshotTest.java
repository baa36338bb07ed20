// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static io.crail.namenode.log.TestDirectory.log;
import static io.crail.namenode.log.TestDirectory.snapshot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CancelledException;
import io.crail.error.CorruptDataException;
import io.crail.protocol.log.SnapshotLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writing, damage, falling back, purging. */
class SnapshotTest {
    @TempDir Path directory;
    private final FaultyFiles files = new FaultyFiles();

    /** The outcome of one snapshot: an IOException, or the number of its records. */
    private static final class Outcome implements SnapshotListener {
        final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

        @Override
        public void completed(long sequence, long records, long bytes) {
            events.add(records);
        }

        @Override
        public void failed(long sequence, IOException cause) {
            events.add(cause);
        }

        Object get() throws InterruptedException {
            Object event = events.poll(60, TimeUnit.SECONDS);
            assertThat(event).as("outcome of the snapshot").isNotNull();
            return event == null ? "" : event;
        }
    }

    private record Entry(int type, long number, int size) {
        static Entry of(int i) {
            return new Entry(i % 5, i * 1_000_003L, i % 301);
        }
    }

    private static void append(SnapshotWriter writer, Entry entry) throws IOException {
        if (!writer.hasRoom()) {
            Awaitility.await().pollInterval(1, TimeUnit.MILLISECONDS).until(writer::hasRoom);
        }
        writer.begin(entry.type()).i64(entry.number()).raw(new byte[entry.size()]);
        writer.end();
    }

    private static Object write(MetadataDirectory opened, long sequence, int records)
            throws Exception {
        Outcome outcome = new Outcome();
        SnapshotWriter writer = opened.beginSnapshot(sequence, outcome);
        for (int i = 0; i < records; i++) {
            append(writer, Entry.of(i));
        }
        writer.finish();
        return outcome.get();
    }

    private static List<Entry> read(SnapshotReader reader) throws IOException {
        List<Entry> entries = new ArrayList<>();
        reader.read((type, body) -> entries.add(new Entry(type, body.i64(), body.remaining())));
        return entries;
    }

    private static List<Entry> entries(int n) {
        List<Entry> entries = new ArrayList<>();
        for (int i = 0; i < n; i++) {
            entries.add(Entry.of(i));
        }
        return entries;
    }

    @Test
    void recordsOverManyChunksComeBackInOrder() throws Exception {
        int n = 50_000;
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            assertThat(write(opened, 17, n)).isEqualTo((long) n);
            SnapshotReader reader = opened.newestSnapshot().orElseThrow();
            assertThat(reader.sequence()).isEqualTo(17);
            assertThat(read(reader)).isEqualTo(entries(n));
        }
        assertThat(TestDirectory.names(directory)).containsExactly("snapshot-00000000000000000017");
    }

    @Test
    void anEmptySnapshotIsASnapshot() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            assertThat(write(opened, 0, 0)).isEqualTo(0L);
            assertThat(read(opened.newestSnapshot().orElseThrow())).isEmpty();
        }
    }

    @Test
    void recordsUpToTheLimitAreTakenAndLargerOnesRefused() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            Outcome outcome = new Outcome();
            SnapshotWriter writer = opened.beginSnapshot(1, outcome);
            int largest = SnapshotLayout.MAX_RECORD - SnapshotLayout.RECORD_BODY - 8;
            append(writer, new Entry(1, 1, 200_000));
            append(writer, new Entry(1, 2, largest));
            assertThat(writer.hasRoom()).isTrue();
            assertThatThrownBy(() -> append(writer, new Entry(1, 3, largest + 1)))
                    .isInstanceOf(IllegalStateException.class);
            append(writer, new Entry(1, 4, 4));
            writer.finish();
            assertThat(outcome.get()).isEqualTo(3L);
            assertThat(read(opened.newestSnapshot().orElseThrow()))
                    .extracting(Entry::number)
                    .containsExactly(1L, 2L, 4L);
        }
    }

    @Test
    void aSlowDiskHasNoRoomAndBlocksNobody() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory, files)) {
            CountDownLatch gate = new CountDownLatch(1);
            files.gate = gate;
            Outcome outcome = new Outcome();
            SnapshotWriter writer = opened.beginSnapshot(1, outcome);
            int chunks = 0;
            while (writer.hasRoom()) {
                writer.begin(1).i64(chunks).raw(new byte[SnapshotWriter.CHUNK]);
                writer.end();
                chunks++;
            }
            assertThat(chunks).isEqualTo(SnapshotWriter.BUFFERS);
            assertThatThrownBy(() -> writer.begin(1)).isInstanceOf(IllegalStateException.class);
            Awaitility.await()
                    .untilAsserted(
                            () ->
                                    assertThat(TestDirectory.names(directory))
                                            .containsExactly("snapshot-00000000000000000001.tmp"));

            files.gate = null;
            gate.countDown();

            append(writer, new Entry(1, 99, 0));
            writer.finish();
            assertThat(outcome.get()).isEqualTo((long) chunks + 1);
        }
    }

    @Test
    void aFullDiskLeavesNothingAndTellsTheWriter() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory, files)) {
            files.space.set(SnapshotWriter.CHUNK);
            Outcome outcome = new Outcome();
            SnapshotWriter writer = opened.beginSnapshot(1, outcome);
            writer.begin(1).raw(new byte[2 * SnapshotWriter.CHUNK]);
            writer.end();

            assertThat(outcome.get())
                    .isInstanceOfSatisfying(
                            IOException.class,
                            e ->
                                    assertThat(e)
                                            .hasMessageContaining("snapshot-")
                                            .hasMessageContaining("No space left on device"));
            assertThat(writer.hasRoom()).isTrue();
            assertThatThrownBy(() -> writer.begin(1)).isInstanceOf(IOException.class);
        }
        assertThat(TestDirectory.names(directory)).isEmpty();
    }

    @Test
    void aFailingSyncOrRenameLeavesNothing() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory, files)) {
            files.goodSyncs.set(0);
            assertThat(write(opened, 1, 10)).isInstanceOf(IOException.class);
            files.goodSyncs.set(100);
            files.failRename = true;
            assertThat(write(opened, 2, 10)).isInstanceOf(IOException.class);
            files.failRename = false;
            assertThat(opened.newestSnapshot()).isEmpty();
            assertThat(TestDirectory.names(directory)).isEmpty();
            assertThat(write(opened, 3, 10)).isEqualTo(10L);
        }
    }

    @Test
    void anAbortLeavesNothing() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            Outcome outcome = new Outcome();
            SnapshotWriter writer = opened.beginSnapshot(1, outcome);
            append(writer, Entry.of(1));
            writer.abort();
            assertThat(outcome.get()).isInstanceOf(CancelledException.class);
            assertThat(writer.awaitEnd(10_000)).isTrue();
            assertThatThrownBy(() -> writer.begin(1)).isInstanceOf(CancelledException.class);
            writer.finish();
        }
        assertThat(TestDirectory.names(directory)).isEmpty();
    }

    @Test
    void leftoversOfACrashAreRemovedAtTheNextStart() throws Exception {
        TestDirectory.write(directory, 3);
        Files.write(directory.resolve("snapshot-00000000000000000002.tmp"), new byte[10]);
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            assertThat(opened.newestSnapshot()).isEmpty();
        }
        assertThat(TestDirectory.names(directory)).containsExactly("log-00000000000000000001");
    }

    @Test
    void everyFlippedByteAndEveryCutOfASnapshotIsNoticed() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            write(opened, 9, 5);
            Path path = snapshot(directory, 9);
            byte[] whole = Files.readAllBytes(path);
            SnapshotReader reader = opened.newestSnapshot().orElseThrow();
            for (int at = 0; at < whole.length; at++) {
                byte[] damaged = whole.clone();
                damaged[at] ^= 0x10;
                Files.write(path, damaged);
                assertThatThrownBy(reader::verify)
                        .as("byte %d", at)
                        .isInstanceOf(CorruptDataException.class)
                        .hasMessageContaining(path.toString());
                Files.write(path, Arrays.copyOf(whole, at));
                assertThatThrownBy(reader::verify)
                        .as("cut at %d", at)
                        .isInstanceOf(CorruptDataException.class);
            }
            Files.write(path, Arrays.copyOf(whole, whole.length + 1));
            assertThatThrownBy(reader::verify).isInstanceOf(CorruptDataException.class);
            Files.write(path, whole);
            reader.verify();
        }
    }

    @Test
    void aDamagedNewestSnapshotFallsBackToTheOneBeforeAndTheLog() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 1, 10);
            writer.roll();
            write(opened, 10, 3);
            opened.purge();
            TestRecord.append(writer, 11, 20);
            writer.roll();
            write(opened, 20, 6);
            opened.purge();
            TestRecord.append(writer, 21, 25);
        }
        byte[] damaged = Files.readAllBytes(snapshot(directory, 20));
        damaged[100] ^= 1;
        Files.write(snapshot(directory, 20), damaged);

        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            SnapshotReader reader = opened.newestSnapshot().orElseThrow();
            assertThat(reader.sequence()).isEqualTo(10);
            assertThat(read(reader)).isEqualTo(entries(3));
            List<TestRecord> records = new ArrayList<>();
            opened.recoverLog(11, () -> LogLoss.NONE, TestRecord.into(records));
            assertThat(records).isEqualTo(TestRecord.range(11, 25));
            // The damaged one must not count among the two that are kept.
            write(opened, 25, 1);
            opened.purge();
            assertThat(opened.snapshots()).extracting(FileName::sequence).containsExactly(10L, 25L);
        }
        assertThat(TestDirectory.names(directory))
                .contains("snapshot-00000000000000000020.damaged", "log-00000000000000000011");
    }

    @Test
    void purgeKeepsTwoSnapshotsAndTheLogFromTheOlderOneOn() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            long sequence = 0;
            for (int i = 0; i < 4; i++) {
                TestRecord.append(writer, sequence + 1, sequence + 10);
                sequence += 10;
                writer.roll();
                write(opened, sequence, i);
                opened.purge();
            }
            TestRecord.append(writer, 41, 42);
            writer.flush();
            assertThat(TestDirectory.names(directory))
                    .containsExactly(
                            "log-00000000000000000031",
                            "log-00000000000000000041",
                            "snapshot-00000000000000000030",
                            "snapshot-00000000000000000040");
        }
        assertThat(TestDirectory.read(directory, 31, false)).isEqualTo(TestRecord.range(31, 42));
        assertThat(log(directory, 21)).doesNotExist();
    }

    @Test
    void aSnapshotOfAnotherClusterIsNotUsed(@TempDir Path other) throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory);
                MetadataDirectory foreign =
                        MetadataDirectory.open(
                                other, MetadataFiles.ofSystem(), java.util.UUID::randomUUID)) {
            write(foreign, 5, 5);
            Files.copy(snapshot(other, 5), snapshot(directory, 5));
            assertThat(opened.newestSnapshot()).isEmpty();
        }
    }
}
