// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.dram;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.storage.directory.PrivateDirectory;
import io.crail.storage.segment.FreeSpace;
import io.crail.storage.segment.SegmentFiles;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.StorageTierProvider;
import io.crail.storage.spi.TierContext;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;

/** Provides the tier "dram". */
public final class DramTierProvider implements StorageTierProvider {
    /** How Netty talks to the kernel: auto, nio, epoll or io_uring. */
    public static final String TRANSPORT = "transport";

    /** Number of event loops, 0 = one per processor. */
    public static final String THREADS = "threads";

    /**
     * A directory for the segment files, on hugetlbfs for huge pages. Files with content, such as
     * the server's identity, cannot be there: so it is not the server's own directory.
     */
    public static final String SEGMENTS = "segments";

    /** Whether clients on this host may map the segments: "on", the default, or "off". */
    public static final String SHARED_MEMORY = "shared_memory";

    private static final List<String> OPTIONS =
            List.of(TRANSPORT, THREADS, SEGMENTS, SHARED_MEMORY);

    @Override
    public String name() {
        return "dram";
    }

    @Override
    public StorageTier open(TierContext context) throws CrailException {
        for (String option : context.options().keySet()) {
            if (!OPTIONS.contains(option)) {
                throw new InvalidArgumentException(
                        "tier dram has no option " + option + ", only " + OPTIONS);
            }
        }
        Path directory = segments(context);
        SegmentFiles files =
                new SegmentFiles(
                        directory,
                        context.identity(),
                        new SecureRandom(),
                        FreeSpace.OF_FILE_SYSTEM);
        if (context.format()) {
            files.removeAll();
        }
        return new DramTier(context, files, directory.toAbsolutePath());
    }

    private static Path segments(TierContext context) throws CrailException {
        String elsewhere = context.options().get(SEGMENTS);
        if (elsewhere == null) {
            return context.directory();
        }
        Path directory = Path.of(elsewhere).resolve(context.directory().getFileName());
        PrivateDirectory.make(directory);
        return directory;
    }
}
