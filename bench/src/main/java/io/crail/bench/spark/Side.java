// Copyright the crail authors. SPDX-License-Identifier: Apache-2.0
package io.crail.bench.spark;

/** What is compared. */
public enum Side {
    /** Spark as it is shipped, with its local directory in shared memory: the fair baseline. */
    VANILLA_SHARED_MEMORY("vanilla"),
    /** Spark as it is shipped, with its local directory on disk. */
    VANILLA_DISK("vanilla on disk"),
    CRAIL("crail"),
    /** Crail with too little memory for the shuffle: the rest goes to a flash tier. */
    CRAIL_FLASH("crail on flash");

    private final String text;

    Side(String text) {
        this.text = text;
    }

    /** What messages call it. */
    public String text() {
        return text;
    }
}
