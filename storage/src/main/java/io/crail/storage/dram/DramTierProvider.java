// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.dram;

import io.crail.error.CrailException;
import io.crail.error.InvalidArgumentException;
import io.crail.storage.segment.SegmentFiles;
import io.crail.storage.spi.StorageTier;
import io.crail.storage.spi.StorageTierProvider;
import io.crail.storage.spi.TierContext;
import java.security.SecureRandom;
import java.util.List;

/** Provides the tier "dram". */
public final class DramTierProvider implements StorageTierProvider {
    /** How Netty talks to the kernel: auto, nio, epoll or io_uring. */
    public static final String TRANSPORT = "transport";

    /** Number of event loops, 0 = one per processor. */
    public static final String THREADS = "threads";

    /** A directory on hugetlbfs for the segment files; without it they are in the server's own. */
    public static final String HUGE_PAGES = "huge_pages";

    /** Whether clients on this host may map the segments: "on", the default, or "off". */
    public static final String SHARED_MEMORY = "shared_memory";

    /** Whether event loops look for requests before they sleep: "on", the default, or "off". */
    public static final String BUSY_POLL = "busy_poll";

    private static final List<String> OPTIONS =
            List.of(TRANSPORT, THREADS, HUGE_PAGES, SHARED_MEMORY, BUSY_POLL);

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
        SegmentFiles.checkSize(context.segmentSize());
        SegmentDirectory directory = SegmentDirectory.open(context);
        try {
            SegmentFiles files =
                    new SegmentFiles(
                            directory.path(),
                            context.identity(),
                            new SecureRandom(),
                            directory.space());
            if (context.format()) {
                files.removeAll();
            }
            return new DramTier(context, files, directory);
        } catch (CrailException | RuntimeException e) {
            directory.close();
            throw e;
        }
    }
}
