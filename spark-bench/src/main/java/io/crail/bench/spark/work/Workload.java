// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark.work;

/** What an application does in a round. */
interface Workload {
    /** Makes the input, if it is kept. */
    default void prepare() {}

    /**
     * Does it.
     *
     * @param whole whether to look at all bytes of the result; else at some of each record, so that
     *     looking takes no time
     * @return a digest of the result, which does not depend on the order of records
     */
    long run(boolean whole);

    /** Forgets what the last round left, but for shuffles. */
    default void forget() {}
}
