// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static io.crail.namenode.log.TestDirectory.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.ReadOnlyException;
import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Batches, durability levels, failures. */
class LogWriterTest {
    @TempDir Path directory;
    private final FaultyFiles files = new FaultyFiles();

    /** Hands what it hears to the test's thread. */
    private static final class Heard implements DurabilityListener {
        final BlockingQueue<Object> events = new LinkedBlockingQueue<>();

        @Override
        public void durable(long sequence) {
            events.add(sequence);
        }

        @Override
        public void failed(ReadOnlyException cause) {
            events.add(cause);
        }

        @Nullable Object next() throws InterruptedException {
            return events.poll(60, TimeUnit.SECONDS);
        }
    }

    private LogWriter writer(MetadataDirectory opened, Durability durability, Heard heard)
            throws IOException {
        LogRecovery recovery = opened.recoverLog(1, () -> LogLoss.NONE, (s, t, n, r, b) -> {});
        return opened.openLog(recovery, durability, heard);
    }

    @Test
    void recordsOverSeveralFilesAndLivesAreReplayedFromAnySequence() throws IOException {
        TestDirectory.write(directory, 30, 10, 20);
        try (MetadataDirectory opened = TestDirectory.open(directory);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            assertThat(writer.position()).isEqualTo(30);
            TestRecord.append(writer, 31, 40);
        }
        for (long from = 1; from <= 41; from++) {
            assertThat(TestDirectory.read(directory, from, false))
                    .isEqualTo(TestRecord.range(from, 40));
        }
        assertThat(TestDirectory.names(directory))
                .containsExactly(
                        "log-00000000000000000001",
                        "log-00000000000000000011",
                        "log-00000000000000000021",
                        "log-00000000000000000031");
    }

    @Test
    void aFlushWritesAllRecordsAtOnce() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            int before = files.writes.get();
            TestRecord.append(writer, 1, 500);
            assertThat(files.writes.get()).isEqualTo(before);
            assertThat(writer.flush()).isZero();
            assertThat(files.writes.get()).isEqualTo(before + 1);
            assertThat(writer.flush()).isZero();
            assertThat(files.writes.get()).isEqualTo(before + 1);
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 500));
    }

    @Test
    void shortWritesAreContinued() throws IOException {
        files.longestWrite = 7;
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 1, 50);
            writer.flush();
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 50));
    }

    @Test
    void anAbandonedRecordLeavesNoTrace() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 1, 2);
            writer.begin(9, 9, 9).string("abandoned");
            writer.abandon();
            writer.begin(9, 9, 9).string("never ended");
            TestRecord.append(writer, 3, 4);
            writer.begin(9, 9, 9).string("open while flushed");
            writer.flush();
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 4));
    }

    @Test
    void aRecordAboveTheLimitIsRefusedAndForgotten() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 1, 1);
            writer.begin(1, 1, 1).raw(new byte[LogLayout.MAX_RECORD]);
            assertThatThrownBy(writer::end).isInstanceOf(IllegalStateException.class);
            writer.begin(1, 1, 1);
            assertThatThrownBy(() -> writer.begin(1, 1, 1).raw(new byte[8 << 20]))
                    .isInstanceOf(IllegalStateException.class);
            TestRecord.append(writer, 2, 2);
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 2));
    }

    @Test
    void aFullBufferIsWrittenWithoutAFlush() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.NONE)) {
            int before = files.writes.get();
            byte[] body = new byte[LogWriter.WRITE_AT / 4];
            for (int i = 0; i < 3; i++) {
                writer.begin(1, 1, 1).raw(body);
                writer.end();
                writer.flush();
            }
            assertThat(files.writes.get()).isEqualTo(before);
            writer.begin(1, 1, 1).raw(body);
            writer.end();
            assertThat(files.writes.get()).isEqualTo(before + 1);
            assertThat(writer.flush()).isZero();
        }
    }

    @Test
    void aFullDiskFailsTheLogForEverNamingFileAndReason() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 1, 10);
            writer.flush();
            files.space.set(100);
            TestRecord.append(writer, 11, 20);

            assertThatThrownBy(writer::flush)
                    .isInstanceOf(ReadOnlyException.class)
                    .hasMessageContaining(log(directory, 1).toString())
                    .hasMessageContaining("No space left on device");

            files.space.set(Long.MAX_VALUE);
            assertThat(writer.failure()).isNotNull();
            assertThatThrownBy(() -> writer.begin(1, 1, 1)).isSameAs(writer.failure());
            assertThatThrownBy(writer::flush).isSameAs(writer.failure());
            assertThatThrownBy(writer::roll).isSameAs(writer.failure());
        }
        // Records 11.. were answered with an error, so they must not come back.
        assertThat(Files.size(log(directory, 1))).isLessThan(2000);
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 10));
    }

    @Test
    void recordsWrittenAheadOfAFailedFlushAreTakenBack() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 1, 10);
            writer.flush();
            writer.begin(1, 1, 1).raw(new byte[LogWriter.WRITE_AT]);
            writer.end(); // is written here
            writer.begin(1, 1, 1).raw(new byte[100]);
            writer.end();
            files.space.set(0);
            assertThatThrownBy(writer::flush).isInstanceOf(ReadOnlyException.class);
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 10));
    }

    @Test
    void anEarlyWriteThatFailsShowsAtTheFlush() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            files.space.set(1000);
            writer.begin(1, 1, 1).raw(new byte[LogWriter.WRITE_AT]);
            writer.end();
            assertThatThrownBy(writer::flush).isInstanceOf(ReadOnlyException.class);
        }
    }

    @Test
    void aFileThatCannotBeCreatedFailsTheLog() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 1, 10);
            files.goodCreates.set(0);
            assertThatThrownBy(writer::roll)
                    .isInstanceOf(ReadOnlyException.class)
                    .hasMessageContaining(log(directory, 11).toString());
            assertThatThrownBy(writer::flush).isInstanceOf(ReadOnlyException.class);
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 10));
    }

    @Test
    void syncReportsSequencesOnlyWhenTheyAreDurable() throws Exception {
        Heard heard = new Heard();
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = writer(opened, Durability.SYNC, heard)) {
            CountDownLatch gate = new CountDownLatch(1);
            files.gate = gate;
            TestRecord.append(writer, 1, 5);
            assertThat(writer.flush()).isEqualTo(5);
            TestRecord.append(writer, 6, 7);
            assertThat(writer.flush()).isEqualTo(7);
            // Nothing new: but a read may have seen what is not durable yet.
            assertThat(writer.flush()).isEqualTo(7);
            assertThat(heard.events).isEmpty();

            files.gate = null;
            gate.countDown();

            Object last = heard.next();
            if (!Long.valueOf(7).equals(last)) {
                assertThat(last).isEqualTo(5L);
                last = heard.next();
            }
            assertThat(last).isEqualTo(7L);
            assertThat(writer.flush()).isZero();
        }
    }

    @Test
    void syncCoversAllFilesLeftBehindByRolls() throws Exception {
        Heard heard = new Heard();
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = writer(opened, Durability.SYNC, heard)) {
            CountDownLatch gate = new CountDownLatch(1);
            files.gate = gate;
            int before = files.syncs.get();
            TestRecord.append(writer, 1, 5);
            writer.roll();
            TestRecord.append(writer, 6, 10);
            writer.roll();
            TestRecord.append(writer, 11, 12);
            assertThat(writer.flush()).isEqualTo(12);
            files.gate = null;
            gate.countDown();
            Object last = heard.next();
            while (!Long.valueOf(12).equals(last)) {
                assertThat(last).isNotNull();
                last = heard.next();
            }
            assertThat(files.syncs.get() - before).isGreaterThanOrEqualTo(3);
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 12));
    }

    @Test
    void aFailedSyncIsReportedAndFailsTheLog() throws Exception {
        Heard heard = new Heard();
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = writer(opened, Durability.SYNC, heard)) {
            files.goodSyncs.set(1);
            TestRecord.append(writer, 1, 5);
            assertThat(writer.flush()).as("0 if it is durable already").isIn(0L, 5L);
            assertThat(heard.next()).isEqualTo(5L);
            TestRecord.append(writer, 6, 7);
            assertThat(writer.flush()).isEqualTo(7);

            assertThat(heard.next())
                    .isInstanceOfSatisfying(
                            ReadOnlyException.class,
                            e ->
                                    assertThat(e)
                                            .hasMessageContaining(log(directory, 1).toString())
                                            .hasMessageContaining("Input/output error"));
            assertThatThrownBy(writer::flush).isInstanceOf(ReadOnlyException.class);
            assertThatThrownBy(() -> writer.begin(1, 1, 1)).isInstanceOf(ReadOnlyException.class);
        }
        assertThat(heard.events).isEmpty();
    }

    @Test
    void closingMakesTheLastRecordsDurable() throws Exception {
        Heard heard = new Heard();
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = writer(opened, Durability.SYNC, heard)) {
            TestRecord.append(writer, 1, 5);
        }
        assertThat(heard.next()).isEqualTo(5L);
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 5));
    }

    @Test
    void aLifeWithoutRecordsLeavesNoObstacle() throws IOException {
        List<TestRecord> none = new ArrayList<>();
        for (int life = 0; life < 3; life++) {
            try (MetadataDirectory opened = TestDirectory.open(directory);
                    LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
                assertThat(writer.position()).isZero();
            }
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(none);
    }

    @Test
    void aLogThatLagsBehindTheSnapshotIsContinuedBehindTheSnapshot() throws IOException {
        // After a host crash, at level none: the snapshot was synced and the log was not.
        TestDirectory.write(directory, 10);
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            LogRecovery recovery = opened.recoverLog(21, () -> LogLoss.NONE, (s, t, n, r, b) -> {});
            assertThat(recovery.nextSequence()).isEqualTo(21);
            try (LogWriter writer =
                    opened.openLog(recovery, Durability.PROCESS, DurabilityListener.none())) {
                TestRecord.append(writer, 21, 25);
            }
        }
        assertThat(TestDirectory.read(directory, 21, false)).isEqualTo(TestRecord.range(21, 25));
    }
}
