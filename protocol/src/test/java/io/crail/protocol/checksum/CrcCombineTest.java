// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.checksum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CrcCombineTest {
    @Property
    void twoPartsHaveTheCrcOfTheirBytes(
            @ForAll @Size(max = 5000) byte[] bytes, @ForAll @IntRange(max = 5000) int cut) {
        int at = Math.min(cut, bytes.length);
        int rest = bytes.length - at;
        int combined = CrcCombine.combine(crc(bytes, 0, at), crc(bytes, at, rest), rest);
        assertThat(combined).isEqualTo(crc(bytes, 0, bytes.length));
    }

    @Property(tries = 50)
    void partsOfOneLengthHaveTheCrcOfTheirBytes(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 20) int parts,
            @ForAll @IntRange(min = 1, max = 9000) int length) {
        byte[] bytes = random(seed, parts * length);
        CrcCombine tables = CrcCombine.ofParts(length);
        int combined = 0;
        for (int i = 0; i < parts; i++) {
            combined = tables.combine(combined, crc(bytes, i * length, length));
        }
        assertThat(combined).isEqualTo(crc(bytes, 0, bytes.length));
    }

    @Property
    void tablesAndDirectMultiplicationAgreeForAnyLength(
            @ForAll int first, @ForAll int second, @ForAll @IntRange(min = 0, max = 63) int bits) {
        long length = bits == 63 ? Long.MAX_VALUE : (1L << bits) + bits;
        assertThat(CrcCombine.ofParts(length).combine(first, second))
                .isEqualTo(CrcCombine.combine(first, second, length));
    }

    /** Lengths that no test can fill with bytes. */
    @Property
    void appendingTwiceIsAppendingTheSum(
            @ForAll int first, @ForAll @IntRange(min = 1) int once, @ForAll boolean huge) {
        long length = huge ? (long) once << 30 : once;
        int twice = CrcCombine.combine(CrcCombine.combine(first, 0, length), 0, length);
        assertThat(CrcCombine.combine(first, 0, 2 * length)).isEqualTo(twice);
    }

    @Property
    void everyChangedBitOfAPartChangesTheWhole(
            @ForAll int first, @ForAll int second, @ForAll @IntRange(max = 31) int bit) {
        CrcCombine tables = CrcCombine.ofParts(4096);
        int whole = tables.combine(first, second);
        assertThat(tables.combine(first ^ (1 << bit), second)).isNotEqualTo(whole);
        assertThat(tables.combine(first, second ^ (1 << bit))).isNotEqualTo(whole);
    }

    @Test
    void nothingAppendedChangesNothing() {
        for (int crc : List.of(0, 1, -1, 0xE3069283)) {
            assertThat(CrcCombine.combine(crc, 0, 0)).isEqualTo(crc);
            assertThat(CrcCombine.ofParts(0).combine(crc, 0)).isEqualTo(crc);
        }
    }

    @Test
    void aNegativeLengthIsRefused() {
        assertThatThrownBy(() -> CrcCombine.combine(1, 2, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static byte[] random(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static int crc(byte[] bytes, int offset, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, offset, length);
        return (int) crc.getValue();
    }
}
