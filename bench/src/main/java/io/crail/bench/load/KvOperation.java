// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.load;

/** What is done to keys and values. */
public enum KvOperation {
    /** Puts a value in place of an earlier one. */
    PUT(false, false),
    /** Gets a value into a buffer. */
    GET(true, false),
    /** Puts several values by one call. */
    MULTI_PUT(false, true),
    /** Gets several values by one call. */
    MULTI_GET(true, true);

    private final boolean reads;
    private final boolean several;

    KvOperation(boolean reads, boolean several) {
        this.reads = reads;
        this.several = several;
    }

    boolean reads() {
        return reads;
    }

    boolean isOfSeveral() {
        return several;
    }
}
