// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.protocol.golden.GoldenVector;
import io.crail.protocol.golden.WireValue;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GrantSealTest {
    private static final byte[] KEY = HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");
    private static final GrantSeal SEAL = new GrantSeal(KEY);

    static Stream<String> blocks() {
        return lines("block");
    }

    static Stream<String> tickets() {
        return lines("ticket");
    }

    static Stream<String> permits() {
        return lines("permit");
    }

    private static Stream<String> lines(String kind) {
        return GoldenVector.lines("seal/seals.txt").stream().filter(line -> line.startsWith(kind));
    }

    private static long[] numbers(String line) {
        return Arrays.stream(line.replace("=", " ").split("\\s+", -1))
                .skip(1)
                .mapToLong(WireValue::number)
                .toArray();
    }

    @Test
    void sipHashGivesThePublishedVectors() {
        List<String> lines = GoldenVector.lines("seal/siphash.txt");
        assertThat(lines.get(0)).isEqualTo("key " + HexFormat.of().formatHex(KEY));
        assertThat(lines).hasSize(65);
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.strip().split(" ", -1);
            byte[] input = Arrays.copyOf(counting(), Integer.parseInt(words[0]));
            assertThat(HexFormat.of().formatHex(WireValue.little(SEAL.hash(input), 8)))
                    .as("hash of %s bytes", input.length)
                    .isEqualTo(words[1]);
        }
    }

    private static byte[] counting() {
        byte[] bytes = new byte[64];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("blocks")
    void blockSealsAreTheGoldenOnes(String line) {
        long[] n = numbers(line);
        assertThat(
                        SEAL.block(
                                n[0],
                                (int) n[1],
                                (int) n[2],
                                (int) n[3],
                                n[4],
                                (int) n[5],
                                (int) n[6],
                                n[7],
                                (int) n[8]))
                .isEqualTo(n[9]);
    }

    @ParameterizedTest
    @MethodSource("tickets")
    void ticketsAreTheGoldenOnes(String line) {
        long[] n = numbers(line);
        assertThat(SEAL.ticket(n[0], (int) n[1], (int) n[2])).isEqualTo(n[3]);
    }

    @ParameterizedTest
    @MethodSource("permits")
    void permitsToCheckAreTheGoldenOnes(String line) {
        long[] n = numbers(line);
        assertThat(SEAL.audit(n[0], (int) n[1], (int) n[2])).isEqualTo(n[3]);
        assertThat(SEAL.ticket(n[0], (int) n[1], (int) n[2])).isNotEqualTo(n[3]);
    }

    @Test
    void sealIsGoodForItsReferenceAndSessionOnly() {
        long key = SEAL.block(7, 0, 1, 2, 8192, 4096, 2, 55, BlockReference.READ);
        BlockReference good = reference(1, 2, 8192, 4096, 2, 55, key, BlockReference.READ);
        assertThat(SEAL.permits(7, 0, good)).isTrue();
        assertThat(SEAL.permits(8, 0, good)).isFalse();
        assertThat(SEAL.permits(7, 1, good)).isFalse();
        assertThat(new GrantSeal(new byte[16]).permits(7, 0, good)).isFalse();

        int both = BlockReference.READ | BlockReference.WRITE;
        List<BlockReference> forged =
                List.of(
                        reference(2, 2, 8192, 4096, 2, 55, key, BlockReference.READ),
                        reference(1, 3, 8192, 4096, 2, 55, key, BlockReference.READ),
                        reference(1, 2, 4096, 4096, 2, 55, key, BlockReference.READ),
                        reference(1, 2, 8192, 8192, 2, 55, key, BlockReference.READ),
                        reference(1, 2, 8192, 4096, 3, 55, key, BlockReference.READ),
                        reference(1, 2, 8192, 4096, 2, 56, key, BlockReference.READ),
                        reference(1, 2, 8192, 4096, 2, 55, key ^ 1, BlockReference.READ),
                        reference(1, 2, 8192, 4096, 2, 55, key, BlockReference.WRITE),
                        reference(1, 2, 8192, 4096, 2, 55, key, both));
        for (BlockReference reference : forged) {
            assertThat(SEAL.permits(7, 0, reference)).as("%s", reference).isFalse();
        }
    }

    private static BlockReference reference(
            int server,
            int segment,
            long offset,
            int length,
            int record,
            long generation,
            long key,
            int rights) {
        return new BlockReference(server, segment, offset, length, record, generation, key, rights);
    }

    @Test
    void ticketIsNoSealOfABlock() {
        assertThat(SEAL.ticket(1, 0, 0)).isNotEqualTo(SEAL.block(1, 0, 0, 0, 0, 0, 0, 0, 0));
    }

    @Test
    void keyMustHave16Bytes() {
        assertThatThrownBy(() -> new GrantSeal(new byte[15]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
