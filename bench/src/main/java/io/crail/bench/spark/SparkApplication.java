// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

import java.io.IOException;
import java.util.List;

/**
 * A driver with its executors, in processes of their own. It sleeps between two calls. Not
 * thread-safe.
 */
public interface SparkApplication extends AutoCloseable {
    /** Starts applications. */
    @FunctionalInterface
    interface Launcher {
        /** Starts one; does not wait until it is there. */
        SparkApplication start(Side side, Shape shape) throws IOException;
    }

    /** Waits until it is there, and lets it make the input of a job. */
    void prepare(Job job) throws IOException;

    /**
     * Does the job.
     *
     * @param check whether to look at every byte of the result
     */
    Round round(boolean check) throws IOException;

    /** Takes away what the last round left. */
    void clean() throws IOException;

    /** The driver and its executors. */
    List<ProcessHandle> processes();

    /** Ends it; its processes and files are gone afterwards. */
    @Override
    void close() throws IOException;
}
