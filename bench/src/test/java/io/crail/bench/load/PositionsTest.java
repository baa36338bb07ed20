// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.crail.bench.stage.Servers;
import io.crail.bench.stage.Setting;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PositionsTest {
    private static final int SIZE = 100;
    private static final int PIECES = 10;

    private static long[] positions(DataOperation operation, int count) {
        DataSpec spec =
                new DataSpec(
                        operation,
                        Servers.Way.TCP,
                        SIZE,
                        1,
                        true,
                        PIECES * SIZE + SIZE / 2,
                        Setting.FREE);
        DataSpec.Positions positions = new DataSpec.Positions(spec, spec.pieces());
        return LongStream.generate(positions::next).limit(count).toArray();
    }

    @Test
    void sequentialOnesGoThroughWholePiecesAndBeginAnew() {
        assertThat(positions(DataOperation.SEQ_READ, 12))
                .containsExactly(0, 100, 200, 300, 400, 500, 600, 700, 800, 900, 0, 100);
    }

    @Test
    void randomOnesAreAlignedWithinTheFileAndMeetEveryPiece() {
        assertThat(LongStream.of(positions(DataOperation.RANDOM_READ, 1_000)).distinct().sorted())
                .containsExactly(0L, 100L, 200L, 300L, 400L, 500L, 600L, 700L, 800L, 900L);
    }
}
