// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.crail.protocol.log.LogLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies into mapped files, whole ones and such as are cut meanwhile. */
class WindowCopyTest {
    private static final int SIZE = 1 << 20;

    @TempDir Path directory;
    private final Random random = new Random(1);
    private final WindowCopy copy = new WindowCopy();

    /** Records of random lengths and bytes, but for their lengths. */
    private ByteBuffer batch(int records, int longest) {
        ByteBuffer batch = ByteBuffer.allocateDirect(records * longest);
        batch.order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < records; i++) {
            byte[] record = new byte[LogLayout.BODY + random.nextInt(longest - LogLayout.BODY)];
            if (random.nextBoolean()) {
                random.nextBytes(record);
            }
            int start = batch.position();
            batch.put(record).putInt(start + LogLayout.LENGTH, record.length);
        }
        return batch.flip();
    }

    @Test
    void everyBatchArrivesWhereverPagesEnd() throws IOException {
        try (MetadataFile file = file()) {
            ByteBuffer window = file.map(0, SIZE);
            for (int i = 0; i < 300; i++) {
                ByteBuffer batch = batch(1 + random.nextInt(40), 100 + random.nextInt(20_000));
                int index = random.nextInt(SIZE - batch.limit());
                copy.copy(batch, window, index);
                assertThat(window.slice(index, batch.limit())).isEqualTo(batch);
            }
        }
    }

    /** In code that was compiled meanwhile as well as before. */
    @Test
    void aPartThatDoesNotArriveIsToldAtOnceWhateverTheJvmHasCompiled() throws IOException {
        for (int round = 0; round < 150; round++) {
            try (MetadataFile file = file()) {
                ByteBuffer window = file.map(0, SIZE);
                ByteBuffer batch = batch(1 + round % 10, 100 + random.nextInt(3000));
                for (int i = 0; i < 200; i++) {
                    copy.copy(batch, window, i);
                }
                file.truncate(SIZE / 2);
                int lost = 1 + random.nextInt(batch.limit());
                assertThatThrownBy(() -> copy.copy(batch, window, SIZE / 2 - batch.limit() + lost))
                        .isInstanceOf(IOException.class)
                        .hasCauseInstanceOf(InternalError.class);
                copy.copy(batch, window, 0);
            }
        }
    }

    private MetadataFile file() throws IOException {
        Path path = directory.resolve("file");
        MetadataFiles.ofSystem().delete(path);
        MetadataFile file = MetadataFiles.ofSystem().create(path);
        WholeWrites.write(file, ByteBuffer.allocate(SIZE), 0);
        return file;
    }
}
