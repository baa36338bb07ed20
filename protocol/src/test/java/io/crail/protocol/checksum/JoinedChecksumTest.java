// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.protocol.checksum;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.zip.CRC32C;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Checksums of parts, joined, against the checksum of the whole. */
class JoinedChecksumTest {
    private static int crc(byte[] bytes, int from, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, length);
        return (int) crc.getValue();
    }

    @Property(tries = 300)
    void partsOfAnyLengthGiveTheChecksumOfTheWhole(
            @ForAll @Size(max = 12) int[] seeds, @ForAll @IntRange(max = 9000) int longest) {
        Random random = new Random(longest);
        JoinedChecksum joined = new JoinedChecksum();
        CRC32C whole = new CRC32C();
        long length = 0;
        for (int seed : seeds) {
            // Chunks take a way of their own.
            byte[] part = new byte[seed % 3 == 0 ? 4096 : random.nextInt(longest + 1)];
            new Random(seed).nextBytes(part);
            joined.append(crc(part, 0, part.length), part.length);
            whole.update(part);
            length += part.length;
        }
        assertThat(joined.value()).isEqualTo((int) whole.getValue());
        assertThat(joined.length()).isEqualTo(length);
    }

    @Test
    void nothingHasTheChecksumOfNothing() {
        assertThat(new JoinedChecksum().value()).isEqualTo((int) new CRC32C().getValue());
    }

    /** Far more than can be computed otherwise: both ways of joining must agree. */
    @Test
    void hugePartsAreJoinedInAnyGrouping() {
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            int a = random.nextInt();
            int b = random.nextInt();
            int c = random.nextInt();
            long bytesOfB = random.nextLong() >>> 2;
            long bytesOfC = random.nextLong() >>> 2;
            JoinedChecksum leftFirst = new JoinedChecksum();
            leftFirst.append(a, 1);
            leftFirst.append(b, bytesOfB);
            leftFirst.append(c, bytesOfC);
            JoinedChecksum right = new JoinedChecksum();
            right.append(b, bytesOfB);
            right.append(c, bytesOfC);
            JoinedChecksum rightFirst = new JoinedChecksum();
            rightFirst.append(a, 1);
            rightFirst.append(right.value(), right.length());
            assertThat(leftFirst.value()).isEqualTo(rightFirst.value());
        }
    }
}
