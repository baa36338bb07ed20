// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.spark.store;

/** What is counted of broadcasts, each by the side that does it. */
public enum BroadcastCount {
    VALUES_WRITTEN("valuesWritten", true),
    /** Of these, because tasks could not read them where they were. */
    VALUES_WRITTEN_AGAIN("valuesWrittenAgain", true),
    BYTES_WRITTEN("bytesWritten", true),
    /** Compressed or encrypted. */
    CHUNKS_ENCODED("chunksEncoded", true),
    WRITE_NANOS("writeNanos", true),
    VALUES_LEFT_TO_SPARK("valuesLeftToSpark", true),
    /** Of these, because the store refused them. */
    VALUES_REFUSED("valuesRefused", true),

    VALUES_READ("valuesRead", false),
    BYTES_READ("bytesRead", false),
    /** Of these, from memory of the executor's host. */
    BYTES_READ_SAME_HOST("bytesRead.sameHost", false),
    CHUNKS_DECODED("chunksDecoded", false),
    READ_NANOS("readNanos", false);

    private static final String PREFIX = "broadcast.";

    private final String name;
    private final boolean driver;

    BroadcastCount(String name, boolean driver) {
        this.name = PREFIX + name;
        this.driver = driver;
    }

    /** Its name among Spark's metrics. */
    public String metric() {
        return name;
    }

    /** Whether the driver does it, and else executors. */
    public boolean isOfDriver() {
        return driver;
    }
}
