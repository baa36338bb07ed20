// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.nvmf.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CrailException;
import io.crail.error.InternalException;
import io.crail.error.InvalidArgumentException;
import io.crail.error.VersionMismatchException;
import io.crail.nvmf.target.backing.MediumHook;
import io.crail.storage.spi.TierContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whose a file is, and what is said of one that is not ours. */
@Timeout(60)
class FlashImageTest {
    private static final int SIZE = 8 << 20;

    @TempDir Path directory;

    private TierFixture open(UUID identity, UUID cluster, boolean format) throws IOException {
        TierContext context = TierFixture.context(directory, identity, format, SIZE);
        return TierFixture.open(context, cluster, MediumHook.NONE);
    }

    private TierFixture open() throws IOException {
        return open(TierFixture.IDENTITY, TierFixture.CLUSTER, false);
    }

    private int incarnation(TierFixture fixture) {
        return fixture.segment.join().incarnation();
    }

    private void put(long position, int... bytes) throws IOException {
        ByteBuffer content = ByteBuffer.allocate(bytes.length);
        for (int each : bytes) {
            content.put((byte) each);
        }
        Path file = directory.resolve("crail.img");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            assertThat(channel.write(content.flip(), position)).isEqualTo(bytes.length);
        }
    }

    @Test
    void aFileIsTheSameSegmentInTheNextLife() throws IOException {
        int first;
        try (TierFixture fixture = open()) {
            first = incarnation(fixture);
            assertThat(fixture.segment.join().dataBytes()).isEqualTo(7 << 20);
        }
        try (TierFixture fixture = open()) {
            assertThat(incarnation(fixture)).isEqualTo(first);
        }
    }

    @Test
    void aFileOfAnotherClusterIsRefusedAndSaysWhichOne() throws IOException {
        open().close();
        assertThatThrownBy(() -> open(TierFixture.IDENTITY, new UUID(8, 8), false))
                .isInstanceOf(VersionMismatchException.class)
                .hasMessageContaining(TierFixture.CLUSTER.toString())
                .hasMessageContaining("--format");
        open().close();
    }

    @Test
    void aFileOfAnotherServerIsRefused() throws IOException {
        open().close();
        assertThatThrownBy(() -> open(new UUID(9, 9), TierFixture.CLUSTER, false))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("--dir");
    }

    @Test
    void aDamagedSuperblockIsRefusedUntilItsDataIsGivenUp() throws IOException {
        int first;
        try (TierFixture fixture = open()) {
            first = incarnation(fixture);
        }
        put(100, 1);
        assertThatThrownBy(this::open)
                .isInstanceOf(InternalException.class)
                .hasMessageContaining("checksum")
                .hasMessageContaining("--format");
        try (TierFixture fixture = open(TierFixture.IDENTITY, TierFixture.CLUSTER, true)) {
            assertThat(incarnation(fixture)).isNotEqualTo(first);
        }
    }

    @Test
    void whatSomebodyElseHasWrittenIsNotOverwritten() throws IOException {
        Path file = directory.resolve("crail.img");
        Files.write(file, new byte[SIZE]);
        put(1080, 0x53, 0xEF); // An ext4 file system.
        assertThatThrownBy(this::open)
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("something else");
        assertThat(Files.readAllBytes(file)[1080]).isEqualTo((byte) 0x53);
    }

    @Test
    void aFileThatIsTooSmallIsToldSo() {
        TierContext tiny = TierFixture.context(directory, TierFixture.IDENTITY, false, 1 << 20);
        assertThatThrownBy(() -> TierFixture.open(tiny, TierFixture.CLUSTER, MediumHook.NONE))
                .isInstanceOf(InvalidArgumentException.class)
                .hasMessageContaining("--size");
    }

    @Test
    void anotherSizeThanThatOfTheFileIsRefused() throws IOException {
        open().close();
        TierContext larger = TierFixture.context(directory, TierFixture.IDENTITY, false, 2 * SIZE);
        assertThatThrownBy(() -> TierFixture.open(larger, TierFixture.CLUSTER, MediumHook.NONE))
                .isInstanceOf(CrailException.class)
                .hasMessageContaining(Integer.toString(2 * SIZE));
    }
}
