// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.segment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.OutOfSpaceException;
import io.crail.error.VersionMismatchException;
import io.crail.protocol.block.Generation;
import io.crail.protocol.segment.SegmentLayout;
import io.crail.storage.testing.TestSegments;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentFilesTest {
    private static final int MIB = 1 << 20;
    private static final UUID CLUSTER = TestSegments.CLUSTER;

    @TempDir Path directory;

    private SegmentFiles files() {
        return TestSegments.files(directory);
    }

    @Test
    void headerAndControlAreaAreAsTheLayoutSays() throws IOException {
        UUID cluster = new UUID(0x0102030405060708L, 0x090A0B0C0D0E0F10L);
        UUID server = new UUID(0x1112131415161718L, 0x191A1B1C1D1E1F20L);
        SegmentFiles files =
                new SegmentFiles(directory, server, new Random(1), FreeSpace.OF_FILE_SYSTEM);
        Segment segment = Objects.requireNonNull(files.create(3, cluster, MIB, () -> false));
        segment.setGeneration(1, Generation.of(segment.incarnation(), 0x01020304));
        segment.setChecksum(2, 0xA1B2C3D4);
        segment.data(4096, 4).put(0, new byte[] {9, 8, 7, 6});

        byte[] file = Files.readAllBytes(directory.resolve("segment-3"));
        assertThat(file).hasSize((2 << 20) + MIB);
        assertThat(HexFormat.of().formatHex(file, 0, 128))
                .isEqualTo(
                        "435241494c534547" // "CRAILSEG"
                                + "01000000" // layout version
                                + "816e6ed9" // CRC32C of bytes 16..128
                                + "d89cb81973d51abb92f94d686f0efb68" // cookie
                                + "0807060504030201100f0e0d0c0b0a09" // cluster
                                + "1817161514131211201f1e1d1c1b1a19" // server
                                + "03000000" // segment
                                + "fccc2c35" // incarnation
                                + "00010000" // 256 slots
                                + "00000000" // flags
                                + "0010000000000000" // generations at 4,096
                                + "0018000000000000" // checksums at 6,144
                                + "0000200000000000" // data at 2 MiB
                                + "0000100000000000" // 1 MiB of data
                                + "00000000000000000000000000000000");
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(bytes.getLong(4096)).isEqualTo(Generation.of(segment.incarnation(), 1));
        assertThat(HexFormat.of().formatHex(file, 4104, 4108)).isEqualTo("04030201");
        assertThat(bytes.getInt(4108)).isEqualTo(segment.incarnation());
        assertThat(HexFormat.of().formatHex(file, 6152, 6156)).isEqualTo("d4c3b2a1");
        assertThat(HexFormat.of().formatHex(file, (2 << 20) + 4096, (2 << 20) + 4100))
                .isEqualTo("09080706");
        CRC32C crc = new CRC32C();
        crc.update(file, 16, 112);
        assertThat(bytes.getInt(12)).isEqualTo((int) crc.getValue());
    }

    @Test
    void everySlotStartsWithTheFirstCounterOfANonZeroIncarnation() throws IOException {
        Segment segment = TestSegments.create(directory, 0, MIB);
        assertThat(segment.incarnation()).isNotZero();
        for (int slot = 0; slot < segment.slots(); slot++) {
            assertThat(segment.generation(slot)).isEqualTo(Generation.of(segment.incarnation(), 1));
        }
    }

    @Test
    void anIncarnationIsNeverZero() throws IOException {
        Random zeroAtFirst =
                new Random() {
                    private static final long serialVersionUID = 1L;
                    private int calls;

                    @Override
                    public int nextInt() {
                        return calls++ == 0 ? 0 : 42;
                    }
                };
        SegmentFiles files =
                new SegmentFiles(directory, new UUID(1, 1), zeroAtFirst, FreeSpace.OF_FILE_SYSTEM);
        Segment segment = Objects.requireNonNull(files.create(0, CLUSTER, MIB, () -> false));
        assertThat(segment.incarnation()).isEqualTo(42);
    }

    @Test
    void whatWasWrittenIsThereWhenAttachedAgain() throws IOException {
        Segment before = TestSegments.create(directory, 0, MIB);
        before.data(8192, 3).put(0, new byte[] {1, 2, 3});
        before.setGeneration(2, Generation.of(before.incarnation(), 5));
        before.setChecksum(2, 77);
        TestSegments.create(directory, 1, 2 * MIB);

        List<Segment> attached = files().attach(CLUSTER);
        assertThat(attached).extracting(Segment::number).containsExactly(0, 1);
        Segment after = attached.get(0);
        assertThat(after.incarnation()).isEqualTo(before.incarnation());
        assertThat(after.generation(2)).isEqualTo(before.generation(2));
        assertThat(after.checksum(2)).isEqualTo(77);
        assertThat(after.data(8192, 3)).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    }

    @Test
    void aFileThatWasNeverCompletedIsRemoved() throws IOException {
        Files.write(directory.resolve("segment-0"), new byte[MIB]);
        Files.write(directory.resolve("segment-1"), new byte[10]);
        assertThat(files().attach(CLUSTER)).isEmpty();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void anyFlippedByteOfTheHeaderIsNoticed() throws IOException {
        TestSegments.create(directory, 0, MIB);
        Path file = directory.resolve("segment-0");
        for (int at = 8; at < SegmentLayout.CHECKED_TO; at++) {
            flip(file, at);
            assertThatThrownBy(() -> files().attach(CLUSTER))
                    .as("byte %d", at)
                    .isInstanceOfAny(CorruptDataException.class, VersionMismatchException.class)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("--format");
            flip(file, at);
        }
        assertThat(files().attach(CLUSTER)).hasSize(1);
    }

    @Test
    void aFileOfAnotherLengthIsNoticed() throws IOException {
        TestSegments.create(directory, 0, MIB);
        Path file = directory.resolve("segment-0");
        Files.write(file, new byte[4096], StandardOpenOption.APPEND);
        assertThatThrownBy(() -> files().attach(CLUSTER)).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void aRenamedFileIsNoticed() throws IOException {
        TestSegments.create(directory, 0, MIB);
        Files.move(directory.resolve("segment-0"), directory.resolve("segment-4"));
        assertThatThrownBy(() -> files().attach(CLUSTER)).isInstanceOf(CorruptDataException.class);
    }

    @Test
    void filesOfAnotherClusterOrServerAreRefused() throws IOException {
        TestSegments.create(directory, 0, MIB);
        assertThatThrownBy(() -> files().attach(new UUID(1, 2)))
                .isInstanceOf(VersionMismatchException.class)
                .hasMessageContaining(CLUSTER.toString())
                .hasMessageContaining("--format");
        SegmentFiles ofAnother =
                new SegmentFiles(directory, new UUID(9, 9), new Random(), FreeSpace.OF_FILE_SYSTEM);
        assertThatThrownBy(() -> ofAnother.attach(CLUSTER))
                .isInstanceOf(VersionMismatchException.class);
    }

    @Test
    void lackOfSpaceIsToldBeforeAnythingIsWritten() {
        SegmentFiles files =
                new SegmentFiles(directory, new UUID(1, 1), new Random(), path -> 64L * MIB);
        assertThatThrownBy(() -> files.create(0, CLUSTER, 64 * MIB, () -> false))
                .isInstanceOf(OutOfSpaceException.class)
                .hasMessageContaining("--shm-size")
                .hasMessageContaining(directory.toString());
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void anAbortedFillLeavesNothing() throws IOException {
        AtomicInteger steps = new AtomicInteger();
        assertThat(files().create(0, CLUSTER, 8 * MIB, () -> steps.incrementAndGet() > 3)).isNull();
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void sizesThatCannotBeAreNamed() {
        for (long size : new long[] {0, 4096, MIB + 4096, (1L << 30) + MIB, 4L << 30}) {
            assertThatThrownBy(() -> files().create(0, CLUSTER, size, () -> false))
                    .as("size %d", size)
                    .isInstanceOf(InvalidArgumentException.class)
                    .hasMessageContaining("1 GiB");
        }
    }

    @Test
    void accessOutsideOfASegmentTouchesNothing() throws IOException {
        Segment segment = TestSegments.create(directory, 0, MIB);
        assertThatThrownBy(() -> segment.data(MIB, 1))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> segment.data(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> segment.data(Long.MAX_VALUE, 4096))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> segment.generation(256))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> segment.setChecksum(-1, 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    private static void flip(Path file, int at) throws IOException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, at);
            one.put(0, (byte) (one.get(0) ^ 0x10)).rewind();
            channel.write(one, at);
        }
    }
}
