// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static io.crail.namenode.log.TestDirectory.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.crail.error.ReadOnlyException;
import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Space that is prepared ahead of a busy log, and what becomes of it. */
class LogAheadTest {
    private static final int SECOND_CHUNK = 4 << 20;

    @TempDir Path directory;
    private final AheadFiles files = new AheadFiles();

    /** Last record that was appended. */
    private long last;

    private void append(LogWriter writer, int records) throws IOException {
        TestRecord.append(writer, last + 1, last + records);
        last += records;
        writer.flush();
    }

    private void appendUntil(LogWriter writer, long bytes) throws IOException {
        while (writer.bytesSinceRoll() < bytes) {
            append(writer, 1 + (int) (last % 50));
        }
    }

    /** As {@link #appendUntil}, but slowly enough for every window to be ready. */
    private void appendPreparedUntil(LogWriter writer, long bytes) throws IOException {
        appendUntil(writer, LogAhead.BUSY + 10_000);
        while (writer.bytesSinceRoll() < bytes) {
            awaitPrepared(writer);
            append(writer, 1 + (int) (last % 50));
        }
        awaitPrepared(writer);
    }

    private static void awaitPrepared(LogWriter writer) {
        if (!writer.isPrepared()) {
            await().pollInSameThread()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(1, TimeUnit.MILLISECONDS)
                    .until(writer::isPrepared);
        }
    }

    private Path crashImage(Path image) throws IOException {
        for (String name : List.of("identity", "log-00000000000000000001")) {
            Files.copy(directory.resolve(name), image.resolve(name));
        }
        return log(image, 1);
    }

    /** Replays and expects all records up to the last. */
    private LogRecovery recover(Path path) throws IOException {
        List<TestRecord> found = new ArrayList<>();
        try (MetadataDirectory opened = TestDirectory.open(path)) {
            LogRecovery recovery = opened.recoverLog(1, () -> LogLoss.NONE, TestRecord.into(found));
            assertThat(found).isEqualTo(TestRecord.range(1, last));
            return recovery;
        }
    }

    @Test
    void aBusyLogIsStoredThroughWindowsAndReadBackEqual() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            appendPreparedUntil(writer, LogAhead.BUSY + LogAhead.LEAD + 100_000);
            int before = files.writes.get();
            appendPreparedUntil(writer, 3 * PreparedChunk.SIZE);
            assertThat(files.maps.get()).isEqualTo(4);
            assertThat(files.writes.get() - before).as("two batches across borders").isLessThan(3);
        }
        assertThat(recover(directory).cut()).isNull();
    }

    @Test
    void aLogThatIsNotBusyIsLeftAlone() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            appendUntil(writer, LogAhead.BUSY - 10_000);
            assertThat(files.steps.get()).isZero();
            assertThat(Files.size(log(directory, 1)))
                    .isEqualTo(writer.bytesSinceRoll() + LogLayout.HEADER_SIZE);
        }
    }

    @Test
    void nothingIsPreparedWhereAnswersWaitForTheDisk() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.SYNC)) {
            appendUntil(writer, 2 * LogAhead.BUSY);
            assertThat(writer.isPrepared()).isFalse();
        }
        assertThat(files.steps.get()).isZero();
        assertThat(recover(directory).cut()).isNull();
    }

    @Test
    void aCrashLosesNothingThatWasFlushedAndIsNoDamage(@TempDir Path image) throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            appendPreparedUntil(writer, SECOND_CHUNK);
            Path crashed = crashImage(image);
            assertThat(Files.size(crashed)).isGreaterThan(writer.bytesSinceRoll() + (1 << 20));
        }
        LogRecovery recovery = recover(image);
        assertThat(recovery.cut()).isNull();
        assertThat(recovery.nextSequence()).isEqualTo(last + 1);
        try (MetadataDirectory opened = TestDirectory.open(image);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            append(writer, 20);
        }
        assertThat(recover(image).cut()).isNull();
    }

    @Test
    void aRecordThatWasHalfStoredIsCutOff(@TempDir Path image) throws IOException {
        long end;
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            appendPreparedUntil(writer, LogAhead.BUSY + LogAhead.LEAD + 100_000);
            end = writer.bytesSinceRoll() + LogLayout.HEADER_SIZE;
            crashImage(image);
        }
        byte[] record = new byte[LogLayout.BODY];
        Path crashed = log(image, 1);
        try (RandomAccessFile source = new RandomAccessFile(log(directory, 1).toFile(), "r");
                RandomAccessFile target = new RandomAccessFile(crashed.toFile(), "rw")) {
            source.seek(LogLayout.HEADER_SIZE);
            source.readFully(record);
            target.seek(end + 8); // a copy may store the beginning last
            target.write(record, 8, 20);
        }
        LogRecovery.Cut cut = Objects.requireNonNull(recover(image).cut());
        assertThat(cut.corruption()).isFalse();
        assertThat(cut.offset()).isEqualTo(end);
        assertThat(Files.size(crashed)).isEqualTo(end);
    }

    @Test
    void rollAndCloseCutFilesToTheirRecords() throws IOException {
        long first;
        long second;
        long start;
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            appendPreparedUntil(writer, SECOND_CHUNK);
            first = writer.bytesSinceRoll() + LogLayout.HEADER_SIZE;
            assertThat(log(directory, 1))
                    .satisfies(log -> assertThat(Files.size(log)).isGreaterThan(first));
            writer.roll();
            assertThat(log(directory, 1)).hasSize(first);
            start = last + 1;
            appendPreparedUntil(writer, LogAhead.BUSY + LogAhead.LEAD);
            second = writer.bytesSinceRoll() + LogLayout.HEADER_SIZE;
        }
        assertThat(log(directory, 1)).hasSize(first);
        assertThat(log(directory, start)).hasSize(second);
        assertThat(recover(directory).cut()).isNull();
    }

    @Test
    void aRollWhileAChunkIsPreparedLeavesNoZerosBehindTheOldFile() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            CountDownLatch gate = new CountDownLatch(1);
            files.gate = gate;
            appendUntil(writer, LogAhead.BUSY + 10_000);
            await().until(() -> files.steps.get() == 1);
            long end = writer.bytesSinceRoll() + LogLayout.HEADER_SIZE;
            overtake(gate, writer::roll);
            awaitNewChunk(writer);
            assertThat(log(directory, 1)).hasSize(end);
        }
        assertThat(recover(directory).cut()).isNull();
    }

    @Test
    void aWriterThatOvertakesThePreparationIsNotOverwrittenByLateZeros() throws Exception {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            CountDownLatch gate = new CountDownLatch(1);
            files.gate = gate;
            appendUntil(writer, LogAhead.BUSY + 10_000);
            await().until(() -> files.steps.get() == 1);
            long inTheChunk = LogAhead.BUSY + LogAhead.LEAD + PreparedChunk.SIZE / 2;
            overtake(gate, () -> appendUntil(writer, inTheChunk));
            appendUntil(writer, inTheChunk + LogAhead.LEAD);
            awaitPrepared(writer);
            appendPreparedUntil(writer, inTheChunk + PreparedChunk.SIZE);
        }
        assertThat(recover(directory).cut()).isNull();
    }

    private interface Step {
        void run() throws IOException;
    }

    /** Runs what has to wait for a step of the preparation, which goes on when it waits. */
    private void overtake(CountDownLatch gate, Step step) throws Exception {
        FutureTask<Boolean> task =
                new FutureTask<>(
                        () -> {
                            step.run();
                            return true;
                        });
        Thread writer = new Thread(task, "overtaking");
        writer.start();
        await().until(() -> writer.getState() == Thread.State.BLOCKED);
        int before = files.steps.get();
        files.gate = null;
        gate.countDown();
        assertThat(task.get(60, TimeUnit.SECONDS)).isTrue();
        assertThat(before).isEqualTo(1);
    }

    /** Behind this the preparing thread has left the chunk before. */
    private void awaitNewChunk(LogWriter writer) throws IOException {
        appendUntil(writer, LogAhead.BUSY + 10_000);
        awaitPrepared(writer);
    }

    @Test
    void aDiskThatIsFullForZerosOnlyLosesNothing() throws IOException {
        files.goodSteps.set(5);
        fallsBackToWrites();
    }

    @Test
    void aFileThatCannotBeMappedIsWrittenByCalls() throws IOException {
        files.failMap = true;
        fallsBackToWrites();
        assertThat(files.maps.get()).as("once in each file").isLessThanOrEqualTo(2);
    }

    private void fallsBackToWrites() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            appendUntil(writer, SECOND_CHUNK);
            assertThat(writer.isPrepared()).isFalse();
            writer.roll();
            appendUntil(writer, SECOND_CHUNK);
        }
        assertThat(recover(directory).cut()).isNull();
    }

    @Test
    void aMappingThatFailsMakesTheLogReadOnlyAndLosesNothingThatWasFlushed() throws IOException {
        try (MetadataDirectory opened = TestDirectory.open(directory, files);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            appendPreparedUntil(writer, LogAhead.BUSY + LogAhead.LEAD + 100_000);
            long end = writer.bytesSinceRoll() + LogLayout.HEADER_SIZE;
            long page = end + PreparedChunk.PAGE - end % PreparedChunk.PAGE;
            files.cutLast(page);
            TestRecord.append(writer, last + 1, last + 500);

            assertThatThrownBy(writer::flush)
                    .isInstanceOf(ReadOnlyException.class)
                    .hasMessageContaining(log(directory, 1) + ": store at offset " + end);

            assertThat(log(directory, 1)).hasSize(end);
            assertThatThrownBy(() -> writer.begin(1, 1, 1)).isInstanceOf(ReadOnlyException.class);
            assertThat(files.exists(directory)).isTrue(); // no error is pending in this thread
        }
        assertThat(recover(directory).cut()).isNull();
    }
}
