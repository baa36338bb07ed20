// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

import java.io.IOException;

/** What the threads of one client do. Threads share it; each has works of its own. */
interface Workload extends AutoCloseable {
    /** The work of the machine for a thread; asked for once. */
    Work limit(int thread) throws IOException;

    /** The work of crail for a thread; asked for once. */
    Work product(int thread) throws IOException;

    /** As {@link Member#prepare}. */
    default void prepare(long nanos) throws IOException {}

    /** Closes the client, and whatever the works use. */
    @Override
    void close() throws IOException;
}
