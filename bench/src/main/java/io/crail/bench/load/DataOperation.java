// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

/** What is done to the bytes of files. */
public enum DataOperation {
    /** Reads a file from its first to its last byte, and again. */
    SEQ_READ(true, false),
    /** Appends to a file; a full one begins anew. */
    SEQ_WRITE(false, false),
    /** Reads at random aligned positions of a file. */
    RANDOM_READ(true, true),
    /** Appends to one of several open files at random; a full one begins anew. */
    RANDOM_WRITE(false, true);

    private final boolean reads;
    private final boolean random;

    DataOperation(boolean reads, boolean random) {
        this.reads = reads;
        this.random = random;
    }

    boolean reads() {
        return reads;
    }

    boolean isRandom() {
        return random;
    }
}
