// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.cli.quickstart;

import io.crail.bench.measure.Comparison;
import java.io.IOException;

/**
 * The machine's own limit for moving bytes the way the client moves them.
 *
 * @param name what the machine does
 * @param work does it with that many bytes
 */
record ByteLimit(String name, Work work) {
    /** Does something with bytes. */
    @FunctionalInterface
    interface Work {
        /** Bytes per second. */
        double measure(long bytes) throws IOException;
    }

    /**
     * The limit of a client.
     *
     * @param sharedMemory whether it shares memory with the servers, or talks to them
     * @param memory what the machine does with memory
     */
    static ByteLimit of(boolean sharedMemory, MemoryWork memory) {
        return sharedMemory
                ? new ByteLimit(MemoryWork.COPY, memory::copy)
                : new ByteLimit(Loopback.STREAM, Loopback::stream);
    }

    double measure(long bytes) throws IOException {
        return work.measure(bytes);
    }

    Comparison comparison() {
        return new Comparison(name);
    }
}
