// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.namenode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A million values fit a small heap and are there again after kill -9. Figures are printed. */
@Tag("system")
final class ScaleTest {
    @TempDir private Path directory;

    @Test
    @Timeout(value = 300, unit = TimeUnit.SECONDS)
    void aMillionValuesAreHeldAndRecovered() throws IOException {
        try (ScaleRun run = new ScaleRun(directory, List.of())) {
            run.measure(1_000_000);
        }
    }
}
