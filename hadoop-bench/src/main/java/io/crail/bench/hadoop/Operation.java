// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.hadoop;

import java.io.IOException;

/** Something that is done again and again, one after another, in each of the stores. */
@FunctionalInterface
interface Operation {
    /**
     * Makes what it needs.
     *
     * @param directory is there and empty, and is removed by the caller afterwards
     */
    Ready prepare(Store store, String directory, Effort effort) throws IOException;

    /** Ready to be done. */
    interface Ready extends AutoCloseable {
        /**
         * Does it once.
         *
         * @param number different each time
         */
        void run(int number) throws IOException;

        /** How much of what the row counts is done by doing it once. */
        default double amount() {
            return 1;
        }

        @Override
        default void close() throws IOException {}
    }
}
