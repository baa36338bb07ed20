// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.testing;

import io.crail.storage.segment.FreeSpace;
import io.crail.storage.segment.Segment;
import io.crail.storage.segment.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Random;
import java.util.UUID;

/** Makes real segments in a directory of the test. */
public final class TestSegments {
    public static final UUID CLUSTER = new UUID(11, 22);
    public static final UUID SERVER = new UUID(33, 44);

    private TestSegments() {}

    public static SegmentFiles files(Path directory) {
        return new SegmentFiles(directory, SERVER, new Random(1), FreeSpace.OF_FILE_SYSTEM);
    }

    public static Segment create(Path directory, int number, long dataBytes) throws IOException {
        return Objects.requireNonNull(
                files(directory).create(number, CLUSTER, dataBytes, () -> false));
    }
}
