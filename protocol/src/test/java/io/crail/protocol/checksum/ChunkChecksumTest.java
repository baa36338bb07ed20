// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.golden.GoldenVector;
import io.crail.protocol.golden.WireValue;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ChunkChecksumTest {
    @Test
    void crcGivesTheKnownAnswersOfTheRfc() {
        assertThat(GoldenVector.lines("checksum/crc32c.txt")).hasSize(5);
        for (String line : GoldenVector.lines("checksum/crc32c.txt")) {
            String[] words = line.split("\\s+", -1);
            byte[] input = HexFormat.of().parseHex(words[2]);
            int expected = (int) WireValue.number(words[1]);
            assertThat(ChunkChecksum.crc(ByteBuffer.wrap(input), 0, input.length))
                    .as(words[0])
                    .isEqualTo(expected);
        }
    }

    @Test
    void saltsAreTheGoldenOnes() {
        assertThat(GoldenVector.lines("checksum/salts.txt")).isNotEmpty();
        for (String line : GoldenVector.lines("checksum/salts.txt")) {
            String[] words = line.split("[\\s=]+", -1);
            assertThat(
                            ChunkChecksum.salt(
                                    (int) WireValue.number(words[0]), WireValue.number(words[1])))
                    .as(line)
                    .isEqualTo((int) WireValue.number(words[2]));
        }
    }

    @Property
    void saltingTwiceGivesTheCrcBack(@ForAll int crc, @ForAll int slot, @ForAll long generation) {
        int stored = ChunkChecksum.salted(crc, slot, generation);
        assertThat(ChunkChecksum.salted(stored, slot, generation)).isEqualTo(crc);
    }

    @Property
    void neighbouringSlotsAndGenerationsHaveOtherSalts(
            @ForAll @IntRange(max = 1 << 18) int slot, @ForAll @IntRange(min = 1) int counter) {
        long generation = (0xC0FFEE01L << 32) | counter;
        int salt = ChunkChecksum.salt(slot, generation);
        assertThat(ChunkChecksum.salt(slot + 1, generation)).isNotEqualTo(salt);
        assertThat(ChunkChecksum.salt(slot, generation + 1)).isNotEqualTo(salt);
        assertThat(ChunkChecksum.salt(slot, generation + (1L << 32))).isNotEqualTo(salt);
    }

    @Test
    void crcOfAPartLeavesTheBufferAlone() {
        for (ByteBuffer data :
                new ByteBuffer[] {ByteBuffer.allocate(20), ByteBuffer.allocateDirect(20)}) {
            data.put(5, "123456789".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
            data.position(3).limit(19);
            assertThat(ChunkChecksum.crc(data, 5, 9)).isEqualTo(0xE3069283);
            assertThat(data.position()).isEqualTo(3);
            assertThat(data.limit()).isEqualTo(19);
            assertThat(ChunkChecksum.crc(data, 5, 0)).isZero();
        }
    }
}
