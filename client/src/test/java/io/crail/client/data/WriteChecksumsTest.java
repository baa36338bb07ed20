// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.client.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.protocol.block.BlockReference;
import java.nio.ByteBuffer;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class WriteChecksumsTest {
    private static final BlockReference BLOCK =
            new BlockReference(
                    7, 0, 0, 1 << 20, 512, 0xC0FFEE01_00000005L, 0, BlockReference.WRITE);

    private static ByteBuffer data(long seed, int length) {
        return data(seed, length, true);
    }

    private static ByteBuffer data(long seed, int length, boolean direct) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        int capacity = length + 30;
        return (direct ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity))
                .position(17)
                .put(bytes)
                .position(17)
                .limit(17 + length);
    }

    @Property(tries = 200)
    void theyAreThoseOfAPassOverTheBytesWhicheverWayTheyAreMade(
            @ForAll long seed,
            @ForAll @IntRange(max = 40) int chunk,
            @ForAll @IntRange(min = 1, max = 80_000) int length,
            @ForAll boolean direct) {
        ByteBuffer data = data(seed, length, direct);
        int offset = chunk * 4096;
        RunningChecksum running = new RunningChecksum();
        int[] expected = running.update(BLOCK, offset, data);

        assertThat(WriteChecksums.toBeMade(BLOCK, offset, data).checksums()).isEqualTo(expected);

        WriteChecksums copied = WriteChecksums.toBeMade(BLOCK, offset, data);
        ByteBuffer memory = ByteBuffer.allocateDirect(length + 20);
        copied.copyInto(memory, 9);
        assertThat(memory.slice(9, length)).isEqualTo(data);
        assertThat(memory.slice(0, 9)).isEqualTo(ByteBuffer.allocate(9));
        assertThat(memory.slice(9 + length, 11)).isEqualTo(ByteBuffer.allocate(11));
        assertThat(copied.checksums()).isEqualTo(expected);
        assertThat(copied.tail()).isEqualTo(running.tail());
    }

    /** A second attempt stores the checksums of what the application handed over at first. */
    @Test
    void theyAreMadeOnce() {
        ByteBuffer data = data(1, 10_000);
        WriteChecksums checksums = WriteChecksums.toBeMade(BLOCK, 0, data);
        checksums.copyInto(ByteBuffer.allocateDirect(10_000), 0);
        int[] made = checksums.checksums();
        data.put(data.position(), (byte) ~data.get(data.position()));
        ByteBuffer again = ByteBuffer.allocateDirect(10_000);
        checksums.copyInto(again, 0);
        assertThat(again).isEqualTo(data);
        assertThat(checksums.checksums()).isSameAs(made);
    }

    @Test
    void knownOnesAreLeftAsTheyAre() {
        ByteBuffer data = data(2, 5000);
        int[] given = {1, 2};
        WriteChecksums known = WriteChecksums.known(data, given);
        ByteBuffer memory = ByteBuffer.allocateDirect(5000);
        known.copyInto(memory, 0);
        assertThat(memory).isEqualTo(data);
        assertThat(known.checksums()).isSameAs(given);
    }
}
