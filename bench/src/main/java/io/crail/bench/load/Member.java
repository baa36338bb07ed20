// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import java.io.IOException;

/**
 * One client of a row, in this process or in one of its own. Its batches run at the same time as
 * those of other members. One thread at a time uses it.
 */
public interface Member extends AutoCloseable {
    /** Makes what the next batch of crail needs and removes what the last one left; not timed. */
    void prepare(long nanos) throws IOException;

    /** A batch of the machine. */
    Tally limit(long nanos) throws IOException;

    /** A batch of crail. */
    Tally product(long nanos) throws IOException;

    /** Ends the part in the row; what was made in the cluster stays. */
    @Override
    void close() throws IOException;
}
