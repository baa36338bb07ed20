// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.storage.dram;

import io.crail.error.CrailException;
import io.crail.storage.segment.FreeSpace;
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

    static final List<String> OPTIONS = List.of(TRANSPORT, THREADS);

    @Override
    public String name() {
        return "dram";
    }

    @Override
    public StorageTier open(TierContext context) throws CrailException {
        SegmentFiles files =
                new SegmentFiles(
                        context.directory(),
                        context.identity(),
                        new SecureRandom(),
                        FreeSpace.OF_FILE_SYSTEM);
        return new DramTier(context, files);
    }
}
