// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.broadcast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.error.CorruptDataException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChunkTest {
    private static final List<Chunk> CHUNKS =
            List.of(
                    new Chunk(Chunk.ARRAY, Chunk.SIZE, 0, Chunk.SIZE),
                    new Chunk(Chunk.COMPRESSED, Chunk.SIZE, Chunk.SIZE, 10),
                    new Chunk(
                            Chunk.ARRAY | Chunk.ENDS_ARRAY | Chunk.ENCRYPTED,
                            5,
                            Chunk.SIZE + 10,
                            37));
    private static final long END = Chunk.SIZE + 47;

    private static List<Chunk> decode(byte[] table, long end) throws CorruptDataException {
        return Chunk.decode("/a", ByteBuffer.wrap(table), end);
    }

    @Test
    void aTableIsReadAsItWasWritten() throws CorruptDataException {
        assertThat(decode(Chunk.encode(CHUNKS), END)).isEqualTo(CHUNKS);
        assertThat(Chunk.encode(CHUNKS)).hasSize(Chunk.tableSize(3));
    }

    @Test
    void aTableOfAnotherFileIsRefused() {
        assertThatThrownBy(() -> decode(Chunk.encode(CHUNKS), END + 1))
                .isInstanceOf(CorruptDataException.class)
                .hasMessageContaining("/a is no broadcast");
    }

    @Test
    void bytesThatAreNoTableAreRefused() {
        byte[] bytes = new byte[Chunk.tableSize(4)];
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            random.nextBytes(bytes);
            assertThatThrownBy(() -> decode(bytes, END)).isInstanceOf(CorruptDataException.class);
        }
    }

    @Test
    void aTableThatIsCutIsRefused() {
        byte[] table = Chunk.encode(CHUNKS);
        for (int length = 0; length < table.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(table, length);
            assertThatThrownBy(() -> decode(cut, END)).isInstanceOf(CorruptDataException.class);
        }
    }
}
