// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

/**
 * What an application consists of.
 *
 * @param executors how many
 * @param cores of each: tasks that it runs at a time
 * @param heapMebibytes of each
 * @param driverMebibytes heap of the driver
 */
public record Shape(int executors, int cores, int heapMebibytes, int driverMebibytes) {
    /** For {@code spark.master}. */
    public String master() {
        return "local-cluster[%d,%d,%d]".formatted(executors, cores, heapMebibytes);
    }

    /** With that many cores. */
    Shape withCores(int each) {
        return new Shape(executors, each, heapMebibytes, driverMebibytes);
    }

    /** With more heap: these bytes, divided among the executors. */
    Shape withMore(long bytes) {
        int more = (int) ((bytes / executors) >> 20);
        return new Shape(executors, cores, heapMebibytes + more, driverMebibytes);
    }
}
