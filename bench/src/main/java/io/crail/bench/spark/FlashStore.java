// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A store of crail with little memory, and a flash tier behind it. */
public interface FlashStore {
    /**
     * What of it is in use.
     *
     * @param inMemory bytes of blocks in memory
     * @param onFlash bytes of blocks on flash
     */
    record Use(long inMemory, long onFlash) {}

    /** Its processes. */
    List<ProcessHandle> servers();

    /** Where the file of its flash tier is. */
    Path directory();

    /** What is in use now. */
    Use use() throws IOException;

    /** What is done with one. */
    @FunctionalInterface
    interface Trial {
        /** Does it. */
        FlashResult with(FlashStore store) throws IOException;
    }

    /** Makes stores; applications on {@link Side#CRAIL_FLASH} find the one that is there. */
    @FunctionalInterface
    interface Provider {
        /**
         * Makes one for a trial; nothing is left of it afterwards.
         *
         * @param memory bytes that it has in memory
         * @param flash bytes of data that it has room for on flash
         */
        FlashResult run(long memory, long flash, Trial trial) throws IOException;
    }
}
