// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static io.crail.namenode.log.TestDirectory.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a replay makes of logs that were cut or altered. */
class LogDamageTest {
    @TempDir Path directory;

    @Test
    void aLogCutAtAnyByteYieldsExactlyTheWholeRecordsBeforeTheCut() throws IOException {
        int n = 200;
        TestDirectory.write(directory, n);
        byte[] whole = Files.readAllBytes(log(directory, 1));
        List<Integer> ends = recordEnds(whole);
        assertThat(ends).hasSize(n);
        List<TestRecord> all = TestRecord.range(1, n);
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            for (int cut = 0; cut <= whole.length; cut++) {
                replaceLog(Arrays.copyOf(whole, cut));
                List<TestRecord> found = new ArrayList<>();

                LogRecovery recovery = opened.replayLog(1, TestRecord.into(found));

                int end = cut;
                int count = (int) ends.stream().filter(each -> each <= end).count();
                assertThat(found).isEqualTo(all.subList(0, count));
                assertThat(recovery.nextSequence()).isEqualTo(count + 1);
                int good = count == 0 ? LogLayout.HEADER_SIZE : ends.get(count - 1);
                assertTornTail(recovery, cut, good);
            }
        }
    }

    @Test
    void aTornTailIsCutOffTheFile() throws IOException {
        TestDirectory.write(directory, 5);
        byte[] whole = Files.readAllBytes(log(directory, 1));
        int good = recordEnds(whole).get(3);
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            Files.write(log(directory, 1), Arrays.copyOf(whole, whole.length - 1));
            opened.recoverLog(1, () -> LogLoss.NONE, (s, t, n, r, b) -> {});
            assertThat(Files.size(log(directory, 1))).isEqualTo(good);

            Files.write(log(directory, 1), Arrays.copyOf(whole, LogLayout.HEADER_SIZE - 1));
            opened.recoverLog(1, () -> LogLoss.NONE, (s, t, n, r, b) -> {});
            assertThat(log(directory, 1)).doesNotExist();
        }
    }

    /** Made anew: file systems may write a file that is overwritten to the disk at once. */
    private void replaceLog(byte[] bytes) throws IOException {
        Files.delete(log(directory, 1));
        Files.write(log(directory, 1), bytes);
    }

    private static void assertTornTail(LogRecovery recovery, int cut, int good) {
        if (cut == good) {
            assertThat(recovery.cut()).isNull();
            return;
        }
        LogRecovery.Cut torn = Objects.requireNonNull(recovery.cut());
        assertThat(torn.corruption()).isFalse();
        assertThat(torn.lostRecords()).isZero();
        if (cut < LogLayout.HEADER_SIZE) {
            assertThat(torn.bytes()).isEqualTo(cut);
        } else {
            assertThat(torn.offset()).isEqualTo(good);
            assertThat(torn.bytes()).isEqualTo(cut - good);
        }
    }

    @Test
    void aFlippedBitNeverYieldsAWrongRecordAndIsRefusedWhenRecordsFollow() throws IOException {
        int n = 12;
        TestDirectory.write(directory, n);
        byte[] whole = Files.readAllBytes(log(directory, 1));
        List<Integer> ends = recordEnds(whole);
        int lastStart = ends.get(n - 2);
        List<TestRecord> all = TestRecord.range(1, n);
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            for (int bit = 0; bit < 8 * whole.length; bit++) {
                int at = bit / 8;
                byte[] damaged = whole.clone();
                damaged[at] = (byte) (damaged[at] ^ (1 << (bit % 8)));
                replaceLog(damaged);
                List<TestRecord> found = new ArrayList<>();
                if (at < lastStart) {
                    assertThatThrownBy(() -> opened.replayLog(1, TestRecord.into(found)))
                            .as("bit %d of byte %d", bit % 8, at)
                            .isInstanceOf(CorruptDataException.class)
                            .hasMessageContaining(log(directory, 1).toString())
                            .hasMessageContaining("offset")
                            .hasMessageContaining("--cut-log-at-corruption");
                } else {
                    LogRecovery recovery = opened.replayLog(1, TestRecord.into(found));
                    assertThat(found).isEqualTo(all.subList(0, n - 1));
                    assertThat(recovery.cut()).isNotNull();
                }
                assertThat(found).isEqualTo(all.subList(0, found.size()));
            }
        }
    }

    @Test
    void aHoleMayBeGivenUpInTheLastFileOnly() throws IOException {
        TestDirectory.write(directory, 30, 10, 20);
        for (long file : new long[] {11, 21}) {
            byte[] whole = Files.readAllBytes(log(directory, file));
            byte[] hole = whole.clone();
            Arrays.fill(hole, recordEnds(whole).get(2), recordEnds(whole).get(3), (byte) 0);
            Files.write(log(directory, file), hole);
            List<TestRecord> found = new ArrayList<>();
            try (MetadataDirectory opened = TestDirectory.open(directory)) {
                if (file == 11) {
                    assertThatThrownBy(
                                    () ->
                                            opened.recoverLog(
                                                    1,
                                                    () -> LogLoss.LAST_FILE,
                                                    TestRecord.into(found)))
                            .isInstanceOf(CorruptDataException.class);
                    Files.write(log(directory, file), whole);
                } else {
                    LogRecovery.Cut cut =
                            Objects.requireNonNull(
                                    opened.recoverLog(
                                                    1,
                                                    () -> LogLoss.LAST_FILE,
                                                    TestRecord.into(found))
                                            .cut());
                    assertThat(found).isEqualTo(TestRecord.range(1, 23));
                    assertThat(cut.corruption()).isTrue();
                    assertThat(cut.lostRecords()).isEqualTo(6);
                }
            }
        }
    }

    @Test
    void aHoleInPlaceOfTheFirstRecordIsRefusedSinceItTellsWhoseLogThisIs() throws IOException {
        TestDirectory.write(directory, 30, 20);
        byte[] log = Files.readAllBytes(log(directory, 21));
        Arrays.fill(log, LogLayout.HEADER_SIZE, recordEnds(log).get(0), (byte) 0);
        Files.write(log(directory, 21), log);
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            assertThatThrownBy(
                            () ->
                                    opened.recoverLog(
                                            1, () -> LogLoss.LAST_FILE, (s, t, n, r, b) -> {}))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("9 intact records follow");
        }
    }

    @Test
    void cuttingAtACorruptionKeepsWhatIsBeforeReportsTheLossAndSavesTheRest() throws IOException {
        TestDirectory.write(directory, 30, 10, 20);
        byte[] middle = Files.readAllBytes(log(directory, 11));
        int fourth = recordEnds(middle).get(2);
        middle[fourth + LogLayout.BODY] ^= 1;
        Files.write(log(directory, 11), middle);
        List<TestRecord> found = new ArrayList<>();
        LogRecovery recovery;
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            assertThatThrownBy(
                            () -> opened.recoverLog(1, () -> LogLoss.NONE, (s, t, n, r, b) -> {}))
                    .isInstanceOf(CorruptDataException.class)
                    .hasMessageContaining("16 intact records follow");

            recovery = opened.recoverLog(1, () -> LogLoss.ANY, TestRecord.into(found));

            try (LogWriter writer =
                    opened.openLog(recovery, Durability.PROCESS, DurabilityListener.none())) {
                TestRecord.append(writer, 14, 20);
                writer.flush();
            }
        }
        assertThat(found).isEqualTo(TestRecord.range(1, 13));
        LogRecovery.Cut cut = Objects.requireNonNull(recovery.cut());
        assertThat(cut.corruption()).isTrue();
        assertThat(cut.lostRecords()).isEqualTo(16);
        assertThat(cut.file()).isEqualTo(log(directory, 11));
        assertThat(cut.offset()).isEqualTo(fourth);
        assertThat(TestDirectory.names(directory))
                .contains(
                        "log-00000000000000000011.cut",
                        "log-00000000000000000021.cut",
                        "log-00000000000000000014");
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 20));
    }

    @Test
    void aMissingFileIsAGapThatIsRefused() throws IOException {
        TestDirectory.write(directory, 30, 10, 20);
        Files.delete(log(directory, 11));

        assertThatThrownBy(() -> TestDirectory.read(directory, 1, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("record 11 should follow, but it is record 21");
        assertThat(TestDirectory.read(directory, 1, true)).isEqualTo(TestRecord.range(1, 10));
    }

    @Test
    void aLogThatStartsTooLateIsAGapThatIsRefused() throws IOException {
        TestDirectory.write(directory, 30, 10, 20);
        Files.delete(log(directory, 1));

        assertThatThrownBy(() -> TestDirectory.read(directory, 5, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("record 5 should follow");
    }

    @Test
    void aRecordThatIsMissingOrRepeatedIsRefusedAlthoughAllRecordsAreIntact() throws IOException {
        TestDirectory.write(directory, 3);
        byte[] whole = Files.readAllBytes(log(directory, 1));
        List<Integer> ends = recordEnds(whole);
        byte[] missing = join(whole, 0, ends.get(0), ends.get(1), ends.get(2));
        Files.write(log(directory, 1), missing);
        assertThatThrownBy(() -> TestDirectory.read(directory, 1, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("record 2 should follow, but it is record 3");

        byte[] repeated = join(whole, 0, ends.get(2), ends.get(0), ends.get(1));
        Files.write(log(directory, 1), repeated);
        assertThatThrownBy(() -> TestDirectory.read(directory, 1, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("record 4 should follow, but it is record 2");
    }

    @Test
    void aFileOfAnotherClusterIsRefusedAndNeverDeleted(@TempDir Path other) throws IOException {
        TestDirectory.write(directory, 3);
        try (MetadataDirectory foreign =
                        MetadataDirectory.open(other, MetadataFiles.ofSystem(), UUID::randomUUID);
                LogWriter writer = TestDirectory.writer(foreign, Durability.PROCESS)) {
            TestRecord.append(writer, 1, 5);
        }
        Files.copy(log(other, 1), log(directory, 4));

        assertThatThrownBy(() -> TestDirectory.read(directory, 1, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("another cluster");
        assertThat(TestDirectory.read(directory, 1, true)).isEqualTo(TestRecord.range(1, 3));
        assertThat(TestDirectory.names(directory)).contains("log-00000000000000000004.cut");
    }

    @Test
    void aTornTailBeforeAnEmptyFileIsCut() throws IOException {
        TestDirectory.write(directory, 10, 10);
        Path first = log(directory, 1);
        byte[] whole = Files.readAllBytes(first);
        Files.write(first, Arrays.copyOf(whole, whole.length - 3));

        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 9));
        assertThat(TestDirectory.names(directory)).containsExactly("log-00000000000000000001");
    }

    @Test
    void zerosBehindTheLastRecordAreTheEndOfTheFile() throws IOException {
        TestDirectory.write(directory, 10);
        Path first = log(directory, 1);
        byte[] whole = Files.readAllBytes(first);
        try (MetadataDirectory opened = TestDirectory.open(directory)) {
            for (int zeros : new int[] {1, 7, 8, 35, 36, 4096, 5001, (4 << 20) + 3}) {
                replaceLog(Arrays.copyOf(whole, whole.length + zeros));
                List<TestRecord> found = new ArrayList<>();
                LogRecovery recovery =
                        opened.recoverLog(1, () -> LogLoss.NONE, TestRecord.into(found));
                assertThat(found).isEqualTo(TestRecord.range(1, 10));
                assertThat(recovery).isEqualTo(new LogRecovery(11, 10, null));
                assertThat(Files.size(first)).isEqualTo(whole.length);
            }
        }
    }

    @Test
    void aTornTailMayEndInZeros() throws IOException {
        TestDirectory.write(directory, 10);
        Path first = log(directory, 1);
        byte[] whole = Files.readAllBytes(first);
        int good = recordEnds(whole).get(8);
        for (int cut = good + 1; cut < whole.length; cut++) {
            Files.write(first, Arrays.copyOf(Arrays.copyOf(whole, cut), whole.length + 5000));
            assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 9));
            assertThat(Files.size(first)).isEqualTo(good);
        }
    }

    @Test
    void anyByteBehindZerosIsATornTailAndAnIntactRecordACorruption() throws IOException {
        TestDirectory.write(directory, 10);
        Path first = log(directory, 1);
        byte[] whole = Files.readAllBytes(first);
        int good = recordEnds(whole).get(8);
        int record = whole.length - good;
        int zeros = 2 << 20;
        for (int at : new int[] {8, zeros - 1, zeros + record - 1}) {
            byte[] dirty = Arrays.copyOf(Arrays.copyOf(whole, good), good + zeros + record);
            dirty[good + at] = 1;
            Files.write(first, dirty);
            assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 9));
            assertThat(Files.size(first)).isEqualTo(good);
        }
        byte[] gap = Arrays.copyOf(Arrays.copyOf(whole, good), good + zeros + record);
        System.arraycopy(whole, good, gap, good + zeros, record);
        Files.write(first, gap);
        assertThatThrownBy(() -> TestDirectory.read(directory, 1, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("offset " + good + ": broken record; 1 intact records");
    }

    @Test
    void zerosAtTheEndOfAnEarlierFileAreNoDamageButHideNoGap() throws IOException {
        TestDirectory.write(directory, 30, 10, 20);
        for (long sequence : new long[] {1, 11}) {
            byte[] whole = Files.readAllBytes(log(directory, sequence));
            Files.write(log(directory, sequence), Arrays.copyOf(whole, whole.length + (2 << 20)));
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 30));

        byte[] middle = Files.readAllBytes(log(directory, 11));
        List<Integer> ends = recordEnds(middle);
        assertThat(ends).as("the zeros were cut off").hasSize(10);
        Arrays.fill(middle, ends.get(8), middle.length, (byte) 0);
        Files.write(log(directory, 11), middle);
        assertThatThrownBy(() -> TestDirectory.read(directory, 1, false))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("record 20 should follow, but it is record 21");
    }

    @Test
    void aFileOfZerosBehindItsHeaderIsReplaced() throws IOException {
        TestDirectory.write(directory, 10, 10);
        Path second = log(directory, 11);
        byte[] header = Files.readAllBytes(second);
        assertThat(header).hasSize(LogLayout.HEADER_SIZE);
        Files.write(second, Arrays.copyOf(header, 3 << 20));
        try (MetadataDirectory opened = TestDirectory.open(directory);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 11, 15);
        }
        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 15));
        assertThat(Files.size(second)).isLessThan(1000);
    }

    @Test
    void theNextLifeWritesBehindTheCut() throws IOException {
        TestDirectory.write(directory, 10);
        Path first = log(directory, 1);
        byte[] whole = Files.readAllBytes(first);
        Files.write(first, Arrays.copyOf(whole, whole.length - 1));
        try (MetadataDirectory opened = TestDirectory.open(directory);
                LogWriter writer = TestDirectory.writer(opened, Durability.PROCESS)) {
            TestRecord.append(writer, 10, 15);
        }

        assertThat(TestDirectory.read(directory, 1, false)).isEqualTo(TestRecord.range(1, 15));
    }

    private static byte[] join(byte[] source, int from1, int to1, int from2, int to2) {
        byte[] joined = new byte[to1 - from1 + to2 - from2];
        System.arraycopy(source, from1, joined, 0, to1 - from1);
        System.arraycopy(source, from2, joined, to1 - from1, to2 - from2);
        return joined;
    }

    /** Offsets behind each record of an undamaged log file. */
    private static List<Integer> recordEnds(byte[] log) {
        ByteBuffer buffer = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
        List<Integer> ends = new ArrayList<>();
        int at = LogLayout.HEADER_SIZE;
        while (at < log.length) {
            at += buffer.getInt(at + LogLayout.LENGTH);
            ends.add(at);
        }
        return ends;
    }
}
