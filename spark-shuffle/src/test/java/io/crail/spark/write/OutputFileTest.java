// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.write;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the next piece of a map output begins. */
class OutputFileTest {
    private static ByteBuffer piece(int bytes, int capacity) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(capacity);
        while (buffer.hasRemaining()) {
            buffer.put((byte) 7);
        }
        return buffer.position(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 65536, 65536",
        "0, 65537, 69632",
        "0, 69631, 69632",
        "0, 69624, 69632",
        "4096, 100000, 102400",
        "100, 100000, 102300",
        "1048575, 100000, 102401",
        "5000000000, 100000, 101888"
    })
    void aLargePieceEndsWithAChunkOfTheFile(long position, int bytes, int filled) {
        ByteBuffer buffer = piece(bytes, 1 << 20);
        OutputFile.fillUp(position, buffer);
        assertThat(buffer.position()).isEqualTo(filled);
        assertThat((position + filled) % 4096).isZero();
        assertThat(filled - bytes).isLessThan(4096);
        for (int at = 0; at < filled; at++) {
            assertThat(buffer.get(at)).isEqualTo((byte) (at < bytes ? 7 : 0));
        }
        assertThat(buffer.get(filled)).as("no byte more").isEqualTo((byte) 7);
    }

    @Test
    void aSmallPieceStaysAsItIs() {
        ByteBuffer buffer = piece(65_535, 1 << 20);
        OutputFile.fillUp(0, buffer);
        assertThat(buffer.position()).isEqualTo(65_535);
    }

    @Test
    void aPieceWithoutRoomForAllOfItStaysAsItIs() {
        ByteBuffer buffer = piece(65_637, 69_631);
        OutputFile.fillUp(0, buffer);
        assertThat(buffer.position()).isEqualTo(65_637);
        ByteBuffer full = piece(1 << 20, 1 << 20);
        OutputFile.fillUp(1, full);
        assertThat(full.hasRemaining()).isFalse();
    }
}
